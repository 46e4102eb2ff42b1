import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createOrchestratorClient, type OrchestratorClient } from '../index.ts';
import { bench, DAG, NO_BACKEND } from '../bench.test-helper.ts';
import { rejects } from '../conformance/bench.test-helper.ts';
import { FakeOrchestrator } from '../testing/index.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a 404 that does not come from the orchestrator', () => {
  it.each([
    NO_BACKEND,
    { kind: 'status', status: 404, body: 'default backend - 404', headers: { 'content-type': 'text/plain' } },
    { kind: 'status', status: 404, body: '{"error":"no route"}', headers: JSON_TYPE },
    { kind: 'status', status: 404, body: '' },
  ] as const)('does not mean that a run or DAG is unknown: %j', async (fault) => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, { job_id: '1' });
    fake.fault = () => fault;
    await rejects(run.state(), 'not_json');
    await rejects(client.dag(DAG.id), 'not_json');
    await rejects(run.result({ taskId: 'any' }), 'not_json');
    await rejects(client.trigger(DAG.id, { job_id: '2' }), 'not_json');
    expect(fake.runsOf(DAG.id)).toHaveLength(1);
  });

  it.each([
    ['2.10.3', { title: 'DAGRun not found', detail: null, status: 404 }],
    ['3.0.6', { detail: 'The DagRun was not found' }],
  ])('differs from a 404 of Airflow %s', async (version, body) => {
    const { fake, client } = bench({ version });
    const run = await client.trigger(DAG.id, { job_id: '1' });
    fake.fault = () => ({ kind: 'status', status: 404, body: JSON.stringify(body), headers: JSON_TYPE });
    await rejects(run.state(), 'unknown_run');
    await rejects(client.dag(DAG.id), 'unknown_dag');
  });

  it('does not end a wait or a watch while the web server restarts', async () => {
    const { fake, client, clock } = bench();
    const run = await client.trigger(DAG.id, { job_id: '1' });
    const watcher = client.watcher();
    const events: string[] = [];
    watcher.on('gone', () => events.push('gone'));
    watcher.on('finished', ({ state }) => events.push(state));
    watcher.add(run);
    await watcher.poll();
    const until = clock.now() + 60_000;
    fake.fault = () => (clock.now() < until ? NO_BACKEND : undefined);
    for (const started of fake.runsOf(DAG.id)) fake.world.setState(started, 'success');
    const [ended] = await Promise.all([
      run.wait(),
      (async () => {
        for (let pass = 0; pass < 50; pass++) {
          await watcher.poll();
          await clock.sleep(4000);
        }
      })(),
    ]);
    expect(ended.state).toBe('success');
    expect(events).toEqual(['success']);
  });
});

function garbled(body: string, type: string): { client: OrchestratorClient; fake: FakeOrchestrator } {
  const fake = new FakeOrchestrator({ dags: [DAG] });
  let left = 1;
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    credentials: { username: 'admin', password: 'admin' },
    poll: { minMs: 0, maxMs: 0 },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const isTrigger = request.method === 'POST' && request.url.endsWith('/dagRuns');
      const answer = await fake.fetch(request);
      return isTrigger && left-- > 0 ? new Response(body, { headers: { 'content-type': type } }) : answer;
    },
  });
  return { client, fake };
}

describe('a trigger that is executed but has an unreadable response', () => {
  it.each([
    ['<html><title>Please wait</title></html>', 'text/html'],
    ['{"dag_run_id":', 'application/json'],
    ['{"ok":true}', 'application/json'],
  ])('is found by its job after the response %s', async (body, type) => {
    const { client, fake } = garbled(body, type);
    const run = await client.trigger(DAG.id, { job_id: 'mine' });
    expect(fake.runsOf(DAG.id).map(({ runId }) => runId)).toEqual([run.runId]);
  });

  it("is found by the caller's run id; without a run id and a job id, the error says that a run may have been started", async () => {
    const own = garbled('<html>', 'text/html');
    expect((await own.client.trigger(DAG.id, {}, { runId: 'mine' })).runId).toBe('mine');
    const { client, fake } = garbled('<html>', 'text/html');
    await rejects(client.trigger(DAG.id, {}), 'trigger_unknown');
    expect(fake.received('POST', /dagRuns/)).toHaveLength(1);
  });
});

describe('a base address that redirects to another server', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function redirecting(): Promise<{ readonly from: string; readonly to: string }> {
    const { url: to, close } = await new FakeOrchestrator({ dags: [DAG] }).listen();
    const server = createServer((request, answer) => {
      answer.writeHead(301, { location: `${to}${request.url}` }).end();
    });
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    closing.push(
      close,
      () => server.close(),
      () => server.closeAllConnections(),
    );
    const address = server.address();
    return { from: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, to };
  }

  it('causes an error that names the other server, because credentials are not sent to it', async () => {
    const { from, to } = await redirecting();
    const client = createOrchestratorClient({ baseUrl: from, credentials: { username: 'admin', password: 'admin' } });
    const { message, details } = await rejects(client.dag(DAG.id), 'unauthorized');
    expect(details.redirectedTo).toBe(`${to}/api/v1/dags/${DAG.id}`);
    expect(message).toMatch(/was redirected to http:[^]*Use the final address/);
  });
});
