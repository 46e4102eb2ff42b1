import { describe, expect, it } from 'vitest';
import {
  createOrchestratorClient,
  type OrchestratorClient,
  type OrchestratorOptions,
  type TokenProvider,
} from '../index.ts';
import { bench, DAG } from '../bench.test-helper.ts';
import { rejects } from '../conformance/bench.test-helper.ts';
import { FakeOrchestrator } from '../testing/index.ts';

/** A client whose token provider returns these results in order, then `good`. */
function provided(first: readonly (() => ReturnType<TokenProvider>)[], options: Partial<OrchestratorOptions> = {}) {
  const fake = new FakeOrchestrator({ dags: [DAG], tokens: ['good'] });
  const left = [...first];
  const client: OrchestratorClient = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    poll: { minMs: 0, maxMs: 0 },
    credentials: { token: () => (left.shift() ?? (() => 'good'))() },
    ...options,
  });
  return { fake, client };
}

const hang = (): Promise<string> => new Promise(() => undefined);

describe('a token provider', () => {
  it('causes a timeout if it hangs, and is called again for the next request', async () => {
    const { client } = provided([hang], { requestTimeoutMs: 50, attempts: 1 });
    expect((await rejects(client.dag(DAG.id), 'timeout')).message).toMatch(/credentials\.token returned no token/);
    expect((await client.dag(DAG.id)).dagId).toBe(DAG.id);
  });

  it('does not block a caller that aborts or has a deadline, even if the provider hangs', async () => {
    const { client } = provided([hang], { requestTimeoutMs: 10_000 });
    await rejects(client.dag(DAG.id, { signal: AbortSignal.timeout(30) }), 'aborted');
    const deadline = new Date(Date.now() + 60);
    await rejects(client.run(DAG.id, 'any').wait({ deadline }), 'deadline');
  });

  it.each<[string, () => ReturnType<TokenProvider>]>([
    [
      'throws',
      () => {
        throw new Error('no connection to the identity provider');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no connection to the identity provider'))],
    ['returns nothing', () => ''],
    ['returns two lines', () => 'secret\nsecret'],
  ])('causes an OrchestratorError without secrets if it %s; a wait calls it again', async (_name, answer) => {
    const once = provided([answer], { attempts: 1 });
    const { message } = await rejects(once.client.dag(DAG.id), 'unreachable');
    expect(message).not.toMatch(/secret/);
    expect((await once.client.dag(DAG.id)).dagId).toBe(DAG.id);
    const { fake, client } = provided([answer]);
    const { runId } = fake.world.addRun(DAG.id, { state: 'success' });
    expect((await client.run(DAG.id, runId).wait()).state).toBe('success');
  });
});

it('a client refuses a token with characters that a header cannot contain; the error does not quote the token', () => {
  const make = (): unknown =>
    createOrchestratorClient({ baseUrl: 'http://orchestrator.test', credentials: { token: 'secret\nsecret' } });
  expect(make).toThrow(/credentials\.token: contains/);
  expect(make).not.toThrow(/secret/);
});

it('a wait ends at its deadline, even while the first connection is retried', async () => {
  const { fake, client, clock } = bench();
  fake.fault = () => ({ kind: 'status', status: 503, headers: { 'retry-after': '120' } });
  const began = clock.now();
  await rejects(client.run(DAG.id, 'any').wait({ deadline: new Date(began + 10_000) }), 'deadline');
  expect(clock.now() - began).toBe(10_000);
});

describe('a managed orchestrator with a proxy that refuses every request without a token', () => {
  it.each([
    ['2.10.3', { kind: 'status', status: 401, body: '{"message":"no"}' }],
    ['2.10.3', { kind: 'status', status: 403, body: '{"message":"no"}' }],
    [
      '3.0.2',
      { kind: 'status', status: 200, body: '<title>Sign in</title>', headers: { 'content-type': 'text/html' } },
    ],
  ] as const)('gets the token in the first call, on Airflow %s: %j', async (version, shut) => {
    const { fake, client } = bench({ version, tokens: ['good'] }, { credentials: { token: 'good' } });
    fake.fault = ({ headers }) => (headers['authorization'] === 'Bearer good' ? undefined : shut);
    await client.trigger(DAG.id, { job_id: '1' });
    expect((await client.health()).scheduler).toBe('healthy');
    expect(fake.runsOf(DAG.id)).toHaveLength(1);
  });

  it('gets a new token if an expired token leads to a sign-in page', async () => {
    const token: TokenProvider = ({ refresh }) => (refresh ? 'new' : 'old');
    const { fake, client } = bench({ tokens: ['old', 'new'] }, { credentials: { token } });
    const run = await client.trigger(DAG.id, { job_id: '1' });
    const page = { kind: 'status', status: 200, body: '<title>Sign in</title>' } as const;
    fake.fault = ({ headers }) =>
      headers['authorization'] === 'Bearer new' ? undefined : { ...page, headers: { 'content-type': 'text/html' } };
    expect(await run.state()).toBe('queued');
  });

  it('reports a wrong token', async () => {
    const { fake, client } = bench({}, { credentials: { token: 'wrong' } });
    fake.fault = () => ({ kind: 'status', status: 401, body: '' });
    await rejects(client.version(), 'unauthorized');
  });
});
