import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BEGUN, GO_ON, tell, told, type Stage } from './guard-stage.fixture.ts';
import type { Deed } from './guarded.fixture.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from './pool.ts';

const BUSY_MS = 400;
const url = workerUrl('./guarded.fixture', import.meta.url);
let stage: Stage;
let pool: WorkerPool<Deed, string>;
beforeEach(() => {
  // The pool's time is moved by hand: a machine at work must not make a thread look busy that only waits for its turn.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stage = new Int32Array(new SharedArrayBuffer(4));
  const guard = { busyMs: BUSY_MS, blame: (deed: Deed, why: string) => new Error(`${deed}: ${why}`) };
  pool = new WorkerPool({ url, workerData: stage, threads: 2, signal: new AbortController().signal, guard });
});
afterEach(async () => {
  vi.useRealTimers();
  await pool.close();
});

/** Both threads are loaded and have answered. */
const ready = (): Promise<string[]> => Promise.all([pool.run('answer'), pool.run('answer')]);

it.each<readonly [Deed, RegExp]>([
  ['loop', /loop: it kept a thread busy for 0\.4 s/],
  ['turn', /turn: it kept a thread busy for 0\.4 s/],
  ['exit', /exit: exit code 3/],
])('a task that does this to its thread (%s) is the only one that fails', async (deed, why) => {
  const others = Array.from({ length: 6 }, () => pool.run('answer'));
  const lost = pool.run(deed).then(() => 'done', String);
  others.push(pool.run('answer'), pool.run('answer'));
  expect(new Set(await Promise.all(others))).toEqual(new Set(['done: answer']));
  if (deed !== 'exit') {
    await told(stage, 0);
    // From the first look on it has not rested once.
    vi.advanceTimersByTime(2 * BUSY_MS);
  }
  expect(await lost).toMatch(why);
  expect(await ready()).toEqual(['done: answer', 'done: answer']);
});

it('a thread that waits longer than it may be busy is left alone', async () => {
  await ready();
  const waits = pool.run('wait');
  expect(await told(stage, 0)).toBe(BEGUN);
  vi.advanceTimersByTime(BUSY_MS);
  tell(stage, GO_ON);
  expect(await waits).toBe('done: wait');
});
