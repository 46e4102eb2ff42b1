import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bench, DAG } from './bench.test-helper.ts';
import { rejects } from './conformance/bench.test-helper.ts';
import { createOrchestratorClient, type OrchestratorOptions } from './index.ts';
import { FakeOrchestrator } from './testing/index.ts';

describe('a client', () => {
  it.each(['', '/', '/api/v1', '/api/v1/'])('works with an address that ends with "%s"', async (end) => {
    const { fake, client } = bench({}, { baseUrl: `http://orchestrator.test${end}` });
    expect((await client.dag(DAG.id)).dagId).toBe(DAG.id);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/api/v1/version', `/api/v1/dags/${DAG.id}`]);
  });

  it('detects Airflow 3 by its version, and gets a token with user name and password', async () => {
    const { fake, client } = bench({ version: '3.0.2' });
    expect(await client.version()).toBe('3.0.2');
    await client.dag(DAG.id);
    await client.dag(DAG.id);
    expect(fake.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/version',
      'GET /api/v2/version',
      'POST /auth/token',
      'GET /api/v2/dags/land_cover',
      'GET /api/v2/dags/land_cover',
    ]);
    fake.gate.revoke();
    expect((await client.dag(DAG.id)).isPaused).toBe(false);
  });

  it.each(['2.6.0', '2.5.3', '1.0.0'])(
    'watches runs on version %s, also if its lists of runs reject `updated_at_gte` (before 2.6)',
    async (version) => {
      const { fake, client, clock } = bench({ version });
      const run = await client.trigger(DAG.id, { job_id: '1' });
      for (const started of fake.runsOf(DAG.id)) fake.world.setState(started, 'running');
      const watcher = client.watcher();
      const events: unknown[] = [];
      watcher.on('problem', (error) => events.push(error)).on('finished', ({ state }) => events.push(state));
      watcher.add(run);
      for (let pass = 0; pass < 100; pass++) {
        await watcher.poll();
        await clock.sleep(4000);
      }
      for (const started of fake.runsOf(DAG.id)) fake.world.setState(started, 'success');
      await watcher.poll();
      expect(events).toEqual(['success']);
      const url = `${fake.baseUrl}/api/v1/dags/${DAG.id}/dagRuns?updated_at_gte=2026-01-01T00:00:00Z`;
      expect((await fake.fetch(url)).status).toBe(version === '2.6.0' ? 401 : 400);
    },
  );

  it('continues after an upgrade of the server to another interface version', async () => {
    let server = new FakeOrchestrator({ dags: [DAG], version: '2.10.3' });
    const client = createOrchestratorClient({
      baseUrl: server.baseUrl,
      credentials: { username: 'admin', password: 'admin' },
      poll: { minMs: 0, maxMs: 0 },
      fetch: (input, init) => server.fetch(input, init),
    });
    await client.dag(DAG.id);
    server = new FakeOrchestrator({ dags: [DAG], version: '3.0.6' });
    const { runId } = server.world.addRun(DAG.id, { state: 'success' });
    expect((await client.run(DAG.id, runId).wait()).state).toBe('success');
    expect((await client.dag(DAG.id)).dagId).toBe(DAG.id);
    expect(await client.version()).toBe('3.0.6');
  });

  it.each([
    ['airflow:8080', /baseUrl: is not an http/],
    ['ftp://airflow/', /baseUrl: is not an http/],
    ['http://user:secret@airflow/', /baseUrl: contains a user name or password/],
    ['http://airflow/?a=1', /baseUrl: contains a query/],
  ])('rejects the address %s', (baseUrl, message) => {
    expect(() => createOrchestratorClient({ baseUrl })).toThrow(message);
    expect(() => createOrchestratorClient({ baseUrl })).not.toThrow(/secret/);
  });
});

describe('the check of options', () => {
  it.each<[keyof OrchestratorOptions, unknown]>([
    ['requestTimeoutMs', Infinity],
    ['requestTimeoutMs', 2 ** 40],
    ['requestTimeoutMs', 0.5],
    ['requestTimeoutMs', '5'],
    ['patienceMs', Number.NaN],
    ['patienceMs', -1],
    ['stalledAfterMs', Number.NaN],
    ['attempts', 1.5],
    ['unpause', 'x'],
    ['jobKey', ''],
  ])('rejects %s of %o and names the option', (field, value) => {
    const options = { baseUrl: 'http://orchestrator.test', [field]: value };
    expect(() => createOrchestratorClient(options)).toThrow(new RegExp(`^${field}: .*give`));
  });

  it('rejects invalid watcher options and names them', () => {
    const { client } = bench();
    for (const field of ['overlapMs', 'listBudget', 'sweepEveryMs'])
      expect(() => client.watcher({ [field]: Number.NaN })).toThrow(new RegExp(`^${field}: NaN`));
  });

  it('allows Infinity for patienceMs and stalledAfterMs, and 2^31 - 1 ms for requestTimeoutMs', () => {
    const options = { baseUrl: 'http://orchestrator.test', patienceMs: Infinity, stalledAfterMs: Infinity };
    expect(() => createOrchestratorClient({ ...options, requestTimeoutMs: 2 ** 31 - 1 })).not.toThrow();
  });
});

describe('ids', () => {
  const { client } = bench();

  it.each(['~', '.', '..', '', 'a/b', 'a\\b', 'x'.repeat(251), 'a\ud800b'])(
    'are rejected if they cannot be part of a path: %j',
    (id) => {
      expect(() => client.run(DAG.id, id)).toThrow(/runId:/);
      expect(() => client.run(id, 'run')).toThrow(/dagId:/);
    },
  );

  it('are encoded exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[A-Za-z0-9_.~:+ %-]{1,60}$/), async (runId) => {
        fc.pre(!['~', '.', '..'].includes(runId));
        const { fake, client } = bench();
        fake.world.addRun(DAG.id, { runId });
        expect(await client.run(DAG.id, runId).read()).toMatchObject({ runId });
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['a b', /characters other than/],
    ['scheduled__2026', /orchestrator's own runs/],
  ])('are rejected as a run id of the caller: %j', async (runId, message) => {
    const { client, fake } = bench();
    await expect(client.trigger(DAG.id, {}, { runId })).rejects.toThrow(message);
    expect(fake.requests).toEqual([]);
  });
});

describe('a client with credentials', () => {
  it('prefers a token over a user name', async () => {
    const { fake, client } = bench(
      { tokens: ['t1'] },
      { credentials: { username: 'admin', password: 'wrong', token: 't1' } },
    );
    await client.dag(DAG.id);
    expect(fake.requests.at(-1)?.headers['authorization']).toBe('Bearer t1');
  });

  it('renews a refused token once for all requests that are refused at the same time', async () => {
    const refreshes: boolean[] = [];
    const token = ({ refresh }: { refresh: boolean }): Promise<string> =>
      Promise.resolve(`t${refreshes.push(refresh)}`);
    const { fake, client } = bench({ tokens: ['t1', 't2'] }, { credentials: { token } });
    await client.dag(DAG.id);
    fake.gate.revoke();
    fake.gate.allow('t2');
    await Promise.all([client.dag(DAG.id), client.dag(DAG.id), client.dag(DAG.id)]);
    expect(refreshes).toEqual([false, true]);
    fake.gate.revoke();
    await rejects(client.dag(DAG.id), 'unauthorized');
    expect(refreshes).toEqual([false, true, true]);
  });

  it('sends credentials with letters of any alphabet as UTF-8 and never puts them into notes', async () => {
    const users = { गीता: { password: 'पासवर्ड', role: 'Admin' } } as const;
    const { client, notes } = bench({ users }, { credentials: { username: 'गीता', password: 'पासवर्ड' } });
    expect((await client.dag(DAG.id)).dagId).toBe(DAG.id);
    expect(JSON.stringify(notes)).not.toContain('Basic');
  });

  it('names wrong credentials and disabled basic authentication as possible causes of a 401', async () => {
    const { client } = bench({ isBasicEnabled: false });
    expect((await rejects(client.dag(DAG.id), 'unauthorized')).message).toMatch(
      /user name, password or token is wrong[^]*backend is not enabled/,
    );
    expect(await client.version()).toBe('2.10.3');
  });
});
