import { DomainError } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, test } from 'vitest';
import { createScryptHasher } from '../features/accounts/scrypt-hasher.ts';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater, type Headwater } from '../headwater.ts';
import type { HeadwaterOptions } from '../headwater-options.ts';
import { createManualTime } from '@headwater/core/testing';
import { createHealth, createHealthWatch } from './create-health.ts';
import { DISK_LIMITS } from './parts.ts';
import type { HealthReport } from './report.ts';

const BASE = 'http://localhost:8000';
const OPERATOR = { username: 'operator', password: 'tall-river-42' };
const VERSION = 'PostgreSQL 15.4 on db.internal, PostGIS 3.3';

interface HealthClient {
  readonly headwater: Headwater;
  readonly health: (headers?: Record<string, string>) => Promise<{ status: number; body: HealthReport; ms: number }>;
  readonly bearer: Record<string, string>;
}

async function healthClient(
  stores: Partial<Stores> = {},
  options: Partial<HeadwaterOptions> = {},
): Promise<HealthClient> {
  const memory = createMemoryStores();
  const ping: Stores['ping'] = async () => ({ kind: 'postgresql', version: VERSION });
  const headwater = createHeadwater({
    baseUrl: BASE,
    secret: 'x'.repeat(31) + 'y',
    stores: { ...memory, ping, ...stores },
    identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }) },
    ...options,
  });
  await headwater.accounts.createSuperuser(OPERATOR);
  const handle = toFetchHandler(headwater.service);
  const { access } = await headwater.accounts.login(OPERATOR, undefined);
  return {
    headwater,
    bearer: { authorization: `Bearer ${access}` },
    health: async (headers = {}) => {
      const from = performance.now();
      const answer = await handle(new Request(`${BASE}/api/health`, { headers }));
      return { status: answer.status, body: (await answer.json()) as HealthReport, ms: performance.now() - from };
    },
  };
}

test('clients that are not signed in as superusers get only states: no version, host or reason', async () => {
  const { health, headwater } = await healthClient({}, { freeBytes: async () => 1e6, version: '1.2.3' });
  await headwater.accounts.createUser({ username: 'plain_user', password: 'tall-river-43' });
  const { access } = await headwater.accounts.login({ username: 'plain_user', password: 'tall-river-43' }, undefined);
  for (const headers of [{}, { authorization: 'Bearer a.b.c' }, { authorization: `Bearer ${access}` }]) {
    const { status, body } = await health(headers);
    expect([status, body]).toEqual([
      503,
      {
        status: 'failing',
        parts: {
          database: { state: 'ok' },
          worker: { state: 'off' },
          pixels: { state: 'off' },
          scenes: { state: 'off' },
          disk: { state: 'failing' },
          files: { state: 'off' },
        },
      },
    ]);
  }
});

test('a process that must be restarted is failing; anonymous clients get no reason', async () => {
  let reason: string | undefined;
  const { health, bearer } = await healthClient({}, { fault: () => reason });
  expect(await health(bearer)).toMatchObject({ status: 200, body: { status: 'ok' } });
  reason = 'Connection terminated';
  const { status, body } = await health(bearer);
  expect([status, body.status, body.parts.process]).toEqual([503, 'failing', { state: 'failing', detail: reason }]);
  expect((await health()).body.parts.process).toEqual({ state: 'failing' });
});

test.each([
  ['after a fault', 'Connection terminated', 'Connection terminated'],
  ['without a fault', undefined, 'the service is closing'],
])('a service that closes %s reports failing until it ends', async (_name, reason, detail) => {
  const { health, headwater, bearer } = await healthClient({}, { fault: () => reason });
  const closed = headwater.close(5);
  const found = [await health(bearer)];
  await closed;
  found.push(await health());
  expect(found.map(({ status, body }) => [status, body.status, body.parts.process])).toEqual([
    [503, 'failing', { state: 'failing', detail }],
    [503, 'failing', { state: 'failing' }],
  ]);
});

test('a superuser gets the details of each part', async () => {
  const { health, bearer } = await healthClient({}, { freeBytes: async () => 5e8, version: '1.2.3' });
  const { status, body } = await health(bearer);
  expect([status, body.status, body.version]).toEqual([200, 'degraded', '1.2.3']);
  expect(body.parts.database.detail).toBe(`postgresql, ${VERSION}`);
  expect(body.parts.disk).toEqual({ state: 'warning', detail: '0.5 GB free; free some space soon' });
});

test('the first page shows anonymous clients no details of the parts', async () => {
  const { headwater } = await healthClient();
  const page = await toFetchHandler(headwater.service)(new Request(`${BASE}/`));
  expect(await page.text()).not.toContain('PostGIS');
});

test('unreachable scene sources make the service degraded, not 503', async () => {
  let away = true;
  const scenesHealth = async (): Promise<string> => {
    if (away) throw new DomainError('unavailable', 'the STAC API does not answer');
    return 'a STAC API';
  };
  const { health } = await healthClient({}, { scenesHealth });
  expect(await health()).toMatchObject({
    status: 200,
    body: { status: 'degraded', parts: { scenes: { state: 'failing' } } },
  });
  away = false;
});

test('health is ok while the scenes are still being prepared', async () => {
  const { health } = await healthClient({}, { scenesHealth: async () => ({ state: 'starting' }) });
  expect((await health()).body).toMatchObject({ status: 'ok', parts: { scenes: { state: 'starting' } } });
});

test('health responds within a second while the database hangs, also to superusers', async () => {
  const never = new Promise<never>(() => {});
  const memory = createMemoryStores();
  let hangs = false;
  const users: Stores['users'] = {
    ...memory.users,
    ofSession: (id, family) => (hangs ? never : memory.users.ofSession(id, family)),
  };
  const ping: Stores['ping'] = async () => (hangs ? never : { kind: 'postgresql', version: VERSION });
  const { health, bearer } = await healthClient({ users, ping });
  hangs = true;
  const answers = await Promise.all([health(), health(bearer), health(bearer)]);
  for (const { ms, body } of answers) expect([ms < 1000, body.parts.database]).toEqual([true, { state: 'starting' }]);
});

test('a killed orchestrator is failing in the first report after five seconds, and ok two seconds after it is back', async () => {
  let isAway = false;
  let now = Date.parse('2026-01-01T00:00:00Z');
  const probe = async (): Promise<string> => {
    if (isAway) throw new Error('connect ECONNREFUSED');
    return 'version 2.10.3';
  };
  const backend = () => ({ name: 'orchestrator', start: () => {}, stop: async () => {}, probe }) as const;
  const { health } = await healthClient({}, { compute: { backend }, clock: { now: () => new Date(now) } });
  const states: unknown[] = [];
  const reportAfter = async (afterMs: number): Promise<void> => {
    now += afterMs;
    const { status, body } = await health();
    states.push([status, body.status, body.parts.orchestrator?.state]);
  };
  await reportAfter(0);
  isAway = true;
  await reportAfter(5000);
  isAway = false;
  await reportAfter(2000);
  expect(states).toEqual([
    [200, 'ok', 'ok'],
    [200, 'degraded', 'failing'],
    [200, 'ok', 'ok'],
  ]);
});

test('a part is logged with its reason once when it begins to fail, and once when it recovers', async () => {
  const lines: string[] = [];
  const note = ({ part, detail }: Readonly<Record<string, unknown>>, text: string): void => {
    if (typeof part === 'string') lines.push(`${text}: ${part}, ${String(detail)}`);
  };
  let now = Date.parse('2026-01-01T00:00:00Z');
  let free = 1e6;
  const { health } = await healthClient(
    {},
    {
      freeBytes: async () => free,
      logger: { debug: () => {}, info: note, error: note },
      clock: { now: () => new Date(now) },
    },
  );
  for (let i = 0; i < 3; i++) await health();
  free = 1e12;
  now += 1000;
  await health();
  expect(lines).toEqual([
    'health: a part is failing: disk, 0.0 GB free; free some space for results',
    'health: a part has recovered: disk, 1000.0 GB free',
  ]);
});

test('health warns during a drain', async () => {
  const memory = createMemoryStores();
  let nowMs = Date.now();
  const { health, bearer, headwater } = await healthClient(memory, {
    clock: { now: () => new Date(nowMs) },
    limits: { warnings: { queueMs: 3_600_000 } },
  });
  const until = new Date(nowMs + 60_000).toISOString();
  await memory.installation.write('draining_until', until);
  const queue = async () => (await health(bearer)).body.parts.queue;
  expect(await queue()).toEqual({
    state: 'warning',
    detail: `0 runs wait; no run is started until ${until}, or until \`headwater drain --end\``,
  });
  nowMs += 61_000;
  expect(await queue()).toEqual({ state: 'ok', detail: '0 runs wait' });
  await headwater.close();
});

test('without any backup, health warns when the account of the first superuser is older than the limit', async () => {
  const memory = createMemoryStores();
  let nowMs = Date.now();
  const { health, bearer, headwater } = await healthClient(memory, {
    clock: { now: () => new Date(nowMs) },
    limits: { warnings: { backupMs: 3_600_000 } },
  });
  const backup = async () => (await health(bearer)).body.parts.backup;
  expect(await backup()).toEqual({ state: 'off', detail: 'no backup has been made yet' });
  nowMs += 3_700_000;
  expect(await backup()).toEqual({
    state: 'warning',
    detail: expect.stringMatching(
      /^no backup has been made yet, and the service has existed since 2\d{3}-\S+Z; make one$/,
    ),
  });
  await headwater.close();
});

test('a run that waits too long or a backup that is too old causes a warning in health and in the log until it recovers', async () => {
  const memory = createMemoryStores();
  const lines: unknown[] = [];
  const note = (fields: object, text: string): void => {
    if ('part' in fields) lines.push([text, fields.part]);
  };
  let nowMs = Date.now();
  const { health, bearer, headwater } = await healthClient(memory, {
    clock: { now: () => new Date(nowMs) },
    limits: { warnings: { queueMs: 60_000, backupMs: 3_600_000 } },
    logger: { debug: () => {}, info: note, error: note },
  });
  const partsOf = async () => {
    const { status, body } = await health(bearer);
    return [status, body.status, body.parts.queue, body.parts.backup];
  };
  expect(await partsOf()).toEqual([
    200,
    'ok',
    { state: 'ok', detail: '0 runs wait' },
    { state: 'off', detail: 'no backup has been made yet' },
  ]);
  await memory.runs.enqueue({ id: 'r', pipeline: 'p', params: {}, fingerprint: 'f', ownerId: 1 });
  const at = new Date(nowMs).toISOString();
  await memory.installation.write('last_backup_at', at);
  nowMs += 3_600_000;
  expect(await partsOf()).toEqual([
    200,
    'degraded',
    {
      state: 'warning',
      detail: expect.stringMatching(/^1 run waits, the oldest since 2\d{3}-\S+Z; start more workers/),
    },
    { state: 'warning', detail: expect.stringContaining(`the last successful backup was at ${at}; make one`) },
  ]);
  expect((await health()).body.parts).toMatchObject({ queue: { state: 'warning' }, backup: { state: 'warning' } });
  await memory.installation.write('last_backup_at', new Date(nowMs).toISOString());
  await memory.runs.requestCancel('r');
  nowMs += 20_000;
  expect((await partsOf())[1]).toBe('ok');
  expect(lines).toEqual([
    ['warning: health: a part needs attention', 'queue'],
    ['warning: health: a part needs attention', 'backup'],
    ['health: a part has recovered', 'queue'],
    ['health: a part has recovered', 'backup'],
  ]);
  await headwater.close();
});

test('without a limit for waiting runs, health has no part for the queue', async () => {
  const { health, headwater } = await healthClient();
  expect(Object.keys((await health()).body.parts)).not.toContain('queue');
  await headwater.close();
});

test('a database and pixels that do not answer are starting; the database fails after 15 seconds, the pixels after a minute', async () => {
  const time = createManualTime();
  const health = createHealth({
    version: '1',
    stores: { ...createMemoryStores(), ping: () => new Promise(() => {}) },
    worker: undefined,
    pixels: () => new Promise(() => {}),
    freeDisk: DISK_LIMITS,
    closing: new AbortController().signal,
    clock: time,
    timers: time,
    logger: { debug: () => {}, info: () => {}, error: () => {} },
  });
  const statesAfter = async (ms: number) => {
    await time.advance(ms);
    const report = health();
    await time.advance(700);
    const { status, parts } = await report;
    return [status, parts.database.state, parts.pixels.state];
  };
  expect(await statesAfter(0)).toEqual(['ok', 'starting', 'starting']);
  expect(await statesAfter(13_000)).toEqual(['ok', 'starting', 'starting']);
  expect(await statesAfter(1000)).toEqual(['failing', 'failing', 'starting']);
  expect(await statesAfter(43_000)).toEqual(['failing', 'failing', 'starting']);
  expect(await statesAfter(2000)).toEqual(['failing', 'failing', 'failing']);
});

test('the watch checks health each minute; without limits for warnings, there is no watch', async () => {
  const time = createManualTime();
  let checks = 0;
  const health = async (): Promise<HealthReport> => {
    checks += 1;
    return { status: 'ok', parts: { ...NO_PARTS } };
  };
  const watch = createHealthWatch(health, { warnings: { queueMs: 1 }, timers: time });
  watch?.start();
  watch?.start();
  await time.advance(120_000);
  expect(checks).toBe(2);
  await watch?.close();
  expect(createHealthWatch(health, { timers: time })).toBeUndefined();
});
const OFF = { state: 'off' } as const;
const NO_PARTS = { database: OFF, worker: OFF, pixels: OFF, scenes: OFF, disk: OFF, files: OFF };
