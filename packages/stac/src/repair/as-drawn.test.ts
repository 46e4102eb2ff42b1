import { describe, expect, it } from 'vitest';
import { repairItem } from './repair-item.ts';
import { box, errorsOf, item, polygon, polygons } from './shapes.fixture.ts';

const repaired = (document: unknown): unknown => repairItem(document).document;

describe('repairItem, for long geometries and geometries across the antimeridian', () => {
  const widest = box(-175, -60, 175, 60);
  it.each<[string, object, unknown]>([
    ['missing', polygon(widest), undefined],
    ['rounded', polygon(box(-175.123_456, -60, 175.123_456, 60)), [-175.12, -60, 175.12, 60]],
    ['of another place', polygon(widest, box(-100, -50, 100, 50).toReversed()), [0, 0, 1, 1]],
    ['of one of its parts', polygons(widest, box(0, 70, 1, 71)), [0, 70, 1, 71]],
  ])('keeps a valid polygon of 350 degrees, and corrects only a bbox that is %s', (_, geometry, bbox) => {
    const { document, repairs } = repairItem(item(geometry, bbox));
    expect(repairs.map(({ rule }) => rule)).toEqual(['bbox.matches-geometry']);
    expect(document).toMatchObject({ geometry });
    expect(errorsOf(document)).toEqual([]);
  });

  it('cuts a ring if only a tip of the ring is across the antimeridian, because the uncut ring would cross itself', () => {
    const tip = [
      [160, -10],
      [179, -10],
      [179.5, -0.1],
      [-179.5, 0],
      [179.5, 0.1],
      [179, 10],
      [160, 10],
      [160, -10],
    ];
    const document = repaired(item(polygon(tip)));
    expect(document).toMatchObject({ geometry: { type: 'MultiPolygon' }, bbox: [160, -10, -179.5, 10] });
    expect(errorsOf(document)).toEqual([]);
  });

  const line = (...coordinates: readonly unknown[]): object => ({ type: 'LineString', coordinates });
  const lines = (...coordinates: readonly unknown[]): object => ({ type: 'MultiLineString', coordinates });
  it.each<readonly [what: string, geometry: object, expected: object, bbox: readonly number[]]>([
    [
      'cuts a line that jumps at the antimeridian',
      line([179, 0], [-179, 1]),
      lines(
        [
          [179, 0],
          [180, 0.5],
        ],
        [
          [-180, 0.5],
          [-179, 1],
        ],
      ),
      [179, 0, -179, 1],
    ],
    [
      'cuts a line that crosses the antimeridian and returns, with longitudes beyond 180',
      lines(
        [
          [170, 0],
          [190, 1],
          [170, 2],
        ],
        [
          [1, 1],
          [2, 1],
        ],
      ),
      lines(
        [
          [170, 0],
          [180, 0.5],
        ],
        [
          [-180, 0.5],
          [-170, 1],
          [-180, 1.5],
        ],
        [
          [180, 1.5],
          [170, 2],
        ],
        [
          [1, 1],
          [2, 1],
        ],
      ),
      [1, 0, -170, 2],
    ],
    ['moves a line to longitudes from -180 to 180', line([350, 0], [370, 1]), line([-10, 0], [10, 1]), [-10, 0, 10, 1]],
    [
      'moves a point to longitudes from -180 to 180',
      { type: 'Point', coordinates: [190, 1] },
      { type: 'Point', coordinates: [-170, 1] },
      [-170, 1, -170, 1],
    ],
    [
      'moves points to longitudes from -180 to 180',
      {
        type: 'MultiPoint',
        coordinates: [
          [-181, 1],
          [170, 2],
        ],
      },
      {
        type: 'MultiPoint',
        coordinates: [
          [179, 1],
          [170, 2],
        ],
      },
      [170, 1, 179, 2],
    ],
    [
      'moves a polygon to longitudes from -180 to 180',
      polygon(box(350, 0, 370, 1)),
      polygon(box(-10, 0, 10, 1)),
      [-10, 0, 10, 1],
    ],
  ])('%s', (...[, geometry, expected, bbox]) => {
    const document = repaired(item(geometry));
    expect(document).toMatchObject({ geometry: expected, bbox });
    expect(errorsOf(document)).toEqual([]);
    expect(repairItem(document)).toEqual({ document, repairs: [] });
  });

  it('keeps a line longer than 180 degrees if the bbox encloses it as drawn', () => {
    const document = item(line([179, 0], [-179, 1]), [-179, 0, 179, 1]);
    expect(repairItem(document)).toEqual({ document, repairs: [] });
  });
});
