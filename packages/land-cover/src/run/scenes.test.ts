import type { PixelEngine } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { fakeContext, fakePixels, fakePorts, finds, noRequests, params, scene } from '../pipeline.fixture.ts';
import { createLulcPipeline, lulcPipeline } from '../pipeline.ts';

const PARAMS = params(2021, 2021);
/** Enough scenes for a year, all in December or later. */
const ENOUGH = ['2021-12-10', '2021-12-28', '2022-01-20', '2022-02-10', '2022-03-01', '2022-03-25'].map((day) =>
  scene(day),
);
const SCENES = [
  scene('2021-08-03', { cloudCover: 90 }),
  scene('2021-10-10', { cloudCover: 90.5 }),
  scene('2022-04-20', { cloudCover: 100 }),
  ...ENOUGH,
];
const READ = ENOUGH.map(({ id }) => id);

/** Runs a pipeline. `plan`: ids of scenes in the order in which the engine received them. `read`: these ids, sorted. */
async function runWith(
  pipeline = lulcPipeline,
  scenes = SCENES,
  differ: (pixels: PixelEngine) => Partial<PixelEngine> = () => ({}),
) {
  const requests = noRequests();
  const lines: string[] = [];
  const pixels = fakePixels(requests);
  const ports = fakePorts({ earthObservation: finds(scenes), pixels: { ...pixels, ...differ(pixels) } }, new Map());
  await pipeline.execute(PARAMS, ports, fakeContext(lines));
  const plan = requests.plans[0]?.scenes.map(({ id }) => id);
  return { lines, plan, read: plan?.toSorted() };
}

describe('scenes with too much cloud', () => {
  it('are not read, and the log counts them; scenes without a cloud cover are read', async () => {
    const { lines, read } = await runWith();
    expect(read).toEqual(['S2_2021-08-03', ...READ]);
    expect(lines).toContain('2021: 2 of 9 scenes not read, more than 90 % cloud');
  });

  it('are scenes with more cloud than the limit in the settings', async () => {
    expect((await runWith(createLulcPipeline({ maxCloudCover: 100 }))).read).toHaveLength(9);
    expect((await runWith(createLulcPipeline({ maxCloudCover: 20 }))).read).toEqual(READ);
    expect(createLulcPipeline({ maxCloudCover: 20 }).fingerprint(PARAMS)).not.toBe(lulcPipeline.fingerprint(PARAMS));
  });

  it('cause an error that states the limit, if a year has no other scenes', async () => {
    const scenes = [scene('2021-10-10', { cloudCover: 91 }), scene('2021-05-20', { cloudCover: 0 })];
    await expect(runWith(lulcPipeline, scenes)).rejects.toMatchObject({
      code: 'no_scenes',
      message: expect.stringMatching(
        /^The only scene of hydrological year 2021 has more than 90 % cloud .*A year needs scenes in 3 or more steps of 16 days/,
      ),
    });
  });
});

it('reports the corners of a region without scenes, because its name is only a hash', async () => {
  const region: [number, number, number, number] = [78.5, 17.48, 78.52, 17.5];
  const ports = fakePorts({ earthObservation: finds([]) }, new Map());
  await expect(
    lulcPipeline.execute({ region, startYear: 2021, endYear: 2021 }, ports, fakeContext()),
  ).rejects.toMatchObject({
    code: 'no_scenes',
    message: expect.stringMatching(
      /^No Sentinel-2 scene covers region_[0-9a-f]{16} \(west 78\.5, south 17\.48, east 78\.52, north 17\.5\) in hydrological year 2021/,
    ),
  });
});

it('rejects a year that has scenes only at its end, in the margin of the next year', async () => {
  const scenes = ['2022-05-03', '2022-05-15', '2022-06-01', '2022-06-15', '2022-06-29'].map((day) => scene(day));
  await expect(runWith(lulcPipeline, scenes)).rejects.toMatchObject({
    code: 'no_scenes',
    message: expect.stringMatching(
      /^Hydrological year 2021 has 5 scenes to read, .* in 4 steps of 16 days, of which the last is 3 steps after the first\. A year needs .* at least 4 steps after/,
    ),
  });
});

it('passes scenes to the engine with the newest processing first', async () => {
  const scenes = [
    scene('2021-08-03', { id: 'old', processing: { baseline: '02.14' } }),
    scene('2021-08-03', { id: 'new', processing: { baseline: '05.10' } }),
    ...ENOUGH,
  ];
  const { plan } = await runWith(lulcPipeline, scenes);
  expect(plan?.filter((id) => id === 'new' || id === 'old')).toEqual(['new', 'old']);
});

it('logs the number of scenes that contributed no pixel, and the number of pieces of the work grid outside of the area', async () => {
  const { lines } = await runWith(lulcPipeline, SCENES, (pixels) => ({
    execute: async (plan, context) => ({
      ...(await pixels.execute(plan, context)),
      unused: { a: 'no clear pixel in the area', b: 'no clear pixel in the area' },
      pieces: { computed: 3, outside: 1 },
    }),
  }));
  expect(lines).toContain('2021: 2 scenes contributed no pixel: no clear pixel in the area');
  expect(lines).toContain('2021: 1 of 4 pieces of the work grid lie outside of the area');
});

it('logs the number of pixels in the area that were not processed', async () => {
  const { lines } = await runWith(lulcPipeline, SCENES, (pixels) => ({
    writeCog: async (request, context) => ({ ...(await pixels.writeCog(request, context)), inside: 1200 }),
  }));
  expect(lines.join('\n')).toMatch(/2021: 200 pixels of the area were not reached/);
});

describe.each(['constructor', '__proto__', 'toString'])('a scene whose id is %s', (id) => {
  it('is read like any other scene', async () => {
    expect((await runWith(lulcPipeline, [scene('2021-10-10', { id }), ...ENOUGH])).read).toContain(id);
  });

  it('is left out, and named in the log, if it lacks a band', async () => {
    const { bands, ...rest } = scene('2021-10-10', { id });
    const { red: _, ...others } = bands;
    const { lines, read } = await runWith(lulcPipeline, [{ ...rest, bands: others }, ...ENOUGH]);
    expect(read).toEqual(READ);
    expect(lines).toContain(`2021: scene ${id} left out: lacks band red`);
  });
});
