import { expect, it } from 'vitest';
import type { Scene } from '@headwater/core';
import { lulcPipeline } from '../pipeline.ts';
import { days, finds, scene } from '../pipeline.fixture.ts';

const BOX = [85, 22, 85.1, 22.1] as const;
const NOW = new Date('2025-01-01T00:00:00Z');

async function newest(scenes: readonly Scene[]): Promise<{ year: number | undefined; searches: number }> {
  let searches = 0;
  const search: ReturnType<typeof finds>['search'] = async ({ start, end }) => {
    searches += 1;
    return finds(scenes.filter(({ datetime }) => datetime >= start && datetime < end)).search({
      bbox: BOX,
      start,
      end,
    });
  };
  const ports = { earthObservation: { search }, now: () => NOW };
  const year = await lulcPipeline.regions?.newestYear?.(BOX, ports, AbortSignal.timeout(10_000));
  return { year, searches };
}

const year = (from: number): Scene[] => days(from).map((day) => scene(day));

it('finds the last complete year with one search if that year has scenes', async () => {
  expect(await newest([...year(2022), ...year(2023), ...year(2024)])).toEqual({ year: 2023, searches: 1 });
});

it('skips years without scenes, with too few scenes and with too much cloud', async () => {
  const thin = days(2023)
    .slice(0, 2)
    .map((day) => scene(day));
  const cloudy = days(2022).map((day) => scene(day, { cloudCover: 99 }));
  expect(await newest([...year(2021), ...cloudy, ...thin])).toEqual({ year: 2021, searches: 3 });
});

it('returns undefined if no year has scenes', async () => {
  expect(await newest([])).toEqual({ year: undefined, searches: 8 });
});
