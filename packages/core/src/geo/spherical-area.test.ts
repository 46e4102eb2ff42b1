import { describe, expect, it } from 'vitest';
import { sphericalAreaHa } from './spherical-area.ts';

const R = 6_371_007.181;
const box = (west: number, south: number, side: number): number[][] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];

describe('sphericalAreaHa', () => {
  it('returns an eighth of the sphere for an octant', () => {
    const octant = {
      type: 'Polygon' as const,
      coordinates: [
        [
          [0, 0],
          [90, 0],
          [0, 90],
          [0, 0],
        ],
      ],
    };
    expect(sphericalAreaHa(octant)).toBeCloseTo((Math.PI * R * R) / 2 / 1e4, 0);
  });

  it('approaches the area of the lon/lat cell on the sphere as edges get short', () => {
    const side = 0.001;
    const [south, north] = [22 * (Math.PI / 180), (22 + side) * (Math.PI / 180)];
    const cell = (R * R * (Math.sin(north) - Math.sin(south)) * side * (Math.PI / 180)) / 1e4;
    expect(sphericalAreaHa({ type: 'Polygon', coordinates: [box(72, 22, side)] }) / cell).toBeCloseTo(1, 8);
  });

  it('subtracts holes, adds parts, and ignores the direction of rings', () => {
    const outer = sphericalAreaHa({ type: 'Polygon', coordinates: [box(72, 22, 0.1)] });
    const hole = sphericalAreaHa({ type: 'Polygon', coordinates: [box(72.02, 22.02, 0.01)] });
    const holed = { type: 'Polygon' as const, coordinates: [box(72, 22, 0.1), box(72.02, 22.02, 0.01)] };
    expect(sphericalAreaHa(holed)).toBeCloseTo(outer - hole, 6);
    const parts = [[box(72, 22, 0.1).toReversed()], [box(72.02, 22.02, 0.01)]];
    expect(sphericalAreaHa({ type: 'MultiPolygon', coordinates: parts })).toBeCloseTo(outer + hole, 6);
  });

  it('takes the shorter way for edges across the antimeridian', () => {
    const plain = sphericalAreaHa({ type: 'Polygon', coordinates: [box(10, -17, 1)] });
    const crossing = [
      [
        [179.5, -17],
        [-179.5, -17],
        [-179.5, -16],
        [179.5, -16],
        [179.5, -17],
      ],
    ];
    expect(sphericalAreaHa({ type: 'Polygon', coordinates: crossing })).toBeCloseTo(plain, 4);
  });

  it('is 0.2-0.3 % larger than the area on the ellipsoid at 22 N', () => {
    const ellipsoidal = cellOnEllipsoidHa(22, 0.1);
    const ratio = sphericalAreaHa({ type: 'Polygon', coordinates: [box(72, 22, 0.1)] }) / ellipsoidal;
    expect(ratio).toBeGreaterThan(1.002);
    expect(ratio).toBeLessThan(1.003);
  });
});

function cellOnEllipsoidHa(south: number, side: number): number {
  const e2 = (1 / 298.257223563) * (2 - 1 / 298.257223563);
  const e = Math.sqrt(e2);
  const q = (lat: number): number => {
    const s = Math.sin((lat * Math.PI) / 180);
    return s / (1 - e2 * s * s) + Math.atanh(e * s) / e;
  };
  return ((6378137 ** 2 * (1 - e2)) / 2) * side * (Math.PI / 180) * (q(south + side) - q(south)) * 1e-4;
}
