import { expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createWakeSignal } from './wake-signal.ts';

it('wakes every sleeper once', async () => {
  const time = createManualTime();
  const waker = createWakeSignal();
  const { signal } = waker;
  const sleepers = Promise.all([time.sleep(60_000, signal), time.sleep(60_000, signal)]);
  waker.wake();
  await sleepers;
  expect(signal.aborted).toBe(true);
  expect(waker.signal.aborted).toBe(false);
});

it('a wake that comes after the check and before the sleep also ends the sleep', async () => {
  const waker = createWakeSignal();
  const beforeTheCheck = waker.signal;
  waker.wake();
  await createManualTime().sleep(60_000, beforeTheCheck);
  expect(beforeTheCheck.aborted).toBe(true);
});

it('gives a woken task a new signal', () => {
  const waker = createWakeSignal();
  const seen: boolean[] = [];
  waker.signal.addEventListener('abort', () => seen.push(waker.signal.aborted));
  waker.wake();
  expect(seen).toEqual([false]);
});
