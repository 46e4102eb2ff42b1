// `@headwater/core/imports`: kinds of imported files, for commands, uploads and importers.

export { findImporter, IMPORT_KINDS, isWhollyRefused } from './find-importer.ts';

/** Matches the names of layers that are for internal use. */
const UNLISTED = /run_off|evapotranspiration|precipitation/i;
/** Matches the names of layers that are listed although their names match `UNLISTED`. */
const LISTED = /mws_connectivity/i;

/** True for a layer that is served but not included in lists of layer records. */
export const isUnlistedLayer = (layerName: string): boolean => UNLISTED.test(layerName) && !LISTED.test(layerName);
