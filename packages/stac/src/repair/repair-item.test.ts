import { describe, expect, it } from 'vitest';
import { pathsOf } from '../geometry/positions.ts';
import type { GeometryLike } from '../geometry/types.ts';
import { sampleRaster, sampleVector } from '../samples.fixture.ts';
import { repairItem } from './repair-item.ts';
import { box, errorsOf, item, polygon, polygons } from './shapes.fixture.ts';

const repaired = (document: unknown): unknown => repairItem(document).document;
const rulesOf = (document: unknown): string[] => repairItem(document).repairs.map(({ rule }) => rule);
const byText = (a: string, b: string): number => a.localeCompare(b);
/** Sorted corners of a ring, independent of its first corner. */
const cornersOf = (ring: readonly (readonly number[])[]): string =>
  [...new Set(ring.map((position) => position.join(',')))].sort(byText).join(' ');
const partsOf = (document: unknown): string[] =>
  pathsOf((document as { geometry: GeometryLike }).geometry)
    .map(cornersOf)
    .sort(byText);

describe('repairItem', () => {
  it('keeps valid documents, and values that are not documents', () => {
    for (const document of [sampleRaster(), sampleVector(), null, 'an id', [], {}, { type: 'Feature', assets: [7] }])
      expect(repairItem(document)).toEqual({ document, repairs: [] });
  });

  it('repairs and reports faults of heights, rings, bbox and times, and does not change its input', () => {
    const open = [
      [92.9, 24.7, 5],
      [92.9, 24.8, 5],
      [93.1, 24.8, 5],
      [93.1, 24.7, 5],
    ];
    const original = item(polygon(open), [92.9, 24.7, 5, 93.1, 24.8, 5]);
    const properties = { ...sampleVector().properties, start_datetime: '2023-07-01T05:30:00.25+05:30' };
    const broken = { ...original, properties };
    const before = structuredClone(broken);
    const { document, repairs } = repairItem(broken);
    expect(broken).toEqual(before);
    const flat = open.map((position) => position.slice(0, 2));
    const closed = [...flat, [92.9, 24.7]];
    expect(repairs).toEqual([
      { pointer: '/geometry/coordinates', rule: 'geometry.heights', before: [open], after: [flat] },
      { pointer: '/geometry/coordinates/0', rule: 'geometry.ring-closed', before: flat, after: closed },
      {
        pointer: '/geometry/coordinates/0',
        rule: 'geometry.ring-orientation',
        before: closed,
        after: closed.toReversed(),
      },
      {
        pointer: '/bbox',
        rule: 'bbox.matches-geometry',
        before: [92.9, 24.7, 5, 93.1, 24.8, 5],
        after: [92.9, 24.7, 93.1, 24.8],
      },
      {
        pointer: '/properties/start_datetime',
        rule: 'metadata.start_datetime',
        before: '2023-07-01T05:30:00.25+05:30',
        after: '2023-07-01T00:00:00.25Z',
      },
    ]);
    expect(errorsOf(broken)).not.toEqual([]);
    expect(errorsOf(document)).toEqual([]);
  });

  it.each<[string, object]>([
    ['longitudes that jump', polygon(box(179, -1, -179, 1))],
    ['longitudes beyond 180 to the east', polygon(box(179, -1, 181, 1))],
    ['longitudes beyond -180 to the west', polygon(box(-181, -1, -179, 1))],
    ['a ring that is clockwise on the globe', polygon(box(179, -1, -179, 1).toReversed())],
  ])('cuts a polygon of %s at the antimeridian, with a bbox across it', (_, geometry) => {
    const document = repaired(item(geometry, [179, -1, -179, 1]));
    const parts = [box(-180, -1, -179, 1), box(179, -1, 180, 1)];
    expect(document).toMatchObject({ bbox: [179, -1, -179, 1], geometry: { type: 'MultiPolygon' } });
    expect(errorsOf(document)).toEqual([]);
    expect(partsOf(document)).toEqual(parts.map(cornersOf).sort(byText));
  });

  it('keeps all digits of longitudes', () => {
    const document = repaired(item(polygon(box(179.7, 0, -120.7, 1))));
    expect(document).toMatchObject({ bbox: [179.7, 0, -120.7, 1] });
    expect(partsOf(document)).toEqual([box(-180, 0, -120.7, 1), box(179.7, 0, 180, 1)].map(cornersOf).sort(byText));
  });

  it('shifts a polygon beyond the antimeridian to longitudes from -180 to 180, and keeps a polygon that writes 180 as -180 on one side', () => {
    expect(repaired(item(polygon(box(181, 0, 182, 1))))).toMatchObject({
      geometry: { type: 'Polygon', coordinates: [box(-179, 0, -178, 1)] },
      bbox: [-179, 0, -178, 1],
    });
    const mixed = [
      [179, 0],
      [180, 0],
      [-180, 1],
      [179, 1],
      [179, 0],
    ];
    expect(repaired(item(polygon(mixed)))).toMatchObject({ bbox: [179, 0, 180, 1] });
  });

  it('keeps each hole in its part, and joins a hole across the antimeridian with the outlines', () => {
    const holes = [box(178.2, 0.2, 178.4, 0.4), box(-178.6, 0.2, -178.4, 0.4), box(179.5, 0.6, -179.5, 0.8)];
    const document = repaired(item(polygon(box(178, 0, -178, 1), ...holes.map((hole) => hole.toReversed()))));
    expect(errorsOf(document)).toEqual([]);
    expect(document).toMatchObject({ geometry: { coordinates: [{ length: 2 }, { length: 2 }] } });
  });

  it('cuts a polygon with a bay across the antimeridian into all three pieces', () => {
    const bay = [
      [179, 0],
      [-179, 0],
      [-179, 1],
      [179.5, 1],
      [179.5, 2],
      [-179, 2],
      [-179, 3],
      [179, 3],
      [179, 0],
    ];
    const document = repaired(item(polygon(bay)));
    expect(errorsOf(document)).toEqual([]);
    expect(document).toMatchObject({ geometry: { coordinates: { length: 3 } }, bbox: [179, 0, -179, 3] });
  });

  const nearlyAround = box(-179, -1, 179, 1);
  it.each<[string, object, readonly number[]]>([
    ['a polygon', polygon(nearlyAround), [-179, -1, 179, 1]],
    ['a polygon with a hole', polygon(nearlyAround, box(-100, -0.5, 100, 0.5).toReversed()), [-179, -1, 179, 1]],
    ['one of several polygons', polygons(box(-10, 2, 10, 3), nearlyAround), [-179, -1, 179, 3]],
    ['a polygon to the antimeridian', polygon(box(-180, -1, 179, 1)), [-180, -1, 179, 1]],
  ])('does not change %s that goes nearly around the globe if the bbox encloses it', (_, geometry, bbox) => {
    const document = item(geometry, bbox);
    expect(errorsOf(document)).toEqual([]);
    expect(repairItem(document)).toEqual({ document, repairs: [] });
  });

  it('closes and reverses the ring of a polygon nearly around the globe, corrects the bbox, and does not cut the polygon', () => {
    const open = nearlyAround.toReversed().slice(1);
    const heights = open.map((position) => [...position, 7]);
    for (const [ring, bbox] of [
      [open, [-179.5, -2, 179.5, 2]],
      [heights, [-179, -1, 7, 179, 1, 7]],
    ]) {
      const document = repaired(item(polygon(ring), bbox));
      expect(document).toMatchObject({ geometry: { type: 'Polygon' }, bbox: [-179, -1, 179, 1] });
      expect(partsOf(document)).toEqual([cornersOf(nearlyAround)]);
      expect(errorsOf(document)).toEqual([]);
    }
  });

  it.each<[string, unknown]>([
    ['crosses the antimeridian', [179, -1, -179, 1]],
    ['goes around the globe', [-180, -90, 180, 90]],
    ['does not enclose the polygon', [-178, -1, 178, 1]],
    ['is to the south of it', [-179, -3, 179, -2]],
    ['has its latitudes in the wrong order', [-179, 1, 179, -1]],
    ['is beyond the Earth', [-200, -1, 200, 1]],
    ['is not a list', 'wide'],
    ['is null', null],
  ])('uses the shorter way round the globe if the bbox %s', (_, bbox) => {
    const document = repaired(item(polygon(box(179, -1, -179, 1)), bbox));
    expect(document).toMatchObject({ geometry: { type: 'MultiPolygon' }, bbox: [179, -1, -179, 1] });
    expect(errorsOf(document)).toEqual([]);
  });

  it('keeps a box around the globe', () => {
    expect(rulesOf(item(polygon(box(-180, -90, 180, 90)), [-180, -90, 180, 90]))).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no geometry', null],
    ['a collection', { type: 'GeometryCollection', geometries: [] }],
    ['latitude first', polygon(box(24.7, 92.9, 24.8, 93.1))],
    ['metres', polygon(box(500_000, 10, 500_100, 20))],
    ['an invalid position', polygon([[0, 0], [1], [1, 1], [0, 0]])],
    [
      'a ring round a pole',
      polygon([
        [0, 80],
        [-90, 80],
        [180, 80],
        [90, 80],
        [0, 80],
      ]),
    ],
    ['more than the whole globe', polygon(box(-200, 0, 200, 1))],
    ['a hole above its exterior', polygon(box(179, 0, 181, 1), box(179.2, 5, 179.4, 6).toReversed())],
    ['a hole outside of its exterior', polygon(box(179, 0, 181, 1), box(10, 0, 11, 1).toReversed())],
    [
      'a ring that crosses itself at the antimeridian',
      polygon([
        [179, 0],
        [181, 0],
        [181, 3],
        [179, 3],
        [179, 1],
        [180.5, 1],
        [180.5, 2],
        [179.5, 2],
        [179, 0],
      ]),
    ],
  ])('changes neither geometry nor bbox if only guessing could repair the geometry: %s', (_, geometry) => {
    const document = item(geometry);
    expect(repairItem(document)).toEqual({ document, repairs: [] });
  });

  it('repairs and reports tens of thousands of polygons, assets and links within seconds', () => {
    const many = 30_000;
    const sample = sampleVector();
    const open = Array.from({ length: many }, (_, index) => [box(index / 1000, 0, index / 1000 + 0.001, 1).slice(1)]);
    const created = '2024-03-01 00:00:00z';
    const link = { ...sample.links[0], created };
    const document = {
      ...item({ type: 'MultiPolygon', coordinates: open }),
      links: Array.from({ length: many }, () => link),
      assets: Object.fromEntries(open.map((_, index) => [`a${index}`, { href: 'https://example.org/x', created }])),
    };
    const before = process.cpuUsage();
    const { repairs } = repairItem(document);
    const { user, system } = process.cpuUsage(before);
    expect(repairs.length).toBe(3 * many + 1);
    expect(document.links.every((each) => each === link)).toBe(true);
    expect(open.every(([ring]) => ring?.length === 4)).toBe(true);
    expect((user + system) / 1e6).toBeLessThan(5);
  });

  it('removes a wrong bbox of the geometry, and adds a missing bbox to the Item', () => {
    const { bbox: _bbox, ...bare } = sampleRaster();
    const { document, repairs } = repairItem({ ...bare, geometry: { ...bare.geometry, bbox: [0, 0, 1, 1] } });
    expect(repairs).toEqual([
      { pointer: '/geometry/bbox', rule: 'geometry.bbox', before: [0, 0, 1, 1], after: undefined },
      { pointer: '/bbox', rule: 'bbox.matches-geometry', before: undefined, after: sampleRaster().bbox },
    ]);
    expect(document).toEqual(sampleRaster());
    expect(document).not.toHaveProperty('geometry.bbox');
  });

  it('converts times of properties, assets, links and bands to UTC, and keeps times without a zone', () => {
    const sample = sampleRaster();
    const { document, repairs } = repairItem({
      ...sample,
      properties: { ...sample.properties, created: '2024-03-01', updated: '2024-03-01T00:00:00' },
      assets: {
        ...sample.assets,
        'a/b': {
          href: 'https://example.org/x',
          created: '2024-03-01 00:30:00z',
          bands: [{ name: 'a' }, { name: 'b', datetime: '2024-03-01T05:30:00+05:30' }],
        },
      },
      links: [{ ...sample.links[0], updated: '2024-03-01T00:30:00.123456789+01:00' }],
    });
    expect(repairs.map(({ pointer, after }) => [pointer, after])).toEqual([
      ['/assets/a~1b/created', '2024-03-01T00:30:00Z'],
      ['/assets/a~1b/bands/1/datetime', '2024-03-01T00:00:00Z'],
      ['/links/0/updated', '2024-02-29T23:30:00.123456789Z'],
    ]);
    expect(document).toMatchObject({ properties: { created: '2024-03-01', updated: '2024-03-01T00:00:00' } });
  });
});
