// `@headwater/core/imports`: kinds of imported files, for commands, uploads and importers.
export { findImporter, IMPORT_KINDS, isWhollyRefused } from './find-importer.ts';
export { isUnlistedLayer } from './unlisted-layer.ts';
