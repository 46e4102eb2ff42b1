import { expect, it } from 'vitest';
import { fromUtm, toUtm, utmCrsOf, utmZone } from './utm.ts';

// Expected values (m) of PROJ 9 (pyproj).
it.each([
  ['EPSG:32643', 72.1, 21.7, 199940.317094, 2402431.16806],
  ['EPSG:32643', 78.5, 10.2, 883572.551319, 1129601.901531],
  ['EPSG:32646', 92.9, 24.9, 489900.873557, 2753878.674782],
  ['EPSG:32733', 14.9, -33.2, 490679.547839, 6326536.227233],
  ['EPSG:32643', 81.0, 23.0, 1115676.07929, 2556147.164208],
])('%s of (%d, %d) equals PROJ within 5 micrometres', (...[crs, lon, lat, x, y]) => {
  const zone = utmZone(crs);
  if (zone === undefined) throw new Error('no zone');
  const [east, north] = toUtm(zone, lon, lat);
  expect(east).toBeCloseTo(x, 5);
  expect(north).toBeCloseTo(y, 5);
  const [backLon, backLat] = fromUtm(zone, x, y);
  expect(backLon).toBeCloseTo(lon, 10);
  expect(backLat).toBeCloseTo(lat, 10);
});

it('utmZone parses zones and returns undefined for other systems', () => {
  expect(utmZone('EPSG:32760')).toEqual({ zone: 60, south: true });
  for (const crs of ['EPSG:4326', 'EPSG:32600', 'EPSG:32661', 'EPSG:3857', '32643', ''])
    expect(utmZone(crs)).toBeUndefined();
  expect(utmCrsOf(75, 23)).toBe('EPSG:32643');
  expect(utmCrsOf(-0.1, -1)).toBe('EPSG:32730');
  expect(utmCrsOf(180, 0)).toBe('EPSG:32660');
});
