import { expect, it } from 'vitest';
import { memoizeAsync } from './memoize-async.ts';

it('computes a value once for concurrent callers, and again after a failure', async () => {
  let calls = 0;
  const value = memoizeAsync(async () => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return calls;
  });
  const failed = await Promise.allSettled([value(), value()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([value(), value(), value()])).toEqual([2, 2, 2]);
});
