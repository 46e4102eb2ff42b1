import { describe, expect, it } from 'vitest';
import { findBand } from './bands.ts';

const TIFF = 'image/tiff; application=geotiff; profile=cloud-optimized';
const assetsOf = (members: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(members).map(([key, own]) => [key, { href: `./${key}.tif`, type: TIFF, ...own }]));

describe('a band with assets of several pixel sizes', () => {
  it('is the asset whose key states the smallest pixels, in any order of the assets', () => {
    const assets = assetsOf({
      B04_60m: {},
      B04_20m: {},
      B04_10m: {},
      SCL_60m: {},
      SCL_20m: {},
      B11_60m: {},
      B11_20m: {},
    });
    expect(findBand(assets, 'red')?.key).toBe('B04_10m');
    expect(findBand(assets, 'scl')?.key).toBe('SCL_20m');
    expect(findBand(assets, 'swir16')?.key).toBe('B11_20m');
  });

  it('is chosen by numbers, not by text: 100 m is larger than 20 m', () =>
    expect(findBand(assetsOf({ B04_100m: {}, B04_20m: {} }), 'red')?.key).toBe('B04_20m'));

  it.each([
    ['gsd', { gsd: 60 }, { gsd: 10 }],
    [
      'spatial resolution',
      { 'raster:bands': [{ spatial_resolution: 20 }] },
      { 'raster:bands': [{ spatial_resolution: 10 }] },
    ],
    ['transform', { 'proj:transform': [20, 0, 0, 0, -20, 0] }, { 'proj:transform': [10, 0, 0, 0, -10, 0] }],
  ])('is the asset whose %s states the smallest pixels, if common names identify the band', (_, coarse, fine) => {
    const named = { 'eo:bands': [{ common_name: 'red' }] };
    const assets = assetsOf({ a: { ...named, ...coarse }, b: { ...named, ...fine } });
    expect(findBand(assets, 'red')?.key).toBe('b');
  });

  it('is the asset whose file name states the smallest pixels', () => {
    const assets = assetsOf({ x: { href: 'T43QXX_B04_60m.tif' }, y: { href: 'T43QXX_B04_10m.tif' } });
    expect(findBand(assets, 'red')?.key).toBe('y');
  });

  it('is an asset with a known pixel size, if there is one; of several equal assets, the first', () => {
    expect(findBand(assetsOf({ B04: {}, B04_10m: {} }), 'red')?.key).toBe('B04_10m');
    expect(findBand(assetsOf({ B04: { gsd: 10 }, 'B04.tif': { gsd: 10 } }), 'red')?.key).toBe('B04');
    expect(findBand(assetsOf({ b04: {}, 'B04.tif': {} }), 'red')?.key).toBe('b04');
  });

  it('is an asset whose key has the band id, even if the key of another asset is the common name', () =>
    expect(findBand(assetsOf({ red: { gsd: 60 }, B04_20m: {}, B04_10m: {} }), 'red')?.key).toBe('B04_10m'));
});
