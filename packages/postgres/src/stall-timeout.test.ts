import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConnection } from './connection.ts';
import { type Database, openDatabase } from './database.ts';

const address = process.env['HEADWATER_TEST_PG'] ?? '';
if (address === '')
  console.warn('skipped: a stalled database: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

const LIMIT_MS = 400;

describe.skipIf(address === '')('a stalled database', () => {
  let database: Database;
  const open = (): Database =>
    (database = openDatabase(parseConnection(address), { poolSize: 1, queryTimeoutMs: LIMIT_MS }));
  afterEach(() => database.close());

  it('loses its connection during a statement, and the next statement gets another one', async () => {
    const { rows } = open();
    const before = performance.now();
    await expect(rows('select pg_sleep(20)')).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - before).toBeLessThan(5000);
    expect(await rows('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('makes a transaction fail, and nothing of the transaction is stored', async () => {
    const { tx, first } = open();
    const work = tx(async (sql) => {
      await sql.run('create temporary table silence (n int) on commit drop');
      await sql.rows('select pg_sleep(20)');
    });
    await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    expect(await first(`select to_regclass('silence') as found`)).toEqual({ found: null });
  });

  it('keeps its connections while no statement is running', async () => {
    const { first, connect } = open();
    const pid = async (): Promise<unknown> => await first('select pg_backend_pid() as pid');
    const heard: string[] = [];
    const lost: string[] = [];
    const session = await (connect ?? expect.fail('no sessions'))({
      onNotification: (payload) => heard.push(payload),
      onLost: () => lost.push('lost'),
    });
    await session.run('listen silence');
    const earlier = await pid();
    await setTimeout(3 * LIMIT_MS);
    expect(await pid()).toEqual(earlier);
    await first(`select pg_notify('silence', 'heard')`);
    await expect.poll(() => heard).toEqual(['heard']);
    expect(lost).toEqual([]);
    await session.close();
  });

  it('may take longer than the limit to respond, if data continue to arrive', async () => {
    const { rows } = open();
    const slow = `select n, repeat('x', 20000) as text, pg_sleep(0.1) from generate_series(1, 12) n`;
    expect(await rows(slow)).toHaveLength(12);
  });
});
