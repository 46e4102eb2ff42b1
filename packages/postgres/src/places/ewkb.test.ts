import { expect, it } from 'vitest';
import { ewkbHex } from './ewkb.ts';

it('writes byte order, type, SRID, counts and doubles in the layout of PostGIS', () => {
  // The bytes were written by hand: byte order, type with flags, SRID, counts, doubles.
  const ring = [
    [0, 0],
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  const point = (x: string, y: string): string => x + y;
  const [nil, one] = ['0000000000000000', '000000000000f03f'];
  const corners = point(nil, nil) + point(one, nil) + point(nil, one) + point(nil, nil);
  expect(ewkbHex({ type: 'Polygon', coordinates: [ring] })).toBe(`0103000020e61000000100000004000000${corners}`);
  expect(ewkbHex({ type: 'MultiPolygon', coordinates: [[ring], [ring]] })).toBe(
    `0106000020e610000002000000${`01030000000100000004000000${corners}`.repeat(2)}`,
  );
  const tall = ring.map((position, index) => (index === 1 ? [...position, 1] : position));
  expect(ewkbHex({ type: 'Polygon', coordinates: [tall] })).toBe(
    `01030000a0e61000000100000004000000${nil}${nil}${nil}${one}${nil}${one}${nil}${one}${nil}${nil}${nil}${nil}`,
  );
});
