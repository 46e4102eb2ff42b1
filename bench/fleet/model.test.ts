import { expect, it } from 'vitest';
import { simulate } from './model.ts';

const model = { tehsils: 400, tehsilSeconds: 100, ratios: [0.5, 1, 1.5], startSeconds: 0.05, claimSeconds: 0.01 };

it('one worker needs the sum of the times; n workers are nearly n times as fast while they have work', () => {
  const alone = simulate({ ...model, workers: 1 });
  expect(alone.seconds).toBeGreaterThan(0.9 * 400 * 100);
  expect(alone.idleShare).toBeLessThan(0.01);
  for (const workers of [2, 4, 16]) {
    const { seconds, idleShareBeforeEnd } = simulate({ ...model, workers });
    expect(alone.seconds / seconds).toBeGreaterThan(0.85 * workers);
    expect(idleShareBeforeEnd).toBeLessThan(0.15);
  }
});

it('a slow coordinator leaves workers idle', () => {
  const { tehsilsPerHour, idleShareBeforeEnd } = simulate({ ...model, workers: 100, startSeconds: 5 });
  expect(tehsilsPerHour).toBeLessThanOrEqual(3600 / 5);
  expect(idleShareBeforeEnd).toBeGreaterThan(0.5);
});

it('if there are more workers than tehsils, a run takes as long as the longest tehsil', () => {
  const { seconds, idleShare } = simulate({ ...model, workers: 1000 });
  expect(seconds).toBeGreaterThanOrEqual(150);
  expect(seconds).toBeLessThan(150 + 400 * 0.05 + 1);
  expect(idleShare).toBeGreaterThan(0.6);
});
