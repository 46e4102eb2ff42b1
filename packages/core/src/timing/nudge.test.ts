import { expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createNudge } from './nudge.ts';

it('wakes everybody who sleeps, once', async () => {
  const time = createManualTime();
  const nudge = createNudge();
  const { signal } = nudge;
  const sleepers = Promise.all([time.sleep(60_000, signal), time.sleep(60_000, signal)]);
  nudge.poke();
  await sleepers;
  expect(signal.aborted).toBe(true);
  expect(nudge.signal.aborted).toBe(false);
});

it('a poke between look and sleep is not lost', async () => {
  const nudge = createNudge();
  const beforeTheLook = nudge.signal;
  nudge.poke();
  await createManualTime().sleep(60_000, beforeTheLook);
  expect(beforeTheLook.aborted).toBe(true);
});

it('who is woken finds a fresh signal', () => {
  const nudge = createNudge();
  const seen: boolean[] = [];
  nudge.signal.addEventListener('abort', () => seen.push(nudge.signal.aborted));
  nudge.poke();
  expect(seen).toEqual([false]);
});
