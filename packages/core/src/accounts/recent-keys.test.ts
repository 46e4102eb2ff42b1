import { expect, it } from 'vitest';
import { createRecentKeys } from './recent-keys.ts';

it('keeps the keys that were added last', () => {
  const keys = createRecentKeys(2);
  for (const key of ['a', 'b', 'a', 'c']) keys.add(key);
  expect(['a', 'b', 'c'].map((key) => keys.has(key))).toEqual([true, false, true]);
});
