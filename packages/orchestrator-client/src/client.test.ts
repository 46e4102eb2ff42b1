import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rejects } from './conformance/bench.test-helper.ts';
import {
  createOrchestratorClient,
  type OrchestratorClient,
  type OrchestratorOptions,
  type RequestNote,
} from './index.ts';
import { FakeOrchestrator, type FakeOptions, type Fault, VirtualClock } from './testing/index.ts';

interface Bench {
  readonly clock: VirtualClock;
  readonly fake: FakeOrchestrator;
  readonly client: OrchestratorClient;
  readonly notes: RequestNote[];
}

const DAG = { id: 'land_cover', tasks: [], isManual: true };

function bench(fakeOptions: FakeOptions = {}, options: Partial<OrchestratorOptions> = {}): Bench {
  const clock = new VirtualClock();
  const fake = new FakeOrchestrator({ dags: [DAG], clock, ...fakeOptions });
  const notes: RequestNote[] = [];
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    credentials: { username: 'admin', password: 'admin' },
    clock,
    fetch: clock.holding(fake.fetch),
    requestTimeoutMs: 20,
    onRequest: (note) => notes.push(note),
    ...options,
  });
  return { clock, fake, client, notes };
}

/** The first `times` requests of a method go wrong in this way. */
function fail(fake: FakeOrchestrator, method: string, faults: readonly Fault[], path = /dagRuns/): void {
  const left = [...faults];
  fake.fault = (request) => (request.method === method && path.test(request.path) ? left.shift() : undefined);
}

const BAD_GATEWAY: Fault = {
  kind: 'status',
  status: 502,
  body: '<html><title>502 Bad Gateway</title></html>',
  headers: { 'content-type': 'text/html' },
};

describe('the address', () => {
  it.each(['', '/', '/api/v1', '/api/v1/'])('works with "%s" behind it', async (end) => {
    const { fake, client } = bench({}, { baseUrl: `http://orchestrator.test${end}` });
    expect((await client.dag(DAG.id)).dagId).toBe(DAG.id);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/api/v1/version', `/api/v1/dags/${DAG.id}`]);
  });

  it('of an Airflow 3 is found by its version, and its token by user name and password', async () => {
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

  it.each([
    ['airflow:8080', /baseUrl: is no http/],
    ['ftp://airflow/', /baseUrl: is no http/],
    ['http://user:secret@airflow/', /baseUrl: holds a user name or password/],
    ['http://airflow/?a=1', /baseUrl: holds a query/],
  ])('%s is refused', (baseUrl, message) => {
    expect(() => createOrchestratorClient({ baseUrl })).toThrow(message);
    expect(() => createOrchestratorClient({ baseUrl })).not.toThrow(/secret/);
  });
});

describe('ids', () => {
  const { client } = bench();

  it.each(['~', '.', '..', '', 'a/b', 'a\\b', 'x'.repeat(251)])('%j addresses nothing', (id) => {
    expect(() => client.run(DAG.id, id)).toThrow(/runId:/);
    expect(() => client.run(id, 'run')).toThrow(/dagId:/);
  });

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
    ['a b', /characters beyond/],
    ['scheduled__2026', /orchestrator makes itself/],
  ])('%j cannot be a run id of our own', async (runId, message) => {
    const { client, fake } = bench();
    await expect(client.trigger(DAG.id, {}, { runId })).rejects.toThrow(message);
    expect(fake.requests).toEqual([]);
  });
});

describe('credentials', () => {
  it('a token wins over a user name', async () => {
    const { fake, client } = bench(
      { tokens: ['t1'] },
      { credentials: { username: 'admin', password: 'wrong', token: 't1' } },
    );
    await client.dag(DAG.id);
    expect(fake.requests.at(-1)?.headers['authorization']).toBe('Bearer t1');
  });

  it('a refused token is renewed once, for all that were refused together', async () => {
    const asked: boolean[] = [];
    const token = ({ refresh }: { refresh: boolean }): Promise<string> => Promise.resolve(`t${asked.push(refresh)}`);
    const { fake, client } = bench({ tokens: ['t1', 't2'] }, { credentials: { token } });
    await client.dag(DAG.id);
    fake.gate.revoke();
    fake.gate.allow('t2');
    await Promise.all([client.dag(DAG.id), client.dag(DAG.id), client.dag(DAG.id)]);
    expect(asked).toEqual([false, true]);
    fake.gate.revoke();
    await rejects(client.dag(DAG.id), 'unauthorized');
    expect(asked).toEqual([false, true, true]);
  });

  it('of any script are sent as UTF-8, and none are in errors or notes', async () => {
    const users = { गीता: { password: 'पासवर्ड', role: 'Admin' } } as const;
    const { client, notes } = bench({ users }, { credentials: { username: 'गीता', password: 'पासवर्ड' } });
    expect((await client.dag(DAG.id)).dagId).toBe(DAG.id);
    expect(JSON.stringify(notes)).not.toContain('Basic');
  });

  it('where basic authentication is off, says both that could be', async () => {
    const { client } = bench({ isBasicEnabled: false });
    expect((await rejects(client.dag(DAG.id), 'unauthorized')).message).toMatch(
      /user name, password or token are wrong[^]*backend is not enabled/,
    );
    expect(await client.version()).toBe('2.10.3');
  });
});

describe('failures on the way', () => {
  it('of a GET are tried again with growing pauses, and Retry-After is heeded', async () => {
    const { fake, client, clock } = bench({}, { random: () => 0 });
    await client.version();
    const began = clock.now();
    fail(
      fake,
      'GET',
      [BAD_GATEWAY, { kind: 'status', status: 429, headers: { 'retry-after': '30' } }, { kind: 'reset' }],
      /dags/,
    );
    await client.dag(DAG.id);
    expect(clock.now() - began).toBe(250 + 30_000 + 1000);
  });

  it("a Retry-After date is compared with the answer's own date", async () => {
    const { fake, client, clock } = bench({ skewMs: 3_600_000 }, { random: () => 0 });
    await client.version();
    const began = clock.now();
    const until = new Date(fake.world.now() + 7000).toUTCString();
    fail(fake, 'GET', [{ kind: 'status', status: 503, headers: { 'retry-after': until } }], /dags/);
    await client.dag(DAG.id);
    expect(clock.now() - began).toBe(7000);
  });

  it.each([
    ['server_error', BAD_GATEWAY, /502[^]*The orchestrator failed[^]*502 Bad Gateway/i],
    ['unreachable', { kind: 'reset' }, /cannot be reached \(read ECONNRESET\)/],
    ['timeout', { kind: 'hang' }, /not answered within/],
    [
      'not_json',
      {
        kind: 'status',
        status: 200,
        body: '<html><title>Sign in</title></html>',
        headers: { 'content-type': 'text/html' },
      },
      /page of HTML[^]*base address[^]*Sign in/,
    ],
    [
      'not_json',
      { kind: 'status', status: 200, body: '{"dag":', headers: { 'content-type': 'application/json' } },
      /no JSON/,
    ],
    [
      'not_json',
      { kind: 'status', status: 200, body: '{"dag":1}', headers: { 'content-type': 'application/json' } },
      /another shape/,
    ],
    [
      'rejected',
      { kind: 'status', status: 422, body: '{"detail":[{"loc":["body","logical_date"],"msg":"Field required"}]}' },
      /body\.logical_date: Field required/,
    ],
  ] as const)('end as %s that says what to do', async (code, fault, message) => {
    const { fake, client } = bench();
    await client.version();
    fake.fault = () => fault;
    expect((await rejects(client.dag(DAG.id), code)).message).toMatch(message);
  });

  it('during the first contact are not remembered', async () => {
    const { fake, client } = bench();
    fake.fault = () => ({ kind: 'reset' });
    await rejects(client.version(), 'unreachable');
    fake.fault = () => undefined;
    expect(await client.version()).toBe('2.10.3');
  });

  it('a wait bears for ten minutes, and no longer', async () => {
    const { fake, client, clock } = bench();
    const run = await client.trigger(DAG.id, { job_id: '1' });
    const [given] = fake.runsOf(DAG.id);
    const silence = clock.now() + 9 * 60_000;
    fake.fault = () => (clock.now() < silence ? { kind: 'reset' } : undefined);
    if (given !== undefined) fake.world.setState(given, 'success');
    expect((await run.wait()).state).toBe('success');
    const second = await client.trigger(DAG.id, { job_id: '2' });
    fake.fault = () => BAD_GATEWAY;
    await rejects(second.wait(), 'server_error');
  });
});

describe('a trigger whose answer is lost', () => {
  it.each([{ kind: 'lost' }, { kind: 'reset' }, { kind: 'hang' }, BAD_GATEWAY] as const)(
    'by $kind starts one run',
    async (fault) => {
      const { fake, client } = bench();
      for (let other = 0; other < 150; other++) fake.world.addRun(DAG.id, { conf: { job_id: `other ${other}` } });
      fail(fake, 'POST', [fault, fault]);
      const run = await client.trigger(DAG.id, { job_id: 'mine' });
      const mine = fake.runsOf(DAG.id).filter(({ conf }) => conf['job_id'] === 'mine');
      expect(mine.map(({ runId }) => runId)).toEqual([run.runId]);
    },
  );

  it('is not sent again where the runs cannot be searched, or there is nothing to find it by', async () => {
    const { fake, client } = bench();
    fake.fault = ({ method, path }) =>
      /dagRuns/.test(path) ? (method === 'POST' ? { kind: 'lost' } : BAD_GATEWAY) : undefined;
    expect((await rejects(client.trigger(DAG.id, { job_id: 'a' }), 'trigger_unknown')).details).toEqual({
      dagId: DAG.id,
      jobId: 'a',
    });
    expect((await rejects(client.trigger(DAG.id, {}), 'trigger_unknown')).message).toMatch(/conf has no job_id/);
    expect(fake.received('POST', /dagRuns/)).toHaveLength(2);
  });

  it('starts each of 1,000 runs once on a bad day', async () => {
    const { fake, client } = bench({}, { attempts: 12 });
    let dice = 0;
    fake.fault = ({ method, path }) => {
      if (!path.includes('dagRuns')) return undefined;
      dice = (dice * 16_807 + 11) % 2_147_483_647;
      const turn = dice % 100;
      if (turn < 30) return BAD_GATEWAY;
      if (method === 'POST' && turn < 38) return { kind: 'lost' };
      return turn < 41 ? { kind: 'reset' } : undefined;
    };
    const jobs = Array.from({ length: 1000 }, (_none, index) => `job ${index}`);
    for (let from = 0; from < jobs.length; from += 50)
      await Promise.all(jobs.slice(from, from + 50).map((job_id) => client.trigger(DAG.id, { job_id })));
    const started = fake.runsOf(DAG.id).map(({ conf }) => String(conf['job_id']));
    expect(started).toHaveLength(jobs.length);
    expect(new Set(started)).toEqual(new Set(jobs));
  });
});

describe('a run', () => {
  it('is watched from state to state, its stall told once', async () => {
    const { fake, client, clock } = bench({}, { stalledAfterMs: 60_000 });
    const run = await client.trigger(DAG.id, {});
    const [given] = fake.runsOf(DAG.id);
    if (given === undefined) throw new Error('no run');
    fake.world.isSchedulerUp = false;
    const events: string[] = [];
    for await (const event of run.watch()) {
      events.push(event.type === 'state' ? event.state : event.diagnosis.advice.join());
      if (event.type === 'stalled') void clock.sleep(600_000).then(() => fake.world.setState(given, 'running'));
      if (event.type === 'state' && event.state === 'running') fake.world.setState(given, 'failed');
    }
    expect(events).toEqual(['queued', expect.stringMatching(/scheduler was last heard of/), 'running', 'failed']);
  });

  it('without a failed task is explained', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    for (const given of fake.runsOf(DAG.id)) fake.world.setState(given, 'failed');
    expect((await rejects(run.wait(), 'run_failed')).message).toMatch(
      /no task of the run failed: it was ended from outside/,
    );
  });

  it('stays failed where its tasks cannot be read', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    for (const given of fake.runsOf(DAG.id)) fake.world.setState(given, 'failed');
    fake.fault = ({ path }) => (path.includes('taskInstances') ? BAD_GATEWAY : undefined);
    expect((await rejects(run.wait(), 'run_failed')).details.reason).toMatch(/tasks could not be read/);
  });

  it('that the orchestrator cannot load is not said to be cancelled', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    fake.world.addDag({ ...DAG, importError: 'SyntaxError' });
    await rejects(run.cancel(), 'not_cancelled');
  });

  it('is cancelled though the answer is lost', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    fail(fake, 'PATCH', [{ kind: 'lost' }]);
    expect(await run.cancel()).toMatchObject({ cancelled: true, run: { state: 'failed' } });
  });

  it("of an old Airflow has its result read from Python's repr", async () => {
    const value = { status: 'success', note: "it's", items: [1, null, true] };
    const { client } = bench({ version: '2.9.1', dags: [{ id: 'd', tasks: [{ id: 't', run: () => value }] }] });
    const run = await client.trigger('d', {});
    await run.wait();
    expect(await run.result({ taskId: 't' })).toEqual(value);
  });
});
