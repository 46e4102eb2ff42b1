import type { Importer } from '@headwater/core';
import { boundaryImporter } from './boundaries/boundary-importer.ts';
import { type DataImporterDeps, dataImporters } from './data-importers.ts';
import { withoutOptions } from './shared/import-options.ts';

/** What importers need beside their file. */
export interface ImporterDeps extends DataImporterDeps {
  /** Folder for working files, made when it is needed; what an import writes there is gone when it ends. */
  readonly scratchDir: string;
}

/** Every kind that can be imported: the only list of them, for the command, the upload and the library call. */
export function createImporters(deps: ImporterDeps): readonly Importer[] {
  const boundaries = (['places', 'mws', 'villages'] as const).map((kind) => boundaryImporter(kind, deps));
  return [...boundaries.map(withoutOptions), ...dataImporters(deps)];
}
