import { expect, it } from 'vitest';
import { outlineDigest } from './outline-digest.ts';

const square = (side: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [77, 18],
      [77 + side, 18],
      [77 + side, 18 + side],
      [77, 18 + side],
      [77, 18],
    ],
  ],
});
/** A square without one corner, with the same bounding box. */
const cut = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [77, 18],
      [78, 18],
      [78, 18.5],
      [77.5, 19],
      [77, 19],
      [77, 18],
    ],
  ],
};

it('the digest is equal for equal outlines, and differs if a corner, part or order differs', () => {
  const digest = outlineDigest([square(1), cut]);
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  expect(outlineDigest(structuredClone([square(1), cut]))).toBe(digest);
  const others = [[cut, square(1)], [square(1)], [cut], [], [square(1 + 1e-9), cut], [square(1), square(1)]];
  const all = [digest, ...others.map((each) => outlineDigest(each))];
  expect(new Set(all).size).toBe(all.length);
});

it('the digest differs between one ring and two rings with the same corners', () => {
  const [ring = []] = cut.coordinates;
  const parts = { type: 'Polygon' as const, coordinates: [ring.slice(0, 3), ring.slice(3)] };
  expect(outlineDigest([parts])).not.toBe(outlineDigest([cut]));
});

it('the digest is the same in every release: with another digest, all published layers would be computed again', () => {
  const high = {
    type: 'MultiPolygon' as const,
    coordinates: [
      [
        [
          [77, 18, 5],
          [78, 18, -0],
          [78, 18.5, 1e-300],
          [77, 18, 5],
        ],
      ],
      cut.coordinates,
    ],
  };
  const digests = [[square(1), cut], [high], []].map((each) => outlineDigest(each));
  expect(digests).toEqual(['7233f1b48ee1be58', '2438c86a685cbf09', '9747b28c85ebca6b']);
});

it('the digest is computed once for all Items of a place', () => {
  let reads = 0;
  const watched = {
    type: 'Polygon' as const,
    get coordinates() {
      reads += 1;
      return cut.coordinates;
    },
  };
  const clip = [watched];
  const first = outlineDigest(clip);
  const readsOfOne = reads;
  expect(readsOfOne).toBeGreaterThan(0);
  expect([outlineDigest(clip), reads]).toEqual([first, readsOfOne]);
});
