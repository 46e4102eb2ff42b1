import { expect, test } from 'vitest';
import { createPipelines } from './pipelines.ts';

test('every raster product has a common style, with a name that a GeoServer accepts', () => {
  const styles = createPipelines().flatMap((pipeline) => ('styles' in pipeline ? (pipeline.styles ?? []) : []));
  expect(styles.map(({ workspace, name }) => `${workspace}:${name}`).toSorted()).toEqual([
    'LULC_level_1:lulc_level_1',
    'LULC_level_2:lulc_level_2',
    'LULC_level_3:lulc_level_3',
    'catchment_area_singleflow:catchment_area_singleflow_raster',
    'change_detection:change_cropping_intensity_raster',
    'change_detection:change_cropping_reduction_raster',
    'change_detection:change_tree_cover_gain_raster',
    'change_detection:change_tree_cover_loss_raster',
    'change_detection:change_urbanization_raster',
    'distance_nearest_upstream_DL:distance_to_upstream_drainage_line_raster',
    'natural_depression:natural_depressions_raster',
    'slope_percentage:slope_percentage_raster',
    'stream_order:stream_order_raster',
    'terrain:terrain_raster',
  ]);
  for (const { name, sld } of styles) {
    expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/);
    expect(sld).toMatch(/<ColorMap type="(?:values|ramp)"><ColorMapEntry color="#[0-9a-f]{6}"/);
  }
});
