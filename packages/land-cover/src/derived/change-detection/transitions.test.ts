import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CHANGE_LAYERS, CHANGE_NAMES, type ChangeName, UNSEEN } from './layers.ts';
import { changesOf, smoothForest } from './transitions.ts';
import { changeAreas, checkRaster } from './vector-pipeline.ts';

const FIXTURE = new URL('published-changes.fixture.json', import.meta.url);
const layer = z.object({
  remap: z.union([z.record(z.string(), z.int()), z.string()]),
  codes: z.record(z.string(), z.tuple([z.string(), z.string()])),
  total: z.tuple([z.string(), z.array(z.int())]),
});
const published = z
  .object({ layers: z.record(z.enum(CHANGE_NAMES), layer) })
  .parse(JSON.parse(readFileSync(FIXTURE, 'utf8'))).layers;

function codesOf(...labels: readonly number[]): Record<ChangeName, number> {
  const outputs = {
    Urbanization: new Uint8Array(1),
    Degradation: new Uint8Array(1),
    Deforestation: new Uint8Array(1),
    Afforestation: new Uint8Array(1),
    CropIntensity: new Uint8Array(1),
  };
  changesOf(
    labels.map((label) => Uint8Array.of(label)),
    outputs,
  );
  return {
    Urbanization: outputs.Urbanization[0] ?? 0,
    Degradation: outputs.Degradation[0] ?? 0,
    Deforestation: outputs.Deforestation[0] ?? 0,
    Afforestation: outputs.Afforestation[0] ?? 0,
    CropIntensity: outputs.CropIntensity[0] ?? 0,
  };
}

const NONE = { Urbanization: 0, Degradation: 0, Deforestation: 0, Afforestation: 0, CropIntensity: 0 };

describe('the published tables', () => {
  it.each(CHANGE_NAMES)('%s has the published columns, colours and total', (name) => {
    const { transitions, total } = CHANGE_LAYERS[name];
    expect(Object.fromEntries(transitions.map(({ code, column, color }) => [code, [column, color]]))).toEqual(
      Object.fromEntries(
        Object.entries(published[name].codes).map(([code, [column, color]]) => [code, [column, color.toLowerCase()]]),
      ),
    );
    expect([total.column, total.codes]).toEqual(published[name].total);
  });

  it.each(CHANGE_NAMES)('%s groups the classes as in the published remap', (name) => {
    const publishedRemap = published[name].remap;
    const remap = typeof publishedRemap === 'string' ? published.Deforestation.remap : publishedRemap;
    const groups = Object.keys(remap).map((codes) => codes.split(',').map(Number));
    const sorted = (all: readonly (readonly number[])[]): readonly string[] =>
      all.map((g) => g.toSorted((a, b) => a - b).join(',')).toSorted((a, b) => a.localeCompare(b));
    expect(sorted(Object.values(CHANGE_LAYERS[name].groups))).toEqual(sorted(groups));
  });
});

describe('the change of a pixel', () => {
  it.each([
    ['water that became built-up', [4, 3, 3, 1, 1, 1], { Urbanization: 2 }],
    ['a field that became built-up', [8, 8, 10, 1, 1, 1], { Urbanization: 3, Degradation: 2 }],
    ['a field that fell to scrub', [10, 10, 10, 12, 12], { Degradation: 4 }],
    ['forest that became a field', [6, 6, 6, 9, 9, 9], { Deforestation: 3 }],
    ['barren land that became forest', [7, 7, 7, 6, 6], { Afforestation: 4 }],
    ['forest that remains', [6, 6, 6, 6], { Deforestation: 1, Afforestation: 1 }],
    ['one crop that became three', [8, 9, 9, 11, 11], { Degradation: 1, CropIntensity: 5 }],
    ['two crops that remain two', [10, 10, 8, 10, 10], { Degradation: 1, CropIntensity: 8 }],
    [
      'three years: two of the earlier period and one of the later period',
      [8, 8, 1],
      { Urbanization: 3, Degradation: 2 },
    ],
    ['two years', [6, 12], { Deforestation: 5 }],
    ['one known year in the earlier period', [0, 0, 6, 1, 0, 1], { Urbanization: 3, Deforestation: 2 }],
  ])('%s', (_, labels, expected) => expect(codesOf(...labels)).toEqual({ ...NONE, ...expected }));
});

it.each([
  ['in the earlier period', [0, 0, 0, 1, 1]],
  ['in the later period', [1, 1, 1, 0]],
  ['in the earlier period, with trees later', [0, 0, 0, 6, 8, 6]],
  ['in all years', [0, 0, 0, 0]],
])('a pixel that is unseen %s has the code UNSEEN in every layer', (_, labels) => {
  const unseen = Object.fromEntries(CHANGE_NAMES.map((name) => [name, UNSEEN]));
  expect(codesOf(...labels)).toEqual(unseen);
});

describe('single years with forest, and single years without forest', () => {
  const smoothed = (...labels: readonly number[]): number[] => {
    const smooth = new Uint8Array(labels.length);
    smoothForest(Uint8Array.from(labels), smooth);
    return [...smooth];
  };
  it('are removed if a pixel has three or four such years', () => {
    expect(smoothed(6, 8, 6, 8, 6, 6, 6, 6)).toEqual([6, 6, 6, 6, 6, 6, 6, 6]);
    expect(smoothed(8, 6, 8, 6, 8, 8)).toEqual([8, 8, 8, 8, 8, 8]);
  });
  it('remain if a pixel has fewer or more such years', () => {
    expect(smoothed(6, 6, 8, 6, 6, 6)).toEqual([6, 6, 8, 6, 6, 6]);
    expect(smoothed(8, 6, 8, 6, 8, 6, 8)).toEqual([8, 6, 8, 6, 8, 6, 8]);
  });
  it('are also found if unseen years are next to them; unseen years stay unseen', () => {
    expect(smoothed(6, 0, 6, 0, 6, 0, 6)).toEqual([6, 0, 6, 0, 6, 0, 6]);
    expect(smoothed(6, 8, 0, 6, 8, 6, 0, 6, 6, 6)).toEqual([6, 6, 0, 6, 6, 6, 0, 6, 6, 6]);
    expect(smoothed(8, 0, 6, 8, 6, 0, 8, 8)).toEqual([8, 0, 8, 8, 8, 0, 8, 8]);
  });
  it('are not single years of another class, such as water', () =>
    expect(smoothed(3, 8, 3, 8, 3, 8, 8)).toEqual([3, 8, 3, 8, 3, 8, 8]));
});

it('the areas of a micro-watershed include its unseen land; if more than half of the micro-watershed is unseen, all changes are null', () => {
  const zones = (unseen: number) => ({
    '12_1': Array.from({ length: 256 }, (_, code) => ({ 0: 90 - unseen, 1: 6, 2: 4, 255: unseen })[code] ?? 0),
  });
  const areas = (unseen: number) => {
    const { codes, ...others } = changeAreas(CHANGE_LAYERS.Urbanization, zones(unseen), '12_1');
    return { ...others, codes: codes.map(({ areaHa }) => areaHa) };
  };
  expect(areas(50)).toEqual({ codes: [6, 4, 0, 0], total: 4, unseen: 50 });
  expect(areas(51)).toEqual({ codes: [null, null, null, null], total: null, unseen: 51 });
});

it.each([
  ['of other years', { start_datetime: '2016-07-01T00:00:00Z' }, /cover 2016.*not hydrological years 2017 to 2020/],
  ['of the method without unseen land', { 'headwater:method_version': '1' }, /do not mark the land that was not seen/],
])('rasters %s are refused, with the route that computes them', (_, change, message) => {
  const properties = {
    start_datetime: '2017-07-01T00:00:00Z',
    end_datetime: '2021-06-30T00:00:00Z',
    'headwater:method_version': '2',
  };
  const years = { startYear: 2017, endYear: 2020 };
  expect(() => checkRaster({ properties }, years)).not.toThrow();
  const check = () => checkRaster({ properties: { ...properties, ...change } }, years);
  expect(check).toThrow(message);
  expect(check).toThrow('compute change_detection for these years');
});
