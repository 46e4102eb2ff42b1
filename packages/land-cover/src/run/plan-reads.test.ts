import { loadPlace } from '@headwater/core';
import { expect, it } from 'vitest';
import { fakePorts, finds, params, scene } from '../pipeline.fixture.ts';
import { LULC_BANDS } from '../series/series.ts';
import { planReads } from './plan-reads.ts';
import { loadJob } from './scenes.ts';

const DAYS = ['2021-12-10', '2021-12-28', '2022-01-20', '2022-02-10', '2022-03-01', '2022-03-25'];
const { signal } = new AbortController();

it('lists the files of the scenes that a run reads, with the share of each file that is in the place', async () => {
  const ports = fakePorts({ earthObservation: finds(DAYS.map((day) => scene(day))) }, new Map());
  const job = await loadJob(params(2021, 2021), ports);
  const [west, south, east, north] = job.box;
  // Half of each scene is east of the place.
  const wide = (day: string) => scene(day, { bbox: [west, south, 2 * east - west, north] });
  const cloudy = { ...wide('2022-01-05'), cloudCover: 99 };
  const planned = await planReads(job, { ...ports, earthObservation: finds([...DAYS.map(wide), cloudy]) }, { signal });
  expect(planned.years).toEqual([{ year: 2021, scenes: DAYS.length, cloudy: 1 }]);
  expect(planned.files).toHaveLength(DAYS.length * LULC_BANDS.length);
  for (const { share } of planned.files) expect(share).toBeCloseTo(0.5, 6);
  const exact = await planReads(
    job,
    { ...ports, earthObservation: finds(DAYS.map((day) => scene(day, { bbox: job.box }))) },
    { signal },
  );
  expect(exact.files[0]?.share).toBe(1);
  expect(planned.scenePixels).toBe(exact.scenePixels);
});

it('throws the same error as the run if a year has too few scenes', async () => {
  const ports = fakePorts({ earthObservation: finds([scene('2021-12-10')]) }, new Map());
  const place = await loadPlace((await loadJob(params(2021, 2021), ports)).place.tehsil.id, ports);
  await expect(planReads({ ...place, years: [2021] }, ports, { signal })).rejects.toMatchObject({ code: 'no_scenes' });
});
