import { expect, it } from 'vitest';
import { createPlaceOutlines, type PlaceOutlines } from './place-outlines.ts';

type Place = Parameters<PlaceOutlines['of']>[0];

const RING = Array.from({ length: 1001 }, (_, at) => {
  const angle = (2 * Math.PI * (at % 1000)) / 1000;
  return [85 + 0.05 * Math.cos(angle), 24 + 0.05 * Math.sin(angle)];
});
const NAMES = { state: 'A', district: 'B', tehsil: 'C', tehsilId: 1 };
const UNIT = { id: 1, slug: 'c', name: 'C', isActive: true };
const TEHSIL = { ...UNIT, districtId: 1, geometry: { type: 'Polygon' as const, coordinates: [RING] } };
const OF_PLACE = { state: UNIT, district: { ...UNIT, stateId: 1 }, tehsil: TEHSIL };

function outlines(): { readonly of: PlaceOutlines['of']; reads: number; ms: number } {
  const world = { reads: 0, ms: 0 };
  const placeOfTehsil = async (): Promise<typeof OF_PLACE> => {
    world.reads += 1;
    return OF_PLACE;
  };
  const sources = { lookups: { tehsilNamed: async () => NAMES }, places: { placeOfTehsil } };
  const { of } = createPlaceOutlines(sources, { now: () => new Date(world.ms) });
  return Object.assign(world, { of });
}

it('the outlines of many places are read again at different times, each once in ten minutes', async () => {
  const world = outlines();
  const places = Array.from({ length: 100 }, (_, at): Place => ({ path: `a/b/c${at}`, box: [85, 24, 85.1, 24.1] }));
  const readsAt = async (ms: number): Promise<number> => {
    world.ms = ms;
    world.reads = 0;
    for (const place of places) await world.of(place);
    return world.reads;
  };
  expect([await readsAt(0), await readsAt(0)]).toEqual([100, 0]);
  const reads: number[] = [];
  for (let minute = 1; minute <= 10; minute += 1) reads.push(await readsAt(minute * 60_000));
  expect(Math.max(...reads)).toBeLessThan(30);
  expect(reads.reduce((sum, count) => sum + count, 0)).toBe(100);
});

it('the outline of a place whose layers have no extent is simplified', async () => {
  const outline = await outlines().of({ path: 'a/b/c', box: [85, 24, 85, 24] });
  expect(outline?.coordinates[0]?.[0]?.length).toBeLessThan(300);
});
