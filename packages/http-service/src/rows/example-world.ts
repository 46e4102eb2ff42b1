/** Invented names of the test data, for the examples of operations. */

/** Successful run of `test_user_0042`. */
export const EXAMPLE_RUN = '0190a000-0000-7000-8000-000000000001';

/** Slugs of the place. */
export const EXAMPLE_PLACE = { state: 'sample_state', district: 'sample_district', block: 'sample_tehsil' } as const;

/** Id of the place's Collection in the STAC API. */
export const EXAMPLE_COLLECTION = 'sample_state_sample_district_sample_tehsil';

/** Names of the place. */
export const EXAMPLE_NAMES = { state: 'sample_state', district: 'sample_district', tehsil: 'sample_tehsil' } as const;

/** Point in the tehsil, and its micro-watershed. */
export const EXAMPLE_POINT = { latitude: '24.01', longitude: '85.01' } as const;
export const EXAMPLE_UID = '12_100174';

/** Id of a published raster Item. */
export const EXAMPLE_ITEM = 'sample_state_sample_district_sample_tehsil_sample_raster_2021';

/** Files of the run's first attempt. */
export const EXAMPLE_FILES = {
  token: '1',
  raster: 'example.tif',
  vector: 'example.geojson',
  style: 'example.qml',
} as const;

/** Name of a published table. */
export const EXAMPLE_TABLE = 'sample_annual';

/** Part after the place in the ids of the raster's Items. */
export const EXAMPLE_DATASET = 'sample_raster';

/** Names of layers at the map server. */
export const EXAMPLE_LAYERS = {
  raster: { workspace: 'sample_rasters', name: 'sample_raster_sample_district_sample_tehsil' },
  vector: { workspace: 'sample_vectors', name: 'sample_vector_sample_district_sample_tehsil' },
} as const;
