import { expect, it } from 'vitest';
import { createLimit } from './limit.ts';

it('a limit bounds the concurrency and starts work in the order of the calls, also after failed work', async () => {
  const limit = createLimit(2);
  const begun: number[] = [];
  const ends: ((failed: boolean) => void)[] = [];
  const work = (piece: number) => (): Promise<number> =>
    new Promise((resolve, reject) => {
      begun.push(piece);
      ends.push((failed) => (failed ? reject(new Error('failed')) : resolve(piece)));
    });
  const all = Promise.allSettled([1, 2, 3, 4].map((piece) => limit(work(piece))));
  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  ends[1]?.(true);
  await expect.poll(() => begun).toEqual([1, 2, 3]);
  ends[0]?.(false);
  await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
  for (const end of ends) end(false);
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});
