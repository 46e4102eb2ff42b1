import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '../../../scripts/database-template.mjs';
import { openDatabase } from './database.ts';
import type { SlowStatement } from './pool.ts';
import { openEmbedded } from './embedded/index.ts';

it('a pool reports statements that take at least the given time, without their values', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-slow-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  await copyDatabase(dataDir);
  const { connection, close } = await openEmbedded({ dataDir });
  onTestFinished(() => close());
  const statementsFrom = async (slowMs: number): Promise<readonly string[]> => {
    const slow: SlowStatement[] = [];
    const database = openDatabase(connection, { onSlow: (statement) => slow.push(statement), slowMs });
    await database.rows('select $1::text as a,\n  2 as b', ['x-secret-x']);
    await database.tx((sql) => sql.run('select pg_sleep($1)', [0.12]));
    await database.rows({ name: 'named', text: 'select $1::text as c' }, ['x-secret-x']);
    await database.close();
    expect(slow.every(({ ms }) => ms >= slowMs)).toBe(true);
    return slow.map(({ text }) => text);
  };
  // The list may contain other statements, which can also be slow on a busy machine.
  expect(await statementsFrom(100)).toContain('select pg_sleep($1)');
  expect(await statementsFrom(600_000)).toEqual([]);
  const all = await statementsFrom(0);
  expect(all).toEqual(expect.arrayContaining(['select $1::text as a, 2 as b', 'select $1::text as c']));
  expect(all.join()).not.toContain('x-secret-x');
});
