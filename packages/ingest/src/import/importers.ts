import { DomainError, type DomainStores, type Importer, type ImportRequest, invalidField } from '@headwater/core';
import { boundaryImporter } from './boundaries/boundary-importer.ts';
import { LAYER_ENDINGS, layerImporter, type LayerTools } from './layer/layer-importer.ts';
import { checkLayerOptions } from './layer/layer-options.ts';
import { SERIES_ENDINGS, seriesImporter } from './series/series-importer.ts';
import { WORKBOOK_ENDINGS, workbookImporter } from './workbook/workbook-importer.ts';

/** The importer of a kind whose files need no options: it throws `validation` where some are given, which nobody would heed. */
function withoutOptions({ run, ...rest }: Importer): Importer {
  return {
    ...rest,
    run: async (request) => {
      if (request.options !== undefined)
        throw invalidField('options', `A file of the kind ${rest.kind} takes none; leave them out.`);
      return await run(request);
    },
  };
}

/** Accounts, of which a superuser owns imports that name no owner. */
export interface Superusers {
  firstSuperuser(): Promise<{ readonly id: number } | undefined>;
}

/** What importers of data need. */
export interface DataImporterDeps {
  readonly stores: DomainStores & { readonly users: Superusers };
  /** What publishes the files of layers; left out: none can be imported. */
  readonly layers?: LayerTools;
}

/** Importers of the data of one tehsil: each file is published in the name of the account that its request tells. */
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

/** The account of a request, or the first superuser. Throws `conflict` where there is neither. */
async function ownerOf({ ownerId }: ImportRequest, { users }: DataImporterDeps['stores']): Promise<number> {
  const id = ownerId ?? (await users.firstSuperuser())?.id;
  if (id !== undefined) return id;
  throw new DomainError(
    'conflict',
    'Imported data are published in the name of a superuser, and there is none yet; make one first.',
  );
}

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
