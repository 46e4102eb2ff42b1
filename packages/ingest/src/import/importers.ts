import { DomainError, type DomainStores, type Importer, type ImportRequest, invalidField } from '@headwater/core';
import { boundaryImporter } from './boundaries/boundary-importer.ts';
import { LAYER_ENDINGS, layerImporter, type LayerTools } from './layer/layer-importer.ts';
import { checkLayerOptions } from './layer/layer-options.ts';
import { SERIES_ENDINGS, seriesImporter } from './series/series-importer.ts';
import { WORKBOOK_ENDINGS, workbookImporter } from './workbook/workbook-importer.ts';

/** Makes an importer refuse options, because files of its kind have none. */
function withoutOptions({ run, ...rest }: Importer): Importer {
  return {
    ...rest,
    run: async (request) => {
      if (request.options !== undefined)
        throw invalidField('options', `A file of the kind ${rest.kind} has no options; leave them out.`);
      return await run(request);
    },
  };
}

/** Finds the superuser who owns an import if the request names no account. */
export interface Superusers {
  firstSuperuser(): Promise<{ readonly id: number } | undefined>;
}

/** Dependencies of the importers of a tehsil's data. */
export interface DataImporterDeps {
  readonly stores: DomainStores & { readonly users: Superusers };
  /** If absent, layers cannot be imported. */
  readonly layers?: LayerTools;
}

/** Importers of a tehsil's workbooks, series and layers. */
export function dataImporters({ stores, layers }: DataImporterDeps): readonly Importer[] {
  const workbook: Importer = {
    kind: 'workbook',
    endings: WORKBOOK_ENDINGS,
    run: async (request) => workbookImporter({ stores, ownerId: await ownerOf(request, stores) }).run(request),
  };
  const series: Importer = {
    kind: 'series',
    endings: SERIES_ENDINGS,
    run: async (request) => seriesImporter({ stores, ownerId: await ownerOf(request, stores) }).run(request),
  };
  if (layers === undefined) return [workbook, series].map(withoutOptions);
  const layer: Importer = {
    kind: 'layer',
    endings: LAYER_ENDINGS,
    run: async (request) => {
      const options = checkLayerOptions(request.options);
      return layerImporter({ ...layers, stores, ownerId: await ownerOf(request, stores) }, options).run(request);
    },
  };
  return [...[workbook, series].map(withoutOptions), layer];
}

async function ownerOf({ ownerId }: ImportRequest, { users }: DataImporterDeps['stores']): Promise<number> {
  const id = ownerId ?? (await users.firstSuperuser())?.id;
  if (id !== undefined) return id;
  throw new DomainError(
    'conflict',
    'Imported data are published for a superuser, and there is none yet; create one first.',
  );
}

/** Dependencies of all importers. */
export interface ImporterDeps extends DataImporterDeps {
  /** Folder for temporary files; created if missing. */
  readonly scratchDir: string;
}

/** Returns all importers, for the command, the upload and the library. */
export function createImporters(deps: ImporterDeps): readonly Importer[] {
  const boundaries = (['places', 'mws', 'villages'] as const).map((kind) => boundaryImporter(kind, deps));
  return [...boundaries.map(withoutOptions), ...dataImporters(deps)];
}
