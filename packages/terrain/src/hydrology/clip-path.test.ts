import * as fc from 'fast-check';
import type { Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { metresPerDegree } from '../dem/cell-size.ts';
import { clipPath } from './clip-path.ts';
import { insideShares, outlineEdges } from './outline-edges.ts';

const square = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];
const clip = (path: readonly Position[], ...rings: readonly (readonly Position[])[]) =>
  clipPath(path, [outlineEdges(rings)]);

describe('a path clipped to outlines', () => {
  it('is cut at the border on entry and exit', () => {
    const { pieces } = clip(
      [
        [0, 0.5],
        [4, 0.5],
      ],
      square(1, 0, 1),
    );
    expect(pieces).toEqual([
      [
        [1, 0.5],
        [2, 0.5],
      ],
    ]);
  });

  it('continues over several segments, and starts a new piece after a hole', () => {
    const path = [
      [0.5, 1.5],
      [1.5, 1.5],
      [2.5, 1.5],
      [2.5, 2.5],
    ];
    const { pieces, length, inside } = clip(path, square(0, 0, 3), square(1, 1, 1));
    expect(pieces).toEqual([
      [
        [0.5, 1.5],
        [1, 1.5],
      ],
      [
        [2, 1.5],
        [2.5, 1.5],
        [2.5, 2.5],
      ],
    ]);
    expect(length).toBeCloseTo(metresPerDegree(1.5).x + metresPerDegree(2).y, 6);
    expect(inside).toEqual([{ outline: 0, metres: length }]);
  });

  it('is counted in every outline that contains it, and is one piece in the result', () => {
    const outlines = [
      outlineEdges([square(0, 0, 4)]),
      outlineEdges([square(1, 0, 2)]),
      outlineEdges([square(8, 8, 1)]),
    ];
    const path = [
      [0.5, 1],
      [3.5, 1],
      [6, 1],
    ];
    const { pieces, inside, length } = clipPath(path, outlines);
    const degree = metresPerDegree(1).x;
    expect(pieces).toEqual([
      [
        [0.5, 1],
        [3.5, 1],
        [4, 1],
      ],
    ]);
    expect(length).toBeCloseTo(3.5 * degree, 6);
    expect(inside.map(({ outline }) => outline)).toEqual([0, 1]);
    expect(inside[0]?.metres).toBeCloseTo(3.5 * degree, 6);
    expect(inside[1]?.metres).toBeCloseTo(2 * degree, 6);
  });

  it('has the lengths that were computed by hand on the ellipsoid, in two micro-watersheds with a common border', () => {
    // A degree at the equator: a x pi / 180 = 111319.491 m east, a x (1 - e2) x pi / 180 = 110574.276 m north.
    const [southern, northern] = [outlineEdges([square(77, 0, 0.01)]), outlineEdges([square(77, 0.01, 0.01)])];
    const path = [
      [76.995, 0.005],
      [77.005, 0.005],
      [77.005, 0.015],
    ];
    const { pieces, inside, length } = clipPath(path, [southern, northern]);
    expect(pieces).toEqual([
      [
        [77, 0.005],
        [77.005, 0.005],
        [77.005, 0.015],
      ],
    ]);
    // 0.005 x 111319.491 = 556.597 m to the east. In each square, 0.005 x 110574.276 = 552.871 m to the north.
    expect(inside.map(({ metres }) => metres)).toEqual([
      expect.closeTo(556.597 + 552.871, 2),
      expect.closeTo(552.871, 2),
    ]);
    expect(length).toBeCloseTo(556.597 + 2 * 552.871, 2);
  });

  it('along the common border of two outlines is counted in exactly one of them', () => {
    const [west, east] = [outlineEdges([square(77, 0, 1)]), outlineEdges([square(78, 0, 1)])];
    const north = outlineEdges([square(77, 1, 1)]);
    const upwards = [
      [78, 0.25],
      [78, 0.75],
    ];
    const sideways = [
      [77.25, 1],
      [77.75, 1],
    ];
    for (const [path, outlines, degree] of [
      [upwards, [west, east], metresPerDegree(0.5).y],
      [sideways, [west, north], metresPerDegree(1).x],
    ] as const) {
      const { inside, length } = clipPath(path, outlines);
      expect(length).toBeCloseTo(0.5 * degree, 6);
      expect(inside.map(({ metres }) => metres).toSorted((a, b) => a - b)).toEqual([0, expect.closeTo(length, 6)]);
    }
  });

  it('becomes two pieces if it has a vertex exactly where it leaves the first outline', () => {
    const path = [
      [0.5, 0.5],
      [1, 0.5],
      [3, 0.5],
    ];
    const { pieces } = clipPath(path, [outlineEdges([square(0, 0, 1)]), outlineEdges([square(2, 0, 1)])]);
    expect(pieces).toEqual([
      [
        [0.5, 0.5],
        [1, 0.5],
      ],
      [
        [2, 0.5],
        [3, 0.5],
      ],
    ]);
  });

  it('has no piece outside of the outlines', () => {
    expect(
      clip(
        [
          [0, 5],
          [1, 6],
        ],
        square(0, 0, 1),
      ),
    ).toMatchObject({ pieces: [], length: 0 });
  });
});

it('the length inside of exactly one of two outlines is the sum of both lengths minus twice the length inside of both', () => {
  const corner = fc.tuple(fc.double({ min: 0, max: 10, noNaN: true }), fc.double({ min: 0, max: 10, noNaN: true }));
  const ring = fc.array(corner, { minLength: 3, maxLength: 40 });
  const path = fc.tuple(corner, corner);
  fc.assert(
    fc.property(ring, path, fc.double({ min: 0.1, max: 9.9, noNaN: true }), (corners, [a, b], middle) => {
      // An outline of a ring (A) and a half plane (B) contains the points in only one of them (even-odd rule).
      const half = [square(-20, middle - 60, 60)];
      const [x0, y0, x1, y1] = [...a, ...b];
      const share = (rings: readonly (readonly Position[])[]): number => {
        const shares = insideShares(outlineEdges(rings), { x0, y0, x1, y1 });
        return shares.reduce((sum, at, k) => sum + (k % 2 === 0 ? -at : at), 0);
      };
      // |A xor B| = |A| + |B| - 2 |A and B|. `both` is |A and B|: the line is first cut to the pieces in B, then
      // measured in A.
      const within = insideShares(outlineEdges(half), { x0, y0, x1, y1 });
      let both = 0;
      for (let k = 0; k < within.length; k += 2) {
        const [from, to] = [within[k]!, within[k + 1]!];
        const at = (t: number): Position => [x0 + t * (x1 - x0), y0 + t * (y1 - y0)];
        const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [at(from), at(to)];
        const shares = insideShares(outlineEdges([corners]), { x0: ax, y0: ay, x1: bx, y1: by });
        both += (to - from) * shares.reduce((sum, one, i) => sum + (i % 2 === 0 ? -one : one), 0);
      }
      expect(share([corners, ...half])).toBeCloseTo(share([corners]) + share(half) - 2 * both, 6);
    }),
    { seed: 7, numRuns: 300 },
  );
});
