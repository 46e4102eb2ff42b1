import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobStore } from '@headwater/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { type Database, openDatabase } from '../database.ts';
import { createPostgresStores } from '../stores.ts';
import { openEmbedded } from './open.ts';

const LIMITS = { mostOpen: 1000, mostEnded: 1000, keepMs: 3_600_000 };
const MB = 1_000_000;
/** Results of 6.4 kB, so that each page of 8 kB contains one. */
const ODD_RESULTS = `insert into headwater.jobs (id, op, params, outcome, finished_at)
  select 'odd ' || n, 'odd', '{}', (select string_agg(md5(n || ' ' || m), '') from generate_series(1, 200) as m), now()
  from generate_series(1, 1500) as n`;
const KEPT = 10;
const KEPT_BYTES = 100_000;
const REMOVED = 20;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-compact-'));
});
afterAll(async () => await rm(root, { recursive: true, force: true }));

function sizeOf(dataDir: string): number {
  const names = readdirSync(join(dataDir, 'pgdata'), { recursive: true }).map(String);
  return names.reduce((sum, name) => sum + statSync(join(dataDir, 'pgdata', name)).size, 0);
}

async function opened(
  dataDir: string,
  work: (jobs: JobStore, run: Database['run']) => Promise<unknown> = async () => {},
): Promise<number[]> {
  const compacted: number[] = [];
  const embedded = await openEmbedded({ dataDir, onCompacting: (freeBytes) => compacted.push(freeBytes) });
  const stores = await createPostgresStores({ connection: embedded.connection });
  const database = openDatabase(embedded.connection);
  await work(stores.jobs, database.run);
  await database.close();
  await stores.close();
  await embedded.close();
  return compacted;
}

interface Result {
  readonly bytes: number;
  readonly mostBytes?: number;
}

/** Stores a job with a result. The result is random, so that the database cannot compress it. */
async function finish(jobs: JobStore, id: string, { bytes, mostBytes }: Result): Promise<void> {
  await jobs.add({ id, op: 'export', params: {} }, LIMITS);
  const result = { note: randomBytes(bytes / 2).toString('hex') };
  await jobs.finish(id, { ok: true, result }, mostBytes);
}

describe('an embedded database from which results were removed', { timeout: 240_000 }, () => {
  it('has its former size and all other rows after the next start', async () => {
    const dataDir = join(root, 'removed');
    await copyDatabase(dataDir);
    await opened(dataDir, async (jobs, run) => {
      await run(ODD_RESULTS);
      for (let n = 0; n < KEPT; n++) await finish(jobs, `kept ${n}`, { bytes: KEPT_BYTES });
    });
    const former = sizeOf(dataDir);
    // A quarter of each page is free, but no table is rewritten, because a rewritten table would have the same size.
    expect(await opened(dataDir)).toEqual([]);
    await opened(dataDir, async (jobs, run) => {
      for (let n = 0; n < REMOVED; n++) await finish(jobs, `removed ${n}`, { bytes: 2 * MB });
      // The jobs are removed with SQL, because the store would run a `vacuum`. New jobs would then use the free space.
      await run(`delete from headwater.jobs where id not like 'odd %'`);
      for (let n = 0; n < KEPT; n++) await finish(jobs, `kept ${n}`, { bytes: KEPT_BYTES });
    });
    expect(sizeOf(dataDir)).toBeGreaterThan(former + REMOVED * 2 * MB);
    const read = async (jobs: JobStore): Promise<void> => {
      for (let n = 0; n < KEPT; n++) {
        const { outcome } = (await jobs.get(`kept ${n}`)) ?? {};
        expect(JSON.stringify(outcome).length).toBeGreaterThan(KEPT_BYTES);
      }
      expect(await jobs.get('removed 1')).toBeUndefined();
    };
    expect((await opened(dataDir, read))[0]).toBeGreaterThan(REMOVED * 2 * MB);
    expect(sizeOf(dataDir)).toBeLessThan(1.2 * former);
    // Little space is free, so no table is rewritten; no extension is left behind.
    await opened(dataDir, (_jobs, run) => run(`delete from headwater.jobs where id = 'kept 0'`));
    const unchanged = await opened(dataDir, async (_jobs, run) => {
      expect(await run(`select from pg_extension where extname = 'pg_freespacemap'`)).toBe(0);
    });
    expect(unchanged).toEqual([]);
  });

  it('opens even if the extension for free space is already installed', async () => {
    const dataDir = join(root, 'extended');
    await copyDatabase(dataDir);
    await opened(dataDir, async (jobs, run) => {
      await run('create extension pg_freespacemap');
      for (let n = 0; n < 2; n++) await finish(jobs, `large ${n}`, { bytes: 2 * MB });
    });
    await opened(dataDir, async (jobs) => expect(await jobs.get('large 1')).toBeDefined());
  });

  it('stays small while results are stored and removed', async () => {
    const dataDir = join(root, 'limited');
    await copyDatabase(dataDir);
    const former = sizeOf(dataDir);
    await opened(dataDir, async (jobs) => {
      for (let n = 0; n < 60; n++) await finish(jobs, `limited ${n}`, { bytes: 2 * MB, mostBytes: 8 * MB });
    });
    // The limit of 40 MB allows for 8 MB of kept results and up to 17 MB of removed results. The rest is a
    // margin.
    expect(sizeOf(dataDir)).toBeLessThan(former + 40 * MB);
  });
});
