/**
 * Names of the test data, which the examples of operations contain. The table of operations is built without real layers, so these
 * names are invented. The page of the API reference shows names that exist in the service instead.
 */

/** A successful run, owned by `test_user_0042`. */
export const EXAMPLE_RUN = '0190a000-0000-7000-8000-000000000001';

/** Slugs of the place, as in paths. */
export const EXAMPLE_PLACE = { state: 'sample_state', district: 'sample_district', block: 'sample_tehsil' } as const;

/** Id of the place's Collection in the STAC API. */
export const EXAMPLE_COLLECTION = 'sample_state_sample_district_sample_tehsil';

/** Names of the place, as in queries of the public data. */
export const EXAMPLE_NAMES = { state: 'sample_state', district: 'sample_district', tehsil: 'sample_tehsil' } as const;

/** A point in the tehsil, and the micro-watershed there. */
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

/** Name of the raster: the part after the place in the ids of its Items. */
export const EXAMPLE_DATASET = 'sample_raster';

/** Layers by their names at the map server. */
export const EXAMPLE_LAYERS = {
  raster: { workspace: 'sample_rasters', name: 'sample_raster_sample_district_sample_tehsil' },
  vector: { workspace: 'sample_vectors', name: 'sample_vector_sample_district_sample_tehsil' },
} as const;
