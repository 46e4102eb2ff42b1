import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { openPglite } from './postgis.ts';
import type { SharedPglite } from './shared-pglite.ts';

async function query(database: SharedPglite, sql: string): Promise<string> {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(text.length + 4, 1);
  let answer = '';
  await database.execProtocolRawStream(Buffer.concat([head, text]), {
    onRawData: (data) => (answer += Buffer.from(data).toString('latin1')),
  });
  return answer;
}

async function withDatabase(work: (database: SharedPglite, segments: () => Promise<number>) => Promise<void>) {
  const root = await mkdtemp(join(tmpdir(), 'headwater-wal-'));
  await copyDatabase(root, 'new');
  const folder = join(root, 'pgdata');
  const database = await openPglite(folder);
  try {
    await work(database, async () => (await readdir(join(folder, 'pg_wal'))).length);
  } finally {
    await database.close();
    await rm(root, { recursive: true, force: true });
  }
}

it('the shared database keeps its write-ahead log short, and never runs a checkpoint within a transaction', async () => {
  await withDatabase(async (database, segments) => {
    const write = 'insert into t select repeat(md5(random()::text), 30) from generate_series(1, 10000)';
    await query(database, 'create table t (x text)');
    const before = await segments();
    await query(database, write);
    const one = await segments();
    expect(one).toBeGreaterThan(before + 4);
    database.checkpointMs = 0;
    await query(database, 'begin');
    await query(database, write);
    expect(await segments()).toBeGreaterThan(one + 4);
    expect(await query(database, 'commit')).toContain('COMMIT');
    for (let i = 0; i < 3; i += 1) expect(await query(database, write)).not.toContain('CHECKPOINT');
    expect(await segments()).toBeLessThanOrEqual(one);
    expect(await query(database, 'select count(*) from t')).toContain('50000');
  });
}, 240_000);

it('the shared database keeps its write-ahead log short while large values are stored', async () => {
  await withDatabase(async (database, segments) => {
    await query(database, 'create table t (x text)');
    database.checkpointBytes = 3_000_000;
    // The values are random, so the log needs 12 segments of 1 MB without a checkpoint.
    for (let i = 0; i < 12; i += 1) {
      await query(database, `insert into t values ('${randomBytes(500_000).toString('hex')}')`);
      expect(await segments()).toBeLessThan(10);
    }
  });
}, 240_000);
