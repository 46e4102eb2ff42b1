import { DomainError, type Importer, type ImportRequest, type DomainStores } from '@headwater/core';
import { LAYER_ENDINGS, layerImporter, type LayerTools } from './layer/layer-importer.ts';
import { checkLayerOptions } from './layer/layer-options.ts';
import { SERIES_ENDINGS, seriesImporter } from './series/series-importer.ts';
import { withoutOptions } from './shared/import-options.ts';
import { WORKBOOK_ENDINGS, workbookImporter } from './workbook/workbook-importer.ts';

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
