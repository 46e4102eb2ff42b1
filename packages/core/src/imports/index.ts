// `@headwater/core/imports`: kinds of imported files, for commands, uploads and importers.

export { findImporter, IMPORT_KINDS, isWhollyRefused } from './find-importer.ts';

/** Names of layers for internal use. */
const UNLISTED = /run_off|evapotranspiration|precipitation/i;
/** Exceptions of `UNLISTED`. */
const LISTED = /mws_connectivity/i;

/** Returns true for a layer that is served but not included in lists of layers. */
export const isUnlistedLayer = (layerName: string): boolean => UNLISTED.test(layerName) && !LISTED.test(layerName);
