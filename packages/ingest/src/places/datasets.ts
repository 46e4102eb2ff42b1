import type { Dataset } from '@headwater/core/ports';

type Seed = Omit<Dataset, 'id'>;

const vector = (name: string, workspace: string): Seed => ({ name, layerType: 'vector', workspace, styleName: '' });
const raster = (name: string, workspace: string, styleName = ''): Seed => ({
  name,
  layerType: 'raster',
  workspace,
  styleName,
});

/**
 * Directory of the known kinds of layers, with their names and workspaces. Existing clients of the public API use these names. The layers
 * of this service are published in these workspaces.
 */
export const DATASETS: readonly Seed[] = [
  vector('Admin Boundary', 'panchayat_boundaries'),
  vector('NREGA Assets', 'nrega_assets'),
  vector('MWS', 'mws'),
  vector('Hydrology', 'mws_layers'),
  vector('Drainage', 'drainage'),
  raster('LULC_level_1', 'LULC_level_1', 'lulc_level_1_style'),
  raster('LULC_level_2', 'LULC_level_2', 'lulc_level_2_style'),
  raster('LULC_level_3', 'LULC_level_3', 'lulc_level_3_style'),
  vector('LULC', 'lulc_vector'),
  vector('Cropping Intensity', 'crop_intensity'),
  vector('Surface Water Bodies', 'swb'),
  vector('Drought', 'drought'),
  vector('Drought Causality', 'drought_causality'),
  raster('Terrain Raster', 'terrain'),
  vector('Terrain Vector', 'terrain'),
  vector('Terrain LULC', 'terrain_lulc'),
  raster('CLART', 'clart'),
  raster('Change Detection Raster', 'change_detection'),
  vector('Change Detection Vector', 'change_detection'),
  vector('Crop GridXlulc', 'crop_grid_layers'),
  raster('Ccd Raster', 'ccd'),
  raster('Canopy Height Raster', 'canopy_height'),
  raster('Tree Overall Change Raster', 'tree_overall_ch'),
  vector('Ccd Vector', 'ccd'),
  vector('Canopy Height Vector', 'canopy_height'),
  vector('Tree Overall Change Vector', 'tree_overall_ch'),
  vector('Stream Order', 'stream_order'),
  raster('Restoration Raster', 'restoration'),
  vector('Restoration Vector', 'restoration'),
  raster('Site Suitability Raster', 'plantation'),
  vector('Site Suitability Vector', 'plantation'),
  vector('Aquifer', 'aquifer'),
  vector('SOGE', 'soge'),
  vector('LCW Conflict', 'lcw'),
  vector('Agroecological', 'agroecological'),
  vector('Factory CSR', 'factory_csr'),
  vector('Green Credit', 'green_credit'),
  vector('Mining', 'mining'),
  raster('Natural Depression', 'natural_depression'),
  raster('Distance to Drainage Line', 'distance_nearest_upstream_DL'),
  raster('Catchment Area', 'catchment_area_singleflow'),
  raster('Slope Percentage', 'slope_percentage'),
  vector('NDVI Timeseries', 'ndvi_timeseries'),
  vector('Mws Connectivity', 'mws_connectivity'),
  vector('Mws Centroid', 'mws_centroid'),
  vector('Facilities Proximity', 'facilities_proximity'),
];
