import { describe, expect, it } from 'vitest';
import { bandOf, factsOf, metresOf } from './scene-names.ts';

describe('factsOf', () => {
  it('reads the name of a product', () => {
    expect(factsOf(['S2B_MSIL2A_20220615T051131_N0400_R019_T43QGV_20220615T083012.SAFE'])).toEqual({
      product: 'S2B_MSIL2A_20220615T051131_N0400_R019_T43QGV_20220615T083012',
      tile: '43QGV',
      day: '2022-06-15',
      time: '05:11:31',
      baseline: '04.00',
      madeAt: '2022-06-15T08:30:12Z',
      platform: 'S2B',
      isL2A: true,
    });
    expect(factsOf(['S2A_MSIL1C_20220615T051131_N0400_R019_T43QGV_20220615T083012']).isL2A).toBe(false);
  });

  it.each([
    [['T43QGV_20220115T051131_B02_10m.jp2'], { tile: '43QGV', day: '2022-01-15', time: '05:11:31' }],
    [['L2A_T43QGV_20180115T051131_B02_10m.jp2'], { tile: '43QGV', day: '2018-01-15', time: '05:11:31' }],
    [['B02.tif', 'S2A_43QGV_20220115_0_L2A'], { tile: '43QGV', day: '2022-01-15', platform: 'S2A' }],
    [['2022-01-15-00:00_2022-01-15-23:59_Sentinel-2_L2A_B04_(Raw).tiff'], { day: '2022-01-15' }],
    [['B02.tif', '2022_01_15', '2019-01-01'], { day: '2022-01-15' }],
    [['B02 2022.01.15 N0510_x.tif'], { day: '2022-01-15' }],
    [['B02_20221315.tif'], {}],
    [['B02_120220115.tif', 'x'], {}],
  ])('reads %j', (names, facts) => {
    expect(factsOf(names)).toEqual({ ...facts, isL2A: true });
  });
});

it('finds the band and the pixel size in a name, and recognises images that no layer reads', () => {
  const bands = [
    'T43QGV_20220115T051131_B02_10m.jp2',
    'B2.tif',
    'my scene (B08).TIF',
    '2022-01-15_Sentinel-2_L2A_B11_(Raw).tiff',
    'red.tif',
    'x_SCL_20m.jp2',
  ].map(bandOf);
  expect(bands).toEqual(['blue', 'blue', 'nir', 'swir16', 'red', 'scl']);
  const unused = ['B8A_20m.jp2', 'B01.tif', 'T43_TCI_10m.jp2', 'MSK_QUALIT_B02.jp2', 'B05.tif', 'B10.tif'].map(bandOf);
  expect(unused).toEqual(['unused', 'unused', 'unused', 'unused', 'unused', 'unused']);
  expect(['scene.tif', 'B04_B08.tif', 'AB02.tif', 'B13.tif'].map(bandOf)).toEqual(Array(4).fill(undefined));
  expect([metresOf(['B02_10m.jp2']), metresOf(['B02.jp2', 'R20m']), metresOf(['B02_100m.jp2'])]).toEqual([
    10,
    20,
    undefined,
  ]);
});
