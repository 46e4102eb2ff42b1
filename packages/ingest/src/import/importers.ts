import type { Importer, Stores } from '@headwater/core';
import { boundaryImporter } from './boundaries/boundary-importer.ts';

/** What importers need beside their file. */
export interface ImporterDeps {
  readonly stores: Stores;
  /** Folder for working files, made when it is needed; what an import writes there is gone when it ends. */
  readonly scratchDir: string;
}

/** Every kind that can be imported: the only list of them, for the command, the upload and the library call. */
export function createImporters(deps: ImporterDeps): readonly Importer[] {
  return [boundaryImporter('places', deps), boundaryImporter('mws', deps), boundaryImporter('villages', deps)];
}
