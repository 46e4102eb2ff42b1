import { expect, it } from 'vitest';
import type { Scene } from '@headwater/core';
import { directory, finds, MWS, NOTHING_PUBLISHED, PLACE, REMEDIES, scene } from '../pipeline.fixture.ts';
import { LULC_SETTINGS } from './year-scenes.ts';
import { presentInputs } from './inputs.ts';

const PARAMS = { tehsilId: 3, startYear: 2020, endYear: 2020, eoAccountId: 1 };
const DAYS = ['2020-10-01', '2020-11-01', '2021-01-05', '2021-02-05', '2021-03-05', '2021-04-05', '2021-05-05'];

const inputs = (scenes: readonly Scene[], places = directory(), params = PARAMS): Promise<string> =>
  presentInputs(params, {
    ports: { places, earthObservation: finds(scenes), published: NOTHING_PUBLISHED, remedies: REMEDIES },
    context: { signal: new AbortController().signal, log: () => {}, progress: () => {} },
    settings: LULC_SETTINGS,
  });
const usual = (): readonly Scene[] => DAYS.map((day) => scene(day));

it('the hash is the same for the same scenes, in any order and with any signature in their addresses', async () => {
  const signed = usual().map((each) => ({
    ...each,
    bands: Object.fromEntries(
      Object.entries(each.bands).map(([name, band]) => [name, { ...band, href: `${band.href}?sig=${Math.random()}` }]),
    ),
  }));
  const expected = await inputs(usual());
  expect(expected).toMatch(/^[0-9a-f]{64}$/);
  expect(await inputs(signed.toReversed())).toBe(expected);
});

it('the hash is the same for files with the same names in another folder', async () => {
  const scenesIn = (folder: string): readonly Scene[] =>
    usual().map((each) => ({
      ...each,
      bands: Object.fromEntries(
        Object.entries(each.bands).map(([name, band]) => {
          const source = `items/${each.id}/${name}.tif`;
          return [name, { ...band, href: `${folder}/${source}`, source }];
        }),
      ),
    }));
  expect(await inputs(scenesIn('/restored/eo'))).toBe(await inputs(scenesIn('/data/eo')));
});

it('the hash changes if a scene, a file, an offset, a polygon or a uid changes', async () => {
  const [first = scene('2020-10-01'), ...most] = usual();
  const band = { href: '/data/b.tif', offset: 0, scale: 0.0001, nodata: 0 };
  const moved = { ...PLACE, tehsil: { ...PLACE.tehsil, geometry: MWS[0]?.geometry ?? null } };
  const all = await Promise.all([
    inputs(usual()),
    inputs(most),
    inputs([...usual(), scene('2020-12-01')]),
    inputs([...most, { ...first, bands: { ...first.bands, red: band } }]),
    inputs([...most, { ...first, bands: { ...first.bands, red: { ...band, offset: -1000 } } }]),
    inputs(usual(), directory({ placeOfTehsil: async () => moved })),
    inputs(usual(), directory({ mwsOf: async () => MWS.map((mws) => ({ ...mws, uid: `${mws.uid}0` })) })),
  ]);
  expect(new Set(all).size).toBe(all.length);
});

it('the search for inputs throws the same error as the run if a year has no scene', async () => {
  await expect(inputs([])).rejects.toMatchObject({ code: 'no_scenes' });
});
