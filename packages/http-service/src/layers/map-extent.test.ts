import { expect, test } from 'vitest';
import { mapScale } from '../pages/map-scale.ts';
import { mapExtent, metresPerDegree } from './map-extent.ts';

test.each([
  [0, 111_319.5],
  [15, 107_550.8],
  [30, 96_486.3],
  [45, 78_846.8],
  [60, 55_800.3],
  [-30, 96_486.3],
])('a degree of longitude at latitude %d is %d m, as in tables of the ellipsoid', (latitude, metres) => {
  expect(metresPerDegree(latitude)).toBeCloseTo(metres, 0);
});

test('the extent of a raster is its grid, and the extent of a vector layer is its box', () => {
  const properties = {
    'proj:code': 'EPSG:4326',
    'proj:transform': [0.0001, 0, 78, 0, -0.0001, 18],
    'proj:shape': [200, 400],
  };
  const extent = mapExtent({ properties, bbox: [0, 0, 1, 1] });
  expect(extent?.degrees[0]).toBeCloseTo(0.04, 9);
  expect(extent?.degrees[1]).toBeCloseTo(0.02, 9);
  expect(extent?.middleLatitude).toBeCloseTo(17.99, 9);
  expect(extent?.widthMetres).toBeCloseTo(0.04 * metresPerDegree(17.99), 3);
  expect(mapExtent({ properties: {}, bbox: [75, 59, 76, 61] })?.widthMetres).toBeCloseTo(55_800.3, 0);
});

test.each([
  [{ properties: { 'proj:code': 'EPSG:32643' }, bbox: [75, 59, 76, 61] }],
  [{ bbox: [179, 0, -179, 1] }],
  [{ bbox: [75, 60, 75, 61] }],
  [{ bbox: [75, 59, 0, 76, 61, 9] }],
  [{ bbox: ['a', 'b', 'c', 'd'] }],
  [{ properties: {}, bbox: 'all' }],
  [{}],
])('returns undefined for %j', (item) => {
  expect(mapExtent(item)).toBeUndefined();
});

test('a degree of longitude is shorter in the north, so the scale bar is longer there', async () => {
  const lengthAt = async (latitude: number): Promise<number> => {
    const extent = mapExtent({ bbox: [75, latitude - 0.1, 75.2, latitude + 0.1] });
    if (extent === undefined) throw new Error('no extent');
    const text = String(await mapScale(extent));
    expect(text).toContain(`Scale bar: 5 km from west to east, at latitude ${latitude.toFixed(1)}° N`);
    expect(text).toContain('north is up');
    return Number(/class="length" width="([\d.]+)"/.exec(text)?.[1]);
  };
  const [south, north] = [await lengthAt(10), await lengthAt(35)];
  expect(north / south).toBeCloseTo(Math.cos((10 * Math.PI) / 180) / Math.cos((35 * Math.PI) / 180), 2);
});
