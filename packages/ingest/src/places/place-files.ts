/** File names of a tehsil's folder under `DATA_DIR/places`. */
export const PLACE_FILES = { boundary: 'boundary.geojson', mws: 'mws.geojson', villages: 'villages.geojson' } as const;
