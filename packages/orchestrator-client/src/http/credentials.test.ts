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

/** A client that is given the answers of its token provider one after the other, and `good` after them. */
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
  it('that hangs is a timeout, and is asked again', async () => {
    const { client } = provided([hang], { requestTimeoutMs: 50, attempts: 1 });
    expect((await rejects(client.dag(DAG.id), 'timeout')).message).toMatch(/credentials\.token gave no token/);
    expect((await client.dag(DAG.id)).dagId).toBe(DAG.id);
  });

  it('that hangs holds no caller who gives up', async () => {
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
    ['gives nothing', () => ''],
    ['gives two lines', () => 'secret\nsecret'],
  ])('that %s fails this once, within the closed union and without its words of secrets', async (_name, answer) => {
    const once = provided([answer], { attempts: 1 });
    const { message } = await rejects(once.client.dag(DAG.id), 'unreachable');
    expect(message).not.toMatch(/secret/);
    expect((await once.client.dag(DAG.id)).dagId).toBe(DAG.id);
    const { fake, client } = provided([answer]);
    const { runId } = fake.world.addRun(DAG.id, { state: 'success' });
    expect((await client.run(DAG.id, runId).wait()).state).toBe('success');
  });
});

it('a token that no header can carry is refused, and not quoted', () => {
  const make = (): unknown =>
    createOrchestratorClient({ baseUrl: 'http://orchestrator.test', credentials: { token: 'secret\nsecret' } });
  expect(make).toThrow(/credentials\.token: holds/);
  expect(make).not.toThrow(/secret/);
});

it('a first contact that takes long holds no wait beyond its deadline', async () => {
  const { fake, client, clock } = bench();
  fake.fault = () => ({ kind: 'status', status: 503, headers: { 'retry-after': '120' } });
  const began = clock.now();
  await rejects(client.run(DAG.id, 'any').wait({ deadline: new Date(began + 10_000) }), 'deadline');
  expect(clock.now() - began).toBe(10_000);
});

describe('a managed orchestrator, whose proxy lets nobody through without a token', () => {
  it.each([
    ['2.10.3', { kind: 'status', status: 401, body: '{"message":"no"}' }],
    ['2.10.3', { kind: 'status', status: 403, body: '{"message":"no"}' }],
    [
      '3.0.2',
      { kind: 'status', status: 200, body: '<title>Sign in</title>', headers: { 'content-type': 'text/html' } },
    ],
  ] as const)('of Airflow %s is asked with it from the first call on: %j', async (version, shut) => {
    const { fake, client } = bench({ version, tokens: ['good'] }, { credentials: { token: 'good' } });
    fake.fault = ({ headers }) => (headers['authorization'] === 'Bearer good' ? undefined : shut);
    await client.trigger(DAG.id, { job_id: '1' });
    expect((await client.health()).scheduler).toBe('healthy');
    expect(fake.runsOf(DAG.id)).toHaveLength(1);
  });

  it('is given a new token where an expired one leads to a page to sign in', async () => {
    const token: TokenProvider = ({ refresh }) => (refresh ? 'new' : 'old');
    const { fake, client } = bench({ tokens: ['old', 'new'] }, { credentials: { token } });
    const run = await client.trigger(DAG.id, { job_id: '1' });
    const page = { kind: 'status', status: 200, body: '<title>Sign in</title>' } as const;
    fake.fault = ({ headers }) =>
      headers['authorization'] === 'Bearer new' ? undefined : { ...page, headers: { 'content-type': 'text/html' } };
    expect(await run.state()).toBe('queued');
  });

  it('still tells a wrong token', async () => {
    const { fake, client } = bench({}, { credentials: { token: 'wrong' } });
    fake.fault = () => ({ kind: 'status', status: 401, body: '' });
    await rejects(client.version(), 'unauthorized');
  });
});
