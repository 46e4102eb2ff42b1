import { expect, it } from 'vitest';
import { largeSets } from './large-sets.ts';

it('the cache stores for a minute that a Collection is large, separately for each limit of the count', () => {
  let time = 5000;
  const { has, note } = largeSets(() => time);
  const one = { limit: 10, collections: ['a'], maxScannedItems: 1000 };
  const all = { limit: 10, maxScannedItems: 1000 };
  expect([has(one), has(all)]).toEqual([false, false]);
  note(one);
  expect([has(one), has({ ...one, limit: 1, bbox: [0, 0, 1, 1] })]).toEqual([true, true]);
  for (const other of [all, { ...one, maxScannedItems: 2000 }, { ...one, collections: ['b'] }, { ...one, ids: ['x'] }])
    expect(has(other)).toBe(false);
  note(all);
  expect(has(all)).toBe(true);
  time += 60_000;
  expect([has(one), has(all)]).toEqual([false, false]);
});

it('the cache stores nothing for several Collections, for ids or without a limit of the count; the number of entries is limited', () => {
  const { has, note } = largeSets(() => 1);
  for (const request of [
    { limit: 1, collections: ['a', 'b'], maxScannedItems: 1 },
    { limit: 1, ids: ['a'], maxScannedItems: 1 },
    { limit: 1, collections: ['a'] },
  ]) {
    note(request);
    expect(has(request)).toBe(false);
  }
  const named = (n: number) => ({ limit: 1, collections: [`c${n}`], maxScannedItems: 1 });
  for (let n = 0; n < 5000; n++) note(named(n));
  const known = Array.from({ length: 5000 }, (_n, n) => has(named(n))).filter(Boolean);
  expect(known.length).toBeGreaterThan(0);
  expect(known.length).toBeLessThanOrEqual(1000);
});
