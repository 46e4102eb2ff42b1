import { describe, expect, it } from 'vitest';
import { createOrchestratorClient } from '../index.ts';
import { FakeOrchestrator } from './index.ts';

const DAGS = [
  { id: 'd', tasks: [{ id: 't', run: () => ({ ok: true }) }] },
  {
    id: 'f',
    tasks: [
      {
        id: 'fails',
        run: () => {
          throw new Error('boom');
        },
      },
      { id: 'after', run: () => 1 },
    ],
  },
  { id: 'm', tasks: [{ id: 't', mapped: [1, 2], run: ({ item }: { readonly item: unknown }) => item }] },
];

function requester(version: string) {
  const fake = new FakeOrchestrator({ version, dags: DAGS, tokens: ['t'] });
  const authorization = version.startsWith('3') ? 'Bearer t' : `Basic ${btoa('admin:admin')}`;
  const root = `${fake.baseUrl}/api/${version.startsWith('3') ? 'v2' : 'v1'}/`;
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      ...Object.fromEntries(new Headers(init.headers)),
    };
    const answer = await fake.fetch(`${root}${path}`, { ...init, headers });
    const body: unknown = await answer.json().catch(() => null);
    return { status: answer.status, body };
  };
  const post = (path: string, body: object | string) =>
    send(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  return { fake, send, post };
}

describe('a trigger of the fake', () => {
  it('rejects the same bodies as Airflow 2, with the same messages', async () => {
    const { fake, post } = requester('2.10.3');
    const details = [];
    for (const body of [
      { state: 'failed' },
      { conf: null },
      { logical_date: '2020-06-11T18:00:00' },
      { dag_run_id: 'scheduled__2020-06-11' },
      '{"conf":',
    ])
      details.push(await post('dags/d/dagRuns', body));
    expect(details).toMatchObject([
      { status: 400, body: { detail: "Property is read-only - 'state'" } },
      { status: 400, body: { detail: "None is not of type 'object' - 'conf'" } },
      { status: 400, body: { detail: "'2020-06-11T18:00:00' is not a 'date-time' - 'logical_date'" } },
      { status: 400, body: { detail: expect.stringMatching(/reserved for scheduled runs/) } },
      { status: 400, body: { detail: 'Request body is not valid JSON' } },
    ]);
    expect(fake.runsOf('d')).toEqual([]);
  });

  it('needs the content type of JSON', async () => {
    const { send } = requester('2.10.3');
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } };
    expect((await send('dags/d/dagRuns', init)).status).toBe(415);
  });

  it('is refused with 409 if an earlier run has the same logical date', async () => {
    const { post } = requester('2.10.3');
    const dated = { logical_date: '2020-06-11T18:00:00+00:00' };
    expect(await post('dags/d/dagRuns', dated)).toMatchObject({
      status: 200,
      body: { dag_run_id: 'manual__2020-06-11T18:00:00+00:00' },
    });
    const detail = "DAGRun with DAG ID: 'd' and DAGRun logical date: '2020-06-11 18:00:00+00:00' already exists";
    expect(await post('dags/d/dagRuns', dated)).toMatchObject({ status: 409, body: { detail } });
  });

  it('with the id of an earlier run is refused on Airflow 3 with the error of its database', async () => {
    const { post } = requester('3.0.2');
    const body = { logical_date: null, dag_run_id: 'r' };
    await post('dags/d/dagRuns', body);
    expect(await post('dags/d/dagRuns', body)).toMatchObject({
      status: 409,
      body: { detail: { reason: 'Unique constraint violation' } },
    });
  });
});

describe('lists of the fake', () => {
  it('can be filtered by the times of their version, and reject other filters and invalid numbers and times', async () => {
    const { send, post } = requester('2.10.3');
    await post('dags/d/dagRuns', {});
    const total = async (query: string): Promise<unknown> => {
      const { status, body } = await send(`dags/d/dagRuns?${query}`);
      return status === 200 && typeof body === 'object' && body !== null ? Reflect.get(body, 'total_entries') : status;
    };
    expect(await total('execution_date_lte=2020-01-01T00:00:00Z')).toBe(0);
    expect(await total('execution_date_gte=2020-01-01T00:00:00Z&updated_at_lte=2999-01-01T00:00:00+00:00')).toBe(1);
    for (const wrong of [
      'limit=-1',
      'limit=x',
      'offset=-1',
      'updated_at_gte=soon',
      'run_after_gte=2020-01-01T00:00:00Z',
    ])
      expect(await total(wrong)).toBe(400);
  });

  it('of tasks can be filtered by state and have no order in Airflow 2', async () => {
    const { fake, send } = requester('2.10.3');
    const run = fake.world.addRun('f', { runId: 'r' });
    await expect.poll(() => run.state).toBe('failed');
    const path = 'dags/f/dagRuns/r/taskInstances';
    expect(await send(`${path}?state=upstream_failed`)).toMatchObject({ body: { total_entries: 1 } });
    expect((await send(`${path}?order_by=start_date`)).status).toBe(400);
  });
});

describe('tasks of the fake', () => {
  it('can be read one by one; mapped tasks are read by their index', async () => {
    const { fake, send } = requester('2.10.3');
    fake.world.addRun('d', { runId: 'r' });
    fake.world.addRun('m', { runId: 'r' });
    expect(await send('dags/d/dagRuns/r/taskInstances/t')).toMatchObject({ status: 200, body: { task_id: 't' } });
    expect(await send('dags/m/dagRuns/r/taskInstances/t')).toMatchObject({
      status: 404,
      body: { detail: 'Task instance is mapped, add the map_index value to the URL' },
    });
    expect(await send('dags/m/dagRuns/r/taskInstances/t/1')).toMatchObject({ status: 200, body: { map_index: 1 } });
  });

  it('return the next part of a log only for a token that the fake created; results of 2.9.3 reject `stringify` and `deserialize`', async () => {
    const { fake, send } = requester('2.9.3');
    const run = fake.world.addRun('d', { runId: 'r' });
    await expect.poll(() => run.state).toBe('success');
    const log = 'dags/d/dagRuns/r/taskInstances/t/logs/1';
    const accept = { headers: { accept: 'application/json' } };
    const { body } = await send(log, accept);
    const token = typeof body === 'object' && body !== null ? String(Reflect.get(body, 'continuation_token')) : '';
    expect(await send(`${log}?token=${token}`, accept)).toMatchObject({ body: { content: "[('fake-worker', '')]" } });
    expect((await send(`${log}?token=foreign`, accept)).status).toBe(400);
    const xcoms = 'dags/d/dagRuns/r/taskInstances/t/xcomEntries';
    expect(await send(xcoms)).toMatchObject({ body: { xcom_entries: [{ key: 'return_value' }], total_entries: 1 } });
    expect((await send(`${xcoms}/return_value?stringify=false`)).status).toBe(400);
    expect((await send(`${xcoms}/return_value?deserialize=true`)).status).toBe(400);
  });

  it('do not change when their run is queued again', async () => {
    const { fake, send } = requester('2.10.3');
    const run = fake.world.addRun('d', { runId: 'r' });
    await expect.poll(() => run.state).toBe('success');
    await send('dags/d/dagRuns/r', { method: 'PATCH', body: '{"state":"queued"}' });
    await expect.poll(() => run.state).toBe('success');
    expect(run.tasks[0]?.tryNumber).toBe(1);
  });
});

it('the fake retries a failed task as often as declared, and each try has a separate log', async () => {
  const fake = new FakeOrchestrator({
    dags: [
      {
        id: 'd',
        tasks: [
          {
            id: 't',
            retries: 1,
            run: ({ tryNumber }) => {
              throw new Error(`no scenes at try ${tryNumber}`);
            },
          },
        ],
      },
    ],
  });
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    credentials: { username: 'admin', password: 'admin' },
    poll: { minMs: 0, maxMs: 0 },
  });
  const run = await client.trigger('d', {});
  await expect(run.wait()).rejects.toMatchObject({ details: { reason: 'Error: no scenes at try 2' } });
  const first = await run.taskLog({ taskId: 't', tryNumber: 1 });
  expect(first.text).toMatch(/no scenes at try 1[^]*UP_FOR_RETRY/);
});

it('the fake returns 401 for credentials and 404 for a path that cannot be decoded', async () => {
  const { send } = requester('2.10.3');
  expect((await send('dags/d', { headers: { authorization: 'Basic !!!' } })).status).toBe(401);
  expect((await send('dags/%zz')).status).toBe(404);
});
