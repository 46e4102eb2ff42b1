import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createRecentValues, ownText } from './recent-values.ts';

it('drops the values that were not used lately', () => {
  const recent = createRecentValues<number>(2);
  for (const [at, key] of ['a', 'b', 'c'].entries()) recent.set(key, at);
  expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([0, 1, 2]);
  recent.set('d', 3);
  recent.set('e', 4);
  expect(['a', 'd', 'e'].map((key) => recent.get(key))).toEqual([undefined, 3, 4]);
});

it('keeps in memory only the keys, not the longer texts of which they are parts', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const part = (at: number): string => `${' '.repeat(60_000)}key ${at} of some length`.slice(60_000);
  const recent = createRecentValues<number>(500);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 500; at += 1) recent.set(ownText(part(at)), at);
  // The first call moves all keys to the older half; each read moves its key back.
  for (let at = -1; at < 500; at += 1) {
    if (at < 0) recent.set('another key', at);
    else expect(recent.get(part(at))).toBe(at);
  }
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});
