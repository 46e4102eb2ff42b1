import type { Dirent } from 'node:fs';

/** File names of a tehsil's folder in a folder of places. */
export const PLACE_FILES = { boundary: 'boundary.geojson', mws: 'mws.geojson', villages: 'villages.geojson' } as const;

/** True for an entry that is read, or named where it turns out to be no file: a link out of the folder, a pipe, a device. */
export const isPlaceFile = (entry: Dirent): boolean =>
  !entry.isDirectory() && entry.name.toLowerCase().endsWith('.geojson');

/** Folders within each other that are read below a folder of places. */
export const MAX_DEPTH = 4;
