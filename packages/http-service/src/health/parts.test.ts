import { DomainError, type RunWorker } from '@headwater/core';
import { expect, test } from 'vitest';
import { DISK_LIMITS, diskPart, queuePart, scenesPart, workerPart } from './parts.ts';

const NOW = new Date('2026-01-01T00:01:00Z');
const EARLIER = new Date('2026-01-01T00:00:00Z');
const started = {
  stage: 'started',
  active: 0,
  queue: { answeredAt: EARLIER, failing: undefined, askingSince: undefined },
} as const;
const worker = (change: Partial<Pick<RunWorker, 'stage' | 'active' | 'queue'>> = {}): RunWorker => ({
  start: () => {},
  wake: () => {},
  stop: async () => {},
  ...started,
  ...change,
});

test('a worker is starting until its queue has answered once; then it is ok while the queue answers', () => {
  expect(workerPart(undefined, NOW).state).toBe('off');
  expect(workerPart(worker({ stage: 'not started' }), NOW).state).toBe('starting');
  expect(workerPart(worker({ queue: { ...started.queue, answeredAt: undefined } }), NOW).state).toBe('starting');
  expect(workerPart(worker(), NOW)).toEqual({
    state: 'ok',
    detail: 'idle; the queue of runs answered last at 2026-01-01T00:00:00.000Z',
  });
  expect(workerPart(worker({ active: 2 }), NOW).detail).toMatch(/^2 in progress/);
});

test('a worker fails if its queue refuses, if its queue does not answer, and if the worker was stopped', () => {
  const refused = { since: EARLIER, reason: 'the database does not answer' };
  expect(workerPart(worker({ queue: { ...started.queue, failing: refused } }), NOW)).toEqual({
    state: 'failing',
    detail: expect.stringMatching(/since 2026-01-01T00:00:00.000Z \(last answer at .*\): the database does not answer/),
  });
  expect(workerPart(worker({ queue: { ...started.queue, askingSince: EARLIER } }), NOW).state).toBe('failing');
  expect(workerPart(worker({ queue: { ...started.queue, askingSince: NOW } }), NOW).state).toBe('ok');
  expect(workerPart(worker({ stage: 'stopped' }), NOW).state).toBe('failing');
});

test('warns about workers of other processes if runs wait, no run is running, and no run was claimed for half a minute', () => {
  const [long, now] = [EARLIER.toISOString(), NOW.toISOString()];
  const idle = { waiting: 0, working: 0, oldestAt: null, claimedAt: long };
  expect(queuePart('nrm', idle, NOW)).toEqual({
    state: 'off',
    detail: `no worker in this process; queue nrm: 0 runs in progress, 0 waiting, the last one was claimed at ${long}`,
  });
  const missed = { waiting: 3, working: 0, oldestAt: long, claimedAt: null };
  expect(queuePart('nrm', missed, NOW)).toEqual({
    state: 'warning',
    detail: '3 runs wait and no worker of queue nrm has claimed one for 60 s: start `headwater worker --queue nrm`',
  });
  expect(queuePart('nrm', { ...missed, waiting: 1 }, NOW).detail).toMatch(/^1 run waits and no worker/);
  expect(queuePart('nrm', { ...missed, claimedAt: long }, NOW).state).toBe('warning');
  for (const seen of [{ working: 1 }, { claimedAt: now }, { oldestAt: now, claimedAt: long }])
    expect(queuePart('nrm', { ...missed, ...seen }, NOW).state).toBe('off');
});

test('little free space is a warning below one configured limit, and a failure below the other', () => {
  expect([2e9, 9e8, 9e7].map((free) => diskPart(free, DISK_LIMITS).state)).toEqual(['ok', 'warning', 'failing']);
  expect(diskPart(2e9, { warnBytes: 3e9, failBytes: 0 })).toEqual({
    state: 'warning',
    detail: '2.0 GB free; free some space soon',
  });
});

test('missing scenes are a warning; an unreachable source is a failure', async () => {
  const stateOf = (error: Error) =>
    scenesPart(async () => {
      throw error;
    });
  expect((await stateOf(new DomainError('no_scenes', 'none'))).state).toBe('warning');
  await expect(stateOf(new DomainError('unavailable', 'away'))).rejects.toThrow('away');
  expect(await scenesPart(async () => '3 catalogues')).toEqual({ state: 'ok', detail: '3 catalogues' });
});
