import { expect, it } from 'vitest';
import { lulcPipeline } from '../pipeline.ts';
import { lulcMaker } from './maker.ts';

it('reads the year from the name of a level 3 raster, and accepts no other layer', () => {
  expect(lulcMaker.pipeline).toBe(lulcPipeline.name);
  expect(lulcMaker.requestOf('LULC_21_22_a_b_level_3')).toEqual({ startYear: 2021, endYear: 2021 });
  for (const name of [
    '',
    'LULC_21_23_a_b_level_3',
    'LULC_21_22_a_b_level_1',
    'lulc_vector_a_b',
    'LULC_21_22__level_3x',
  ])
    expect(lulcMaker.requestOf(name)).toBeUndefined();
});
