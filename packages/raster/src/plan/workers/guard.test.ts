import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BEGUN, GO_ON, setStage, nextStage, type Stage } from './guard-stage.fixture.ts';
import type { Behaviour } from './guarded.fixture.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from './pool.ts';

const BUSY_MS = 400;
const url = workerUrl('./guarded.fixture', import.meta.url, '@headwater/raster');
let stage: Stage;
let pool: WorkerPool<Behaviour, string>;
beforeEach(() => {
  // With real timers, a thread that waits for a CPU would count as blocked.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stage = new Int32Array(new SharedArrayBuffer(4));
  const guard = { busyMs: BUSY_MS, blame: (behaviour: Behaviour, why: string) => new Error(`${behaviour}: ${why}`) };
  pool = new WorkerPool({ url, workerData: stage, threads: 2, signal: new AbortController().signal, guard });
});
afterEach(async () => {
  vi.useRealTimers();
  await pool.close();
});

const ready = (): Promise<string[]> => Promise.all([pool.run('answer'), pool.run('answer')]);

it.each<readonly [Behaviour, RegExp]>([
  ['loop', /loop: it kept a thread busy for 0\.4 s/],
  ['turn', /turn: it kept a thread busy for 0\.4 s/],
  ['exit', /exit: exit code 3/],
])('only the task that blocks or ends its thread (%s) fails', async (behaviour, why) => {
  const others = Array.from({ length: 6 }, () => pool.run('answer'));
  const lost = pool.run(behaviour).then(() => 'done', String);
  others.push(pool.run('answer'), pool.run('answer'));
  expect(new Set(await Promise.all(others))).toEqual(new Set(['done: answer']));
  if (behaviour !== 'exit') {
    await nextStage(stage, 0);
    // The first check may count idle time from before the task, so only the second check terminates the thread.
    vi.advanceTimersByTime(2 * BUSY_MS);
  }
  expect(await lost).toMatch(why);
  expect(await ready()).toEqual(['done: answer', 'done: answer']);
});

it('a thread that waits longer than the limit is not terminated', async () => {
  await ready();
  const waits = pool.run('wait');
  expect(await nextStage(stage, 0)).toBe(BEGUN);
  vi.advanceTimersByTime(BUSY_MS);
  setStage(stage, GO_ON);
  expect(await waits).toBe('done: wait');
});
