import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, assert, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { missingWorkflow, runWorkflowTask } from './workflow-task.fixture.ts';

// Tests of the task in deploy/airflow/headwater_dag.py that runs jobs. `npm run test:airflow` runs it on a real
// Airflow.

const missing = missingWorkflow('jobs of the workflow');

const ID = '0190a000-0000-7000-8000-000000000001';
const PARAMS = { region: '78.5,17.5,78.52,17.52', year: '2021', other: { nested: [1] } };

describe.skipIf(missing !== undefined)('a job of the work service in the workflow for a bare Airflow', () => {
  let url: string;
  let called: { readonly path: string | undefined; readonly body: unknown; readonly secret: unknown }[];
  let answers: Record<string, { readonly status: number; readonly body: unknown }>;
  const server = createServer((request, response) => {
    const reply = (body: string): unknown => {
      const { url: path, headers } = request;
      called.push({ path, body: JSON.parse(body), secret: headers['x-work-service-secret'] });
      const answer = answers[path ?? ''] ?? { status: 404, body: { detail: 'not here' } };
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    };
    void text(request).then(reply);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert(address !== null && typeof address === 'object');
    url = `http://127.0.0.1:${address.port}`;
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    called = [];
    answers = {
      '/api/export-asset': { status: 200, body: { status: 'success', stac_items: [{ id: 'x' }] } },
      [`/api/jobs/${ID}/result`]: { status: 200, body: { done: true } },
    };
  });

  type Conf = Readonly<Record<string, unknown>>;
  const run = (task: 'choose_mode' | 'do_job', conf: Conf, env: Readonly<Record<string, string>> = {}) =>
    runWorkflowTask({ task, conf, runId: 'manual__1', env: { HEADWATER_PATIENCE_SECONDS: '0.1', ...env } });
  const doJob = (conf: Conf, env?: Readonly<Record<string, string>>): Promise<unknown> => run('do_job', conf, env);
  const job = (): Readonly<Record<string, unknown>> => ({ op: 'export', params: PARAMS, run_id: ID, api_base: url });

  it('sends the parameters to export-asset and posts the response', async () => {
    expect([await run('choose_mode', job()), await doJob(job())]).toEqual(['do_job', { run_id: ID, ok: true }]);
    expect(called).toEqual([
      { path: '/api/export-asset', body: PARAMS, secret: undefined },
      {
        path: `/api/jobs/${ID}/result`,
        body: { ok: true, result: { status: 'success', stac_items: [{ id: 'x' }] } },
        secret: undefined,
      },
    ]);
  });

  it('calls the configured address of the service with its secret, not the address in the conf', async () => {
    const env = { SERVICE_API_BASE: `${url}/`, WORK_SERVICE_SECRET: 'a shared secret' };
    await doJob({ ...job(), api_base: 'http://stranger.invalid' }, env);
    expect(called.map(({ path, secret }) => [path, secret])).toEqual([
      ['/api/export-asset', 'a shared secret'],
      [`/api/jobs/${ID}/result`, 'a shared secret'],
    ]);
  });

  it("posts the service's error message and fails", async () => {
    answers['/api/export-asset'] = { status: 422, body: { detail: 'no_scenes: there are none' } };
    await expect(doJob(job())).rejects.toMatchObject({
      name: expect.stringMatching(/ServiceError$/),
      message: expect.stringMatching(/ 422: no_scenes: there/),
    });
    expect(called[1]).toMatchObject({
      path: `/api/jobs/${ID}/result`,
      body: { ok: false, error: expect.stringMatching(/export-asset returned 422: no_scenes: there are none$/) },
    });
  });

  it.each([
    [{ op: 'classify' }, /conf\.op: is 'classify', which is not known; this workflow supports export/],
    [{ params: [1] }, /conf\.params: give an object/],
  ])('posts an error and fails for a conf with %j, which it cannot run', async (wrong, message) => {
    await expect(doJob({ ...job(), ...wrong })).rejects.toThrow(message);
    expect(called).toMatchObject([
      { path: `/api/jobs/${ID}/result`, body: { ok: false, error: expect.stringMatching(message) } },
    ]);
  });

  it('accepts a 409 for its result, which an earlier attempt may have stored', async () => {
    answers[`/api/jobs/${ID}/result`] = { status: 409, body: { detail: 'The job has its result already.' } };
    expect(await doJob(job())).toEqual({ run_id: ID, ok: true });
  });

  it('fails if its result is refused', async () => {
    answers[`/api/jobs/${ID}/result`] = { status: 400, body: { detail: 'result.stac_items.0: assets are missing' } };
    await expect(doJob(job())).rejects.toThrow(/returned 400: .*assets are missing$/);
  });

  it.each([
    [{ run_id: '../dag/run' }, /conf\.run_id: '\.\.\/dag\/run' is not an id of a job/],
    [{ run_id: null }, /conf\.run_id: None is not an id of a job/],
    [{ api_base: null }, /conf\.api_base: is missing, and SERVICE_API_BASE is not set/],
  ])('fails and sends no request for a conf with %j', async (wrong, message) => {
    await expect(doJob({ ...job(), ...wrong })).rejects.toThrow(message);
    expect(called).toEqual([]);
  });
});
