import { expect, it } from 'vitest';
import { lineChart, ticksOf } from './line-chart.ts';

it.each([
  [0, 12.5, [0, 5, 10, 15]],
  [0, 0, [0, 0.5]],
  [-0.2, 0.7, [-0.5, 0, 0.5, 1]],
  [0, 0.9, [0, 0.5, 1]],
  [0, 1234, [0, 500, 1000, 1500]],
  [0, 8, [0, 2, 4, 6, 8]],
  [0, 3e-5, [0, 1e-5, 2e-5, 3e-5]],
])('the axis from %d to %d has round numbers', (lowest, highest, ticks) => {
  expect(ticksOf(lowest, highest).map((tick) => tick + 0)).toEqual(ticks);
});

it('draws unknown values as gaps and known values as dots, with no dot to the left of the axis', async () => {
  const shown = String(
    await lineChart({
      labels: ['2018', '2019', '2020', '2021', '2022'],
      lines: [{ color: '#123456', values: [1, 2, null, 4, null] }],
      label: 'A "chart"',
      tickText: String,
    }),
  );
  expect(shown.match(/<path d="M/g)).toHaveLength(1);
  expect(shown.match(/<circle/g)).toHaveLength(3);
  expect(shown).toContain('aria-label="A &quot;chart&quot;"');
  expect(shown).not.toMatch(/NaN|Infinity/);
  for (const [, x] of shown.matchAll(/cx="([\d.-]+)"/g)) expect(Number(x)).toBeGreaterThanOrEqual(72);
});

it('draws a chart with only one year, and a chart with only unknown values', async () => {
  for (const values of [[3], [null]]) {
    const shown = String(
      await lineChart({ labels: ['2021'], lines: [{ color: '#123456', values }], label: '', tickText: String }),
    );
    expect(shown).not.toMatch(/NaN|Infinity/);
  }
});
