import { expect, it } from 'vitest';
import { createManualTime } from '@headwater/core/testing';
import type { AccountDay, ApiKeyUse } from '../ports/api-keys.ts';
import { SILENT } from '@headwater/core';
import { createKeyUses, MOST_NOTED, NOTE_AFTER_MS } from './key-uses.ts';

const accountOf = (prefix: string): number => (prefix.startsWith('u') ? 2 : 1);

function bench(fails = false) {
  const time = createManualTime();
  const written: (readonly ApiKeyUse[])[] = [];
  const logged: unknown[] = [];
  const noteUses = async (uses: readonly ApiKeyUse[]): Promise<void> => {
    if (fails) throw new Error('the database is unavailable');
    written.push(uses);
    await pauses.written;
  };
  const logger = { ...SILENT, error: (...line: unknown[]) => void logged.push(line) };
  const removed: string[] = [];
  const removeOld = async (before: string): Promise<void> => {
    if (fails) throw new Error('the database is unavailable');
    removed.push(before);
  };
  const others = { uses: 0 };
  /** A read of the counts waits for `read` at its start; a write waits for `written` at its end. */
  const pauses: { read?: Promise<unknown>; written?: Promise<unknown> } = {};
  const usesOn = async (day: string, userIds: readonly number[]): Promise<readonly AccountDay[]> => {
    await pauses.read;
    return userIds.map((userId) => {
      const own = written.flat().filter((use) => accountOf(use.prefix) === userId && use.usedAt.startsWith(day));
      return { userId, day, uses: others.uses + own.reduce((sum, { count }) => sum + count, 0) };
    });
  };
  const uses = createKeyUses({ store: { noteUses, usesOn, removeOld }, clock: time, timers: time, logger });
  return { time, written, removed, logged, uses, others, pauses };
}

it('writes a thousand uses with one call, ten seconds after the first, with the latest time of each key', async () => {
  const { time, written, uses } = bench();
  for (let index = 0; index < 1000; index += 1)
    uses.note({ prefix: index % 2 === 0 ? 'even0000' : 'odd00000', userId: 1 });
  await time.advance(5000);
  uses.note({ prefix: 'even0000', userId: 1 });
  await time.advance(NOTE_AFTER_MS - 5001);
  expect(written).toEqual([]);
  await time.advance(1);
  expect(written).toEqual([
    [
      { prefix: 'even0000', usedAt: '2026-01-01T00:00:05.000Z', count: 501 },
      { prefix: 'odd00000', usedAt: '2026-01-01T00:00:00.000Z', count: 500 },
    ],
  ]);
  await time.advance(10 * NOTE_AFTER_MS);
  expect([written.length, time.sleeping]).toEqual([1, 0]);
});

it('counts uses before and after midnight (UTC) for the right day', async () => {
  const { time, written, uses } = bench();
  await time.advance(86_400_000 - 1);
  uses.note({ prefix: 'night000', userId: 1 });
  await time.advance(1);
  uses.note({ prefix: 'night000', userId: 1 });
  uses.note({ prefix: 'night000', userId: 1 });
  await uses.close();
  expect(written).toEqual([
    [
      { prefix: 'night000', usedAt: '2026-01-01T23:59:59.999Z', count: 1 },
      { prefix: 'night000', usedAt: '2026-01-02T00:00:00.000Z', count: 2 },
    ],
  ]);
});

it('writes the pending uses immediately when it is closed', async () => {
  const { time, written, uses } = bench();
  uses.note({ prefix: 'left0000', userId: 1 });
  await uses.close();
  expect([written.length, time.sleeping]).toEqual([1, 0]);
});

it('logs a failed write without the keys, and continues with the next uses', async () => {
  const { time, logged, uses } = bench(true);
  for (const round of [1, 2]) {
    uses.note({ prefix: 'lost0000', userId: 1 });
    await time.advance(NOTE_AFTER_MS);
    // In the first round, removing old uses also fails.
    expect(logged).toHaveLength(round + 1);
  }
  expect(JSON.stringify(logged)).not.toContain('lost0000');
});

it('records the uses of at most MOST_NOTED keys per write, and drops the uses of further keys', async () => {
  const { written, uses } = bench();
  for (let index = 0; index < MOST_NOTED + 5; index += 1) uses.note({ prefix: `k${index}`, userId: 1 });
  await uses.close();
  expect(written.map((each) => each.length)).toEqual([MOST_NOTED]);
});

it('with the first write of each day, removes uses, and ended keys, that are older than 400 days', async () => {
  const { time, removed, uses } = bench();
  const use = async (): Promise<void> => {
    uses.note({ prefix: 'used0000', userId: 1 });
    await time.advance(NOTE_AFTER_MS);
  };
  await use();
  await use();
  expect(removed).toEqual(['2024-11-27']);
  await time.advance(86_400_000);
  await use();
  expect(removed).toEqual(['2024-11-27', '2024-11-28']);
});

it('counts the uses of all processes on a day: uses in this process immediately, and uses in other processes after the next write', async () => {
  const { time, uses, others } = bench();
  others.uses = 5;
  uses.note({ prefix: 'shared00', userId: 1 });
  expect(await uses.today(1)).toBe(6);
  others.uses = 9;
  uses.note({ prefix: 'shared00', userId: 1 });
  expect(await uses.today(1)).toBe(7);
  await time.advance(NOTE_AFTER_MS);
  expect(await uses.today(1)).toBe(11);
  uses.note({ prefix: 'shared00', userId: 1 });
  expect(await uses.today(1)).toBe(12);
  others.uses = 0;
  await time.advance(86_400_000);
  expect(await uses.today(1)).toBe(0);
});

it('also counts uses that could not be written', async () => {
  const { time, uses } = bench(true);
  uses.note({ prefix: 'lost0000', userId: 1 });
  expect(await uses.today(1)).toBe(1);
  await time.advance(NOTE_AFTER_MS);
  uses.note({ prefix: 'lost0000', userId: 1 });
  expect(await uses.today(1)).toBe(2);
});

it('continues to count if a read fails while a write waits for it, and closes without error', async () => {
  const { time, uses, written, pauses } = bench();
  const gone = Promise.withResolvers<never>();
  pauses.read = gone.promise;
  uses.note({ prefix: 'gone0000', userId: 1 });
  const today = uses.today(1).then(String, String);
  await time.advance(NOTE_AFTER_MS);
  gone.reject(new Error('the database is unavailable'));
  expect(await today).toBe('Error: the database is unavailable');
  await time.advance(0);
  delete pauses.read;
  uses.note({ prefix: 'gone0000', userId: 1 });
  expect(await uses.today(1)).toBe(2);
  await uses.close();
  expect(written.flat().map(({ count }) => count)).toEqual([1, 1]);
});

it('continues to count if the read after a write fails', async () => {
  const { time, uses, pauses } = bench();
  uses.note({ prefix: 'gone0000', userId: 1 });
  expect(await uses.today(1)).toBe(1);
  pauses.read = Promise.reject(new Error('the database is unavailable'));
  pauses.read.catch(() => {});
  await time.advance(NOTE_AFTER_MS);
  uses.note({ prefix: 'gone0000', userId: 1 });
  expect(await uses.today(1)).toBe(2);
});

it('counts no use twice if the first total is requested during a write', async () => {
  const { time, uses, pauses } = bench();
  const [stored, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  for (const key of ['known000', 'unknown0'])
    for (let use = 0; use < 60; use += 1) uses.note({ prefix: key, userId: accountOf(key) });
  const today = async (): Promise<unknown> =>
    await Promise.all(['known000', 'unknown0'].map((key) => uses.today(accountOf(key))));
  expect(await uses.today(1)).toBe(60);
  [pauses.written, pauses.read] = [stored.promise, read.promise];
  await time.advance(NOTE_AFTER_MS);
  const during = today();
  await time.advance(0);
  stored.resolve();
  await time.advance(0);
  const after = today();
  await time.advance(0);
  read.resolve();
  for (const total of [during, after, today()]) expect(await total).toEqual([60, 60]);
});

it('counts a use only once if the write seemed to fail but stored the use', async () => {
  const { time, uses, pauses } = bench();
  for (let use = 0; use < 60; use += 1) uses.note({ prefix: 'stored00', userId: 1 });
  expect(await uses.today(1)).toBe(60);
  pauses.written = Promise.reject(new Error('the connection broke'));
  pauses.written.catch(() => {});
  await time.advance(NOTE_AFTER_MS);
  expect(await uses.today(1)).toBe(60);
});
