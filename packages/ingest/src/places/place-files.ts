/** File names of a tehsil's folder in a folder of places. */
export const PLACE_FILES = { boundary: 'boundary.geojson', mws: 'mws.geojson', villages: 'villages.geojson' } as const;

/** Folders within each other that are read below a folder of places. */
export const MAX_DEPTH = 4;
