import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bboxOf } from '../geometry/bbox.ts';
import { pathsOf } from '../geometry/positions.ts';
import { normalizeGeometry, signedArea } from '../geometry/rings.ts';
import type { GeometryLike } from '../geometry/types.ts';
import { sampleVector } from '../samples.fixture.ts';
import { validateItem } from '../validate/item.ts';
import { Draft } from './draft.ts';
import { repairItem } from './repair-item.ts';

const RUNS = { seed: 12, numRuns: 500 };

/** A closed ring around a centre. Radii differ by direction, so that the ring has bays. */
function star(centre: readonly [number, number], radii: readonly number[]): number[][] {
  const open = radii.map((radius, index) => {
    const angle = (2 * Math.PI * index) / radii.length;
    return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)];
  });
  return [...open, ...open.slice(0, 1)];
}

interface Shape {
  readonly rings: readonly number[][][];
  readonly damage: Damage;
}

const damage = fc.record({
  jumps: fc.boolean(),
  open: fc.boolean(),
  reversed: fc.boolean(),
  heights: fc.boolean(),
  multi: fc.boolean(),
  offset: fc.constantFrom('Z', '+05:30', '-11:00', '+00:00', 'z'),
  bbox: fc.constantFrom<unknown>(undefined, [0, 0, 1, 1], [0, 0, 0, 1, 1, 1], 'wide'),
});
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;
const NO_DAMAGE: Damage = {
  jumps: false,
  open: false,
  reversed: false,
  heights: false,
  multi: false,
  offset: 'Z',
  bbox: undefined,
};

const radius = fc.double({ min: 0.5, max: 20, noNaN: true });
const shape = fc
  .record({
    lon: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 179.5, -165)),
    lat: fc.double({ min: -60, max: 60, noNaN: true }),
    radii: fc.array(radius, { minLength: 4, maxLength: 24 }),
    hole: fc.option(fc.double({ min: 0.1, max: 0.9, noNaN: true })),
    damage,
  })
  .map(({ lon, lat, radii, hole, damage: changes }): Shape => {
    const exterior = star([lon, lat], radii);
    const inner =
      hole === null
        ? []
        : [
            star(
              [lon, lat],
              radii.map((each) => each * hole),
            ).toReversed(),
          ];
    return { rings: [exterior, ...inner], damage: changes };
  });

function broken({ rings, damage: changes }: Shape): object {
  const coordinates = rings.map((ring) => {
    const placed = ring.map(([lon = 0, lat = 0]) => [
      changes.jumps ? ((((lon + 180) % 360) + 360) % 360) - 180 : lon,
      lat,
      ...(changes.heights ? [7] : []),
    ]);
    const opened = changes.open ? placed.slice(0, -1) : placed;
    return changes.reversed ? opened.toReversed() : opened;
  });
  const sample = sampleVector();
  return {
    ...sample,
    geometry: changes.multi ? { type: 'MultiPolygon', coordinates: [coordinates] } : { type: 'Polygon', coordinates },
    // A reversed ring across the antimeridian may be the valid outline of another area; only the bbox shows the
    // intended area.
    ...(changes.jumps && changes.reversed ? { bbox: [179, -90, -179, 90] } : {}),
    ...(changes.bbox === undefined || (changes.jumps && changes.reversed) ? {} : { bbox: changes.bbox }),
    properties: { ...sample.properties, end_datetime: `2024-06-30T12:00:00${changes.offset}` },
  };
}

const geometryOf = (document: unknown): GeometryLike => (document as { geometry: GeometryLike }).geometry;
const areaOf = (rings: readonly (readonly (readonly number[])[])[]): number =>
  rings.reduce((sum, ring) => sum + signedArea(ring), 0);

describe('repairItem, for stars at random places, some with a hole, damaged in random ways', () => {
  it('returns a valid Item of the same area, and a second repair changes nothing', () => {
    fc.assert(
      fc.property(shape, (drawn) => {
        const document = broken(drawn);
        const before = structuredClone(document);
        const mended = repairItem(document);
        expect(document).toEqual(before);
        expect(validateItem(mended.document, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(areaOf(pathsOf(geometryOf(mended.document))) / areaOf(drawn.rings)).toBeCloseTo(1, 9);
        expect(repairItem(mended.document)).toEqual({ document: mended.document, repairs: [] });
      }),
      RUNS,
    );
  });

  it('keeps valid Items, including those with edges longer than 180 degrees', () => {
    fc.assert(
      fc.property(shape, ({ rings }) => {
        const drawn = broken({ rings, damage: { ...NO_DAMAGE, jumps: true } });
        const geometry = normalizeGeometry(geometryOf(drawn));
        const document = { ...drawn, geometry, bbox: bboxOf(geometry) };
        expect(validateItem(document, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(repairItem(document)).toEqual({ document, repairs: [] });
      }),
      RUNS,
    );
  });

  it('reports all repairs: applied to the original they give the repaired Item, and undone they give the original', () => {
    fc.assert(
      fc.property(shape, (drawn) => {
        const document = broken(drawn);
        const mended = repairItem(document);
        const forth = new Draft(document);
        for (const { pointer, rule, before, after } of mended.repairs) {
          expect(forth.read(keysOf(pointer))).toEqual(before);
          forth.write(keysOf(pointer), rule, after);
        }
        expect(forth.document).toEqual(mended.document);
        const back = new Draft(mended.document);
        for (const { pointer, rule, before } of mended.repairs.toReversed()) back.write(keysOf(pointer), rule, before);
        expect(back.document).toEqual(document);
      }),
      RUNS,
    );
  });

  it('does not throw for any coordinates and times, and a second repair changes nothing', () => {
    const position = fc.tuple(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -95, max: 95 }));
    const rings = fc.array(fc.array(fc.oneof(position, fc.jsonValue()), { maxLength: 7 }), { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.oneof(rings, fc.array(fc.array(position, { minLength: 3, maxLength: 6 }))),
        fc.jsonValue(),
        (coordinates, time) => {
          const document = { geometry: { type: 'Polygon', coordinates }, properties: { datetime: time }, assets: time };
          const mended = repairItem(document);
          expect(repairItem(mended.document)).toEqual({ document: mended.document, repairs: [] });
        },
      ),
      RUNS,
    );
  });
});

function keysOf(pointer: string): string[] {
  return pointer.split('/').slice(1);
}
