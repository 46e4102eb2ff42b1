import { expect, it } from 'vitest';
import { createByteLimitedCache } from './byte-limited-cache.ts';

it('the cache removes the least recently used values, and does not store values above the size limit of one value', async () => {
  const made: string[] = [];
  const cache = createByteLimitedCache<string, number>({ mostBytes: 10, mostOfOne: 8, sizeOf: (size) => size });
  const of = async (key: string, size: number): Promise<number> =>
    await cache.of(key, {
      version: '',
      make: () => {
        made.push(key);
        return size;
      },
    });
  for (const [key, size] of [
    ['a', 4],
    ['b', 4],
    ['a', 4],
    ['c', 4],
    ['a', 4],
    ['b', 4],
    ['large', 9],
    ['large', 9],
    ['a', 4],
  ] as const)
    await of(key, size);
  expect(made).toEqual(['a', 'b', 'c', 'b', 'large', 'large']);
});

it('the cache creates a value again after a new version or a failure, and only once for simultaneous calls', async () => {
  let made = 0;
  const cache = createByteLimitedCache<string, number>({ mostBytes: 10, sizeOf: () => 1 });
  const of = async (version: string): Promise<number> =>
    await cache.of('a', {
      version,
      make: async () => {
        made += 1;
        if (made === 1) throw new Error('not yet');
        return made;
      },
    });
  await expect(of('1')).rejects.toThrow('not yet');
  expect(await Promise.all([of('1'), of('1')])).toEqual([2, 2]);
  expect([await of('1'), await of('2')]).toEqual([2, 3]);
});

it('the cache does not store a value of infinite size, and keeps all other values', async () => {
  const made: string[] = [];
  const cache = createByteLimitedCache<string, number>({ mostBytes: 10, sizeOf: (size) => size });
  const of = async (key: string, size: number): Promise<number> =>
    await cache.of(key, {
      version: '',
      make: () => {
        made.push(key);
        return size;
      },
    });
  for (const [key, size] of [
    ['absent', Infinity],
    ['a', 4],
    ['a', 4],
    ['absent', Infinity],
    ['a', 4],
  ] as const)
    await of(key, size);
  expect(made).toEqual(['absent', 'a', 'absent']);
});

it('the cache does not remove a computation in progress to make room', async () => {
  let made = 0;
  const gate = Promise.withResolvers<number>();
  const cache = createByteLimitedCache<string, number>({ mostBytes: 10, mostOfOne: 10, sizeOf: (size) => size });
  const slow = async (): Promise<number> =>
    await cache.of('slow', {
      version: '',
      make: () => {
        made += 1;
        return gate.promise;
      },
    });
  const first = slow();
  for (const key of ['a', 'b']) await cache.of(key, { version: '', make: () => 8 });
  const second = slow();
  gate.resolve(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(made).toBe(1);
});
