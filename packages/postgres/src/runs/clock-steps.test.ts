import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { type Connection, type Database, openDatabase, parseConnection } from '../index.ts';
import { openEmbedded } from '../embedded/index.ts';
import { createPostgresStores } from '../stores.ts';

/**
 * A clock that a test can set. With this search path, statements call this `clock_timestamp()` instead of the function
 * of PostgreSQL.
 */
const CLOCK = `create schema test_clock;
  create table test_clock.steps (ms float8);
  create function test_clock.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + (select coalesce(sum(ms), 0) from test_clock.steps) * interval ''1 millisecond''';
  set search_path = test_clock, pg_catalog, public`;
const HOUR_MS = 3_600_000;
const LEASE_MS = 1500;
const CLAIM = { leaseMs: LEASE_MS, pipelines: ['p'], maxAttempts: 5 };
const address = process.env['HEADWATER_TEST_PG'] ?? '';
const NAME = 'headwater_clock_steps';

let connection: Connection;
let database: Database;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  if (address === '') {
    const dataDir = await mkdtemp(join(tmpdir(), 'headwater-clock-steps-'));
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    await copyDatabase(dataDir);
    const embedded = await openEmbedded({ dataDir });
    closing.push(embedded.close);
    ({ connection } = embedded);
  } else {
    const server = openDatabase(parseConnection(address));
    closing.push(() => server.close());
    await server.script(`drop database if exists ${NAME} with (force)`);
    await server.script(`create database ${NAME}`);
    closing.push(() => server.script(`drop database ${NAME} with (force)`));
    connection = { ...parseConnection(address), database: NAME };
    await (await createPostgresStores({ connection })).close();
  }
  database = openDatabase(connection, { poolSize: 1 });
  closing.push(() => database.close());
  await database.script(CLOCK);
  // The embedded database has only one session, whose search path is already set.
  if (address !== '') await database.script(`alter database ${NAME} set search_path = test_clock, pg_catalog, public`);
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

const step = (ms: number): Promise<unknown> => database.run('insert into test_clock.steps values ($1)', [ms]);

async function openRuns(runLeaseMs = LEASE_MS) {
  const { runs, close } = await createPostgresStores({ connection, runLeaseMs });
  onTestFinished(close);
  return runs;
}

it('the run of a dead worker waits for at most one lease after the clock of the database was set back', async () => {
  const [dying, other] = [await openRuns(), await openRuns()];
  await dying.enqueue({ id: 'r1', pipeline: 'p', params: {}, fingerprint: 'r1', ownerId: null });
  expect(await other.claim({ ...CLAIM, pipelines: ['none'], workerId: 'b' })).toBeUndefined();
  expect(await dying.claim({ ...CLAIM, workerId: 'a' })).toMatchObject({ id: 'r1' });
  await step(-HOUR_MS);
  // The run cannot be claimed yet, because its worker may be alive.
  expect(await other.claim({ ...CLAIM, workerId: 'b' })).toBeUndefined();
  await expect
    .poll(() => other.claim({ ...CLAIM, workerId: 'b' }), { interval: 200 })
    .toMatchObject({ id: 'r1', attempt: 2 });
});

it('a living worker keeps its run, even if its lease is longer than the lease of the process that detects the step', async () => {
  const [living, other] = [await openRuns(), await openRuns()];
  await living.enqueue({ id: 'r2', pipeline: 'q', params: {}, fingerprint: 'r2', ownerId: null });
  const claim = { ...CLAIM, pipelines: ['q'] };
  const run = await living.claim({ ...claim, workerId: 'a', leaseMs: 600_000 });
  const leaseOf = async () => Date.parse((await living.get('r2'))?.leaseUntil ?? '');
  const end = await leaseOf();
  expect(await other.claim({ ...claim, workerId: 'b' })).toBeUndefined();
  expect(await leaseOf()).toBe(end);
  await step(-HOUR_MS);
  // These claims have a long lease, so that the run's lease does not end before the heartbeat below, even on a busy
  // machine.
  const seesStep = async (): Promise<boolean> => {
    expect(await other.claim({ ...claim, workerId: 'b', leaseMs: 120_000 })).toBeUndefined();
    return (await leaseOf()) < end - HOUR_MS;
  };
  await expect.poll(seesStep, { interval: 200 }).toBe(true);
  expect(await living.heartbeat('r2', run?.token ?? 0, { leaseMs: 600_000 })).toBe('ok');
  const extended = await leaseOf();
  expect(extended).toBeGreaterThan(end - HOUR_MS);
  expect(await seesStep().catch(() => 'claimed')).toBe(false);
});

it('after a step, a claim with a short lease shortens leases to `runLeaseMs`, not to its own lease, and keeps a pause of two minutes', async () => {
  const [living, other] = [await openRuns(60_000), await openRuns(60_000)];
  for (const id of ['r4', 'r5']) await living.enqueue({ id, pipeline: id, params: {}, fingerprint: id, ownerId: null });
  await living.claim({ ...CLAIM, pipelines: ['r4'], workerId: 'a', leaseMs: 60_000 });
  const parked = await living.claim({ ...CLAIM, pipelines: ['r5'], workerId: 'a', leaseMs: 60_000 });
  await living.park('r5', parked?.token ?? 0, 120_000);
  const secondsOf = async () => {
    const rows = await database.rows<{ s: number }>(
      `select extract(epoch from lease_until - clock_timestamp())::float8 as s from headwater.runs where id in ('r4', 'r5') order by id`,
    );
    return rows.map(({ s }) => s);
  };
  await other.claim({ ...CLAIM, pipelines: ['none'], workerId: 'b', leaseMs: 1500 });
  await step(-HOUR_MS);
  const leaseAfter = async (): Promise<number> => {
    await other.claim({ ...CLAIM, pipelines: ['none'], workerId: 'b', leaseMs: 1500 });
    return (await secondsOf())[0] ?? 0;
  };
  await expect.poll(leaseAfter, { interval: 200 }).toBeLessThan(3000);
  const [lease = 0, pause = 0] = await secondsOf();
  expect(lease).toBeGreaterThan(40);
  expect(pause).toBeGreaterThan(100);
});

it('a process that starts after the step shortens leases that are longer than any setting allows', async () => {
  const dead = await openRuns();
  await dead.enqueue({ id: 'r3', pipeline: 's', params: {}, fingerprint: 's', ownerId: null });
  await dead.claim({ ...CLAIM, pipelines: ['s'], workerId: 'a' });
  await step(-24 * HOUR_MS);
  const started = await openRuns();
  await started.claim({ ...CLAIM, pipelines: ['s'], workerId: 'b' });
  const [row] = await database.rows<{ ms: number }>(
    `select extract(epoch from lease_until - clock_timestamp())::float8 * 1000 as ms from headwater.runs where id = 'r3'`,
  );
  expect(row?.ms).toBeLessThanOrEqual(HOUR_MS);
});
