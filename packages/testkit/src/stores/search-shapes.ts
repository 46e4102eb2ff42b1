import type { MultiPolygon, Polygon, Position } from 'geojson';
import { expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { found, publish } from './search-sample.ts';

const ring = (...[west, south, east, north]: readonly [number, number, number, number]): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...coordinates: Position[][]): Polygon => ({ type: 'Polygon', coordinates });

/** Outlines in a square from 0 to 2. All except `plain` are invalid in PostGIS. */
const OUTLINES: Readonly<Record<string, Polygon | MultiPolygon>> = {
  adjacent: { type: 'MultiPolygon', coordinates: [[ring(0, 0, 1, 2)], [ring(1, 0, 2, 2)]] },
  bow: polygon([
    [0, 0],
    [2, 2],
    [2, 0],
    [0, 2],
    [0, 0],
  ]),
  hole: polygon(ring(0, 0, 2, 2), ring(0, 0.5, 1, 1.5)),
  overlap: { type: 'MultiPolygon', coordinates: [[ring(0, 0, 1.5, 1.5)], [ring(1, 1, 2, 2)]] },
  plain: polygon(ring(0, 0, 2, 2)),
};

/** Test case of searches by geometry with invalid outlines. */
export function searchShapeCases(get: Get): void {
  it('by a geometry finds all Items that it touches, including those with invalid outlines', async () => {
    const stores = get();
    await publish(stores, ...Object.entries(OUTLINES).map(([id, geometry]) => ({ id, geometry })));
    const triangle = polygon([
      [0.1, 0.6],
      [0.4, 1],
      [0.1, 1.4],
      [0.1, 0.6],
    ]);
    const line = (...coordinates: Position[]) => ({ type: 'LineString', coordinates }) as const;
    for (const [intersects, ids] of [
      [{ type: 'Point', coordinates: [1.25, 1.4] }, 'adjacent hole overlap plain'],
      [{ type: 'Point', coordinates: [0.25, 1] }, 'adjacent bow overlap plain'],
      [line([0.75, 0.25], [1.25, 0.25]), 'adjacent hole overlap plain'],
      [line([1, -1], [1, 3]), 'adjacent bow hole overlap plain'],
      [polygon(ring(1.75, 0.75, 1.9, 1.1)), 'adjacent bow hole overlap plain'],
      [triangle, 'adjacent bow overlap plain'],
    ] as const) {
      const foundIds = await found(stores, { intersects, sort: [{ property: 'id', direction: 'asc' }] });
      expect([intersects, foundIds.join(' ')]).toEqual([intersects, ids]);
    }
    const { item } = (await stores.catalog.item('jharkhand/west_singhbhum/chaibasa', 'bow')) ?? {};
    expect(item).toMatchObject({ geometry: OUTLINES['bow'] });
  });
}
