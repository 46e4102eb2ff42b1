import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Deed } from './guarded.fixture.ts';
import { workerUrl } from '../../files/worker-url.ts';
import { WorkerPool } from './pool.ts';

const url = workerUrl('./guarded.fixture', import.meta.url);
let pool: WorkerPool<Deed, string>;
beforeEach(() => {
  const guard = { busyMs: 400, blame: (deed: Deed, why: string) => new Error(`${deed}: ${why}`) };
  pool = new WorkerPool({ url, workerData: null, threads: 2, signal: new AbortController().signal, guard });
});
afterEach(() => pool.close());

it.each<readonly [Deed, RegExp]>([
  ['loop', /loop: it kept a thread busy for 0\.4 s/],
  ['turn', /turn: it kept a thread busy for 0\.4 s/],
  ['exit', /exit: exit code 3/],
])('a task that does this to its thread (%s) is the only one that fails', async (deed, why) => {
  const others = Array.from({ length: 6 }, () => pool.run('answer'));
  await expect(pool.run(deed)).rejects.toThrow(why);
  expect(new Set(await Promise.all([...others, pool.run('answer'), pool.run('answer')]))).toEqual(
    new Set(['done: answer']),
  );
});

it('a thread that waits longer than it may be busy is left alone', async () => {
  expect(await pool.run('wait')).toBe('done: wait');
});
