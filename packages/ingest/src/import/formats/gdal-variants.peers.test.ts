import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Position } from 'geojson';
import { signedArea } from '@headwater/stac';
import { afterAll, describe, expect, it } from 'vitest';
import { type FeatureReading, type FeatureVariant, gdalVariants } from '../../../../../scripts/gdal-variants.mjs';
import { VARIANTS } from '../../../../../scripts/slow-suites.mjs';
import { isLong } from '../../../../../scripts/test-length.mjs';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { placePolygons } from '../../places/place-geometry.ts';
import { PositionBudget } from '../../places/place-geometry.ts';
import { contains } from '../../places/ring-lobes.ts';
import type { BadFeature, RawFeature } from '../features/raw-feature.ts';
import { featureReader } from './open-features.ts';

/** Traits of the variants that our reader must refuse, each with the expected message. */
const REFUSED: ReadonlyMap<string, RegExp> = new Map([
  ['no polygons', /has no polygons|must be a Polygon or a MultiPolygon/],
  ['crs', /its CRS is "/],
  ['datum', /its CRS is "/],
  ['layers', /it has 2 layers \(one, other\), but it must have exactly one layer with the name places/],
  ['view', /is a view or a virtual table; write it as a table/],
]);

interface OurFeature {
  readonly properties: RawFeature['properties'];
  readonly polygons: readonly (readonly Position[][])[] | null;
  readonly problem: string | undefined;
}

const folders = { shapefiles: gdalVariants('shapefiles'), geopackages: gdalVariants('geopackages') };
for (const [kind, { reason }] of Object.entries(folders).flatMap(([key, each]) =>
  'reason' in each ? [[key, each] as const] : [],
))
  console.warn(`comparison of ${kind} with GDAL: skipped, ${reason}`);
afterAll(() => {
  for (const each of Object.values(folders))
    if ('folder' in each) rmSync(each.folder, { recursive: true, force: true });
});

const KINDS = ['shapefiles', 'geopackages'] as const;
const hasVariants = Object.values(folders).every((each) => 'variants' in each);

it.skipIf(!hasVariants)(
  'GDAL wrote the expected number of variants; in the long test, all of `REFUSED` occur among them',
  () => {
    const each = KINDS.map((kind) => ({ variants: [], total: 0, ...folders[kind] }));
    const expected = KINDS.map((kind) => VARIANTS[kind]);
    expect(each.map(({ total }) => total)).toEqual(expected.map(({ all }) => all));
    expect(each.map(({ variants }) => variants.length)).toEqual(expected.map(({ all, few }) => (isLong ? all : few)));
    const variants: readonly FeatureVariant[] = each.flatMap((of) => of.variants);
    const tried = new Set(variants.flatMap(({ traits }) => traits));
    expect(isLong ? [...REFUSED.keys()].filter((trait) => !tried.has(trait)) : []).toEqual([]);
  },
);

describe.each(KINDS)(
  '%s: our reader returns the same features as GDAL, or refuses the variant with the expected message',
  (kind) => {
    const { variants } = { variants: [], ...folders[kind] };

    it.each<FeatureVariant>(variants)('$name', async (variant) => {
      const refusals = variant.traits.flatMap((trait) => REFUSED.get(trait)?.source ?? []);
      const ours = await ourFeatures(variant).catch((error: unknown) => {
        if (error instanceof BadPlaceFile && refusals.length > 0) return error.message;
        throw error;
      });
      if (typeof ours === 'string') expect(ours).toMatch(new RegExp(refusals.join('|')));
      else compareAll(ours, variant, refusals);
    });
  },
);

function compareAll(
  ours: readonly OurFeature[],
  { features, tolerance }: FeatureVariant,
  refusals: readonly string[],
): void {
  expect(ours.length).toBe(features.length);
  for (const [index, theirs] of features.entries()) {
    const { problem, ...feature } = ours[index]!;
    if (refusals.length > 0 && problem !== undefined) expect(problem).toMatch(new RegExp(refusals.join('|')));
    else compare({ ...feature, problem }, theirs, tolerance);
  }
  const isRefused = ours.some(({ problem }) => problem !== undefined);
  expect(isRefused, 'the file is refused').toBe(refusals.length > 0 || features.some(({ shape }) => shape === null));
}

async function ourFeatures({ file }: FeatureVariant): Promise<readonly OurFeature[]> {
  const features: OurFeature[] = [];
  const reading = { path: file, fileName: basename(file), layers: ['places'], repair: () => {}, progress: () => {} };
  for await (const feature of featureReader(file)?.(reading) ?? []) features.push(checked(feature));
  return features;
}

function checked(feature: RawFeature | BadFeature): OurFeature {
  if ('problem' in feature) return { properties: null, polygons: null, problem: feature.problem };
  const { properties, geometry } = feature;
  try {
    const budget = new PositionBudget(100_000, 'feature');
    return { properties, polygons: placePolygons(geometry, { budget, report: () => {} }), problem: undefined };
  } catch (error) {
    if (!(error instanceof BadPlaceFile)) throw error;
    return { properties, polygons: null, problem: error.message };
  }
}

function compare({ properties, polygons, problem }: OurFeature, theirs: FeatureReading, tolerance: number): void {
  if (theirs.shape === null) return expect(polygons).toBeNull();
  expect(problem).toBeUndefined();
  expect(properties).toEqual(theirs.properties);
  const { corners, area, points } = theirs.shape;
  const own = (polygons ?? []).flat(2).map(([x = Number.NaN, y = Number.NaN]) => [x, y] as const);
  expect({ far: farFrom(corners, own, tolerance), beyond: farFrom(own, corners, tolerance) }).toEqual({
    far: [],
    beyond: [],
  });
  expect(Math.abs(areaOf(polygons ?? []) - area)).toBeLessThan(Math.max(1e-9, 10 * tolerance));
  const wrong = points.filter(([x, y, inside]) => inside !== (polygons ?? []).some((rings) => isIn(rings, [x, y])));
  expect(wrong).toEqual([]);
}

type Corner = readonly [number, number];

const farFrom = (corners: readonly Corner[], others: readonly Corner[], tolerance: number): readonly Corner[] =>
  corners.filter(([x, y]) => !others.some(([a, b]) => Math.abs(a - x) <= tolerance && Math.abs(b - y) <= tolerance));

const isIn = ([outer = [], ...holes]: readonly Position[][], point: Position): boolean =>
  contains(outer, point) && !holes.some((hole) => contains(hole, point));

const areaOf = (polygons: readonly (readonly Position[][])[]): number =>
  polygons.reduce((sum, [outer = [], ...holes]) => {
    const size = (ring: Position[]): number => Math.abs(signedArea(ring)) / 2;
    return sum + size(outer) - holes.reduce((of, hole) => of + size(hole), 0);
  }, 0);
