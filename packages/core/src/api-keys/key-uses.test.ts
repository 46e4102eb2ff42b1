import { expect, it } from 'vitest';
import { createManualTime } from '../memory/manual-time.ts';
import type { ApiKeyDay, ApiKeyUse } from '../ports/api-keys.ts';
import { SILENT } from '../silent-logger.ts';
import { createKeyUses, MOST_NOTED, NOTE_AFTER_MS } from './key-uses.ts';

function bench(fails = false) {
  const time = createManualTime();
  const written: (readonly ApiKeyUse[])[] = [];
  const told: unknown[] = [];
  const noteUses = async (uses: readonly ApiKeyUse[]): Promise<void> => {
    if (fails) throw new Error('the database is away');
    written.push(uses);
  };
  const logger = { ...SILENT, error: (...line: unknown[]) => void told.push(line) };
  const removed: string[] = [];
  const removeOld = async (before: string): Promise<void> => {
    if (fails) throw new Error('the database is away');
    removed.push(before);
  };
  /** What another process wrote. */
  const others = { uses: 0 };
  const usesOn = async (day: string, prefixes: readonly string[]): Promise<readonly ApiKeyDay[]> =>
    prefixes.map((prefix) => {
      const own = written.flat().filter((use) => use.prefix === prefix && use.usedAt.startsWith(day));
      return { prefix, day, uses: others.uses + own.reduce((sum, { count }) => sum + count, 0) };
    });
  const uses = createKeyUses({ store: { noteUses, usesOn, removeOld }, clock: time, timers: time, logger });
  return { time, written, removed, told, uses, others };
}

it('writes a thousand uses as one, ten seconds after the first, with the latest time of each key', async () => {
  const { time, written, uses } = bench();
  for (let index = 0; index < 1000; index += 1) uses.note(index % 2 === 0 ? 'even0000' : 'odd00000');
  await time.advance(5000);
  uses.note('even0000');
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

it('counts uses around midnight (UTC) for the day of each', async () => {
  const { time, written, uses } = bench();
  await time.advance(86_400_000 - 1);
  uses.note('night000');
  await time.advance(1);
  uses.note('night000');
  uses.note('night000');
  await uses.close();
  expect(written).toEqual([
    [
      { prefix: 'night000', usedAt: '2026-01-01T23:59:59.999Z', count: 1 },
      { prefix: 'night000', usedAt: '2026-01-02T00:00:00.000Z', count: 2 },
    ],
  ]);
});

it('writes what is left when it is closed, at once', async () => {
  const { time, written, uses } = bench();
  uses.note('left0000');
  await uses.close();
  expect([written.length, time.sleeping]).toEqual([1, 0]);
});

it('tells of a write that failed, without the keys, and goes on with the next uses', async () => {
  const { time, told, uses } = bench(true);
  for (const round of [1, 2]) {
    uses.note('lost0000');
    await time.advance(NOTE_AFTER_MS);
    // The first time of what is old too.
    expect(told).toHaveLength(round + 1);
  }
  expect(JSON.stringify(told)).not.toContain('lost0000');
});

it('holds no more keys than one write takes', async () => {
  const { written, uses } = bench();
  for (let index = 0; index < MOST_NOTED + 5; index += 1) uses.note(`k${index}`);
  await uses.close();
  expect(written.map((each) => each.length)).toEqual([MOST_NOTED]);
});

it('has what ended 400 days ago removed, with the first write of each day', async () => {
  const { time, removed, uses } = bench();
  const use = async (): Promise<void> => {
    uses.note('used0000');
    await time.advance(NOTE_AFTER_MS);
  };
  await use();
  await use();
  expect(removed).toEqual(['2024-11-27']);
  await time.advance(86_400_000);
  await use();
  expect(removed).toEqual(['2024-11-27', '2024-11-28']);
});

it('tells the uses of a day by all processes: its own at once, those of others with its next write', async () => {
  const { time, uses, others } = bench();
  others.uses = 5;
  uses.note('shared00');
  expect(await uses.today('shared00')).toBe(6);
  others.uses = 9;
  uses.note('shared00');
  expect(await uses.today('shared00')).toBe(7);
  await time.advance(NOTE_AFTER_MS);
  expect(await uses.today('shared00')).toBe(11);
  uses.note('shared00');
  expect(await uses.today('shared00')).toBe(12);
  others.uses = 0;
  await time.advance(86_400_000);
  expect(await uses.today('shared00')).toBe(0);
});

it('counts for itself what it could not write', async () => {
  const { time, uses } = bench(true);
  uses.note('lost0000');
  expect(await uses.today('lost0000')).toBe(1);
  await time.advance(NOTE_AFTER_MS);
  uses.note('lost0000');
  expect(await uses.today('lost0000')).toBe(2);
});
