import { describe, expect, it } from 'vitest';
import type { RunPart } from '../ports/runs.ts';
import { summarize } from './scope-report.ts';

describe('the time until the end', () => {
  const at = (second: number): string => new Date(1_700_000_000_000 + second * 1000).toISOString();
  const partsAfter = (now: number, isPaused = false): readonly RunPart[] => {
    const free = [0, 0];
    return Array.from({ length: 100 }, (_, position) => {
      const work = 10 + (position % 3);
      const worker = position % 2;
      const begun = free[worker] ?? 0;
      const finished = begun + work * (position % 4 < 2 ? 1.2 : 0.8);
      free[worker] = finished;
      const own = { position, tehsilId: position, work, isReused: false, isPaused, failure: null };
      if (begun >= now) return { ...own, runId: null, run: null };
      const isDone = finished <= now;
      const times = {
        begunAt: at(begun),
        startedAt: at((begun + finished) / 2),
        finishedAt: isDone ? at(finished) : null,
      };
      const shared = { parentId: 'scope', step: null, error: null, isBegun: true, progress: isDone ? 1 : 0 };
      return { ...own, runId: 'a', run: { ...shared, ...times, state: isDone ? 'success' : 'running' } };
    });
  };
  const remaining = (now: number, isPaused = false) => summarize(partsAfter(now, isPaused), { id: 'scope' }).remaining;
  const END = 550;

  it('is unknown at first and during a pause; its range contains the true time, and is wide at first and narrow later', () => {
    expect([remaining(1), remaining(60, true)]).toEqual([undefined, undefined]);
    for (const now of [12.5, 60, 150, 400]) {
      expect(remaining(now)?.low).toBeLessThan(END - now);
      expect(remaining(now)?.high).toBeGreaterThan(END - now);
    }
    const width = (now: number): number => (remaining(now)?.high ?? 0) / (remaining(now)?.low ?? 1);
    expect([width(12.5) > 2, width(400) < 1.3]).toEqual([true, true]);
  });

  it('hardly depends on the number of tehsils that are computed at the moment', () => {
    const two = partsAfter(200);
    const open = two.findLastIndex(({ run }) => run?.state === 'running');
    const one = two.map((part, position) => (position === open ? { ...part, runId: null, run: null } : part));
    const expected = (parts: readonly RunPart[]) => summarize(parts, { id: 'scope' }).remaining?.expected ?? 0;
    expect(expected(one) / expected(two)).toBeGreaterThan(0.9);
    expect(expected(one) / expected(two)).toBeLessThan(1.15);
  });
});
