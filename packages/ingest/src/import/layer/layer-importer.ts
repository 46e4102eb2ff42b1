import { type Addresses, type AssetStore, loadPlace, type NewItem, type PixelEngine, type Run } from '@headwater/core';
import { isUnlistedLayer } from '@headwater/core/imports';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import { openFiles, publishRasterLayer, publishVectorLayer, type StyleTexts } from '@headwater/layer-kit';
import { isStacError } from '@headwater/stac';
import type { Importer, ImportRequest } from '../shared/importer.ts';
import { badFile, checkGoesOn, type ImportDeps } from '../shared/import-deps.ts';
import { ImportNotes } from '../shared/import-notes.ts';
import { importPlace } from '../shared/import-place.ts';
import { publishImport } from '../shared/publish-import.ts';
import type { ImportedItem } from './layer-members.ts';
import { checkLayerOptions, type LayerOptions } from './layer-options.ts';
import { layerDigest, standingOf } from './layer-standing.ts';
import { planRaster, rasterDraft, type RasterPlan } from './raster-draft.ts';
import { checkReaches, type ReadVector } from './read-vector.ts';
import { readVectorApart } from './read-vector-apart.ts';
import { readStyles } from './style-files.ts';
import { vectorDraft } from './vector-draft.ts';

const KIND = 'layer';
/** Ends of the names of files that are read. */
export const LAYER_ENDINGS = ['.geojson', '.json', '.tif', '.tiff'];

/** Told of a layer that nobody finds in the list of a tehsil's layers. */
const UNLISTED =
  'by its name the layer is one of those that are served but not listed (run_off, evapotranspiration, precipitation); to list it, import it under another name.';

/** What publishes the files of a layer. */
export interface LayerTools {
  readonly pixels: PixelEngine;
  readonly assets: AssetStore;
  /** Every href of the Item comes from here: the same that runs of this service use. */
  readonly addresses: Addresses;
  /** Version of this software. */
  readonly version: string;
}

/** What an importer of layers stands on. */
export interface LayerImportDeps extends ImportDeps, LayerTools {}

/** A layer that was read: its features, or how its pixels will be kept. */
type ReadLayer = ({ readonly vector: ReadVector } | { readonly raster: RasterPlan }) & {
  readonly notes: ImportNotes['report'];
};

/**
 * Importer of one layer of a tehsil: GeoJSON, or a GeoTIFF, which is written anew as a COG over the tehsil and clipped to it. It is
 * published as the layers of runs are, with Item, record, styles and preview, in place of a layer of the same workspace and name.
 * Throws `validation` for options that cannot be, naming each. What is counted are features; a raster is one.
 */
export function layerImporter(deps: LayerImportDeps, given: LayerOptions): Importer {
  const options = checkLayerOptions(given);
  return {
    kind: KIND,
    endings: LAYER_ENDINGS,
    run: async (request) => {
      checkGoesOn(request);
      const { places } = deps.stores;
      const { tehsil } = await importPlace(places, request, (stem) => stem.replace(`${options.name}_`, ''));
      const place = await loadPlace(tehsil.id, { places, remedies: DEFAULT_REMEDIES });
      const findings = new ImportNotes();
      if (isUnlistedLayer(options.name)) findings.repair({ source: request.fileName, row: 1, repair: UNLISTED });
      const styles = await readStyles(options, request);
      const read = await readLayer(request, { deps, options, place, findings });
      if (!('vector' in read) && !('raster' in read))
        return { kind: KIND, fileName: request.fileName, stored: 0, unchanged: 0, ...read.notes };
      const digest = await layerDigest(request, { options, styles, place });
      const { isShown, formerly } = await standingOf({ options, place, digest }, deps.stores.catalog);
      checkGoesOn(request);
      if (!isShown && request.isTrial !== true) {
        const about = { options, job: place, digest, fileName: request.fileName };
        await publishLayer(deps, { request, read, styles, about, formerly });
      }
      const count = 'vector' in read ? read.vector.features.length : 1;
      const counted = isShown ? { stored: 0, unchanged: count } : { stored: count, unchanged: 0 };
      return { kind: KIND, fileName: request.fileName, ...counted, ...read.notes };
    },
  };
}

interface Reading {
  readonly deps: LayerImportDeps;
  readonly options: LayerOptions;
  readonly place: ImportedItem['job'];
  readonly findings: ImportNotes;
}

/** The layer of a file; notes alone where every feature of it was refused. */
async function readLayer(
  request: ImportRequest,
  { deps, options, place, findings }: Reading,
): Promise<ReadLayer | Pick<ReadLayer, 'notes'>> {
  if (/\.tiff?$/i.test(request.fileName)) {
    const raster = await planRaster(deps.pixels, { options, job: place }, request);
    if (raster.rounding !== undefined) findings.repair({ source: request.fileName, row: 1, repair: raster.rounding });
    return { raster, notes: findings.report };
  }
  const { vector, notes } = await readVectorApart(request, findings.report);
  if (vector === undefined) return { notes };
  checkReaches(vector, place, request);
  return { vector, notes };
}

interface LayerToPublish {
  readonly request: ImportRequest;
  readonly read: ReadLayer;
  readonly styles: Partial<StyleTexts>;
  readonly about: Omit<ImportedItem, 'ports' | 'runId'>;
  readonly formerly: NewItem['formerly'];
}

async function publishLayer(
  deps: LayerImportDeps,
  { request, read, styles, about, formerly }: LayerToPublish,
): Promise<void> {
  const { assets, pixels, addresses, version } = deps;
  const now = deps.now ?? (() => new Date());
  const make = async (run: Run) => {
    const files = await openFiles({ assets }, run);
    const tools = { job: about.job, ports: { addresses, pixels }, files };
    const item = { ...about, ports: { addresses, version, now }, runId: run.id };
    const made =
      'vector' in read
        ? await publishVectorLayer({ ...vectorDraft(item, read.vector, styles), formerly }, tools)
        : await publishRasterLayer(
            { ...(await rasterDraft(item, read.raster, { pixels, files, request, styleTexts: styles })), formerly },
            tools,
          );
    return { ...made, timings: {} };
  };
  const discard = (run: Run) => assets.discard(run.id, run.token);
  try {
    await publishImport(deps, { kind: KIND, request, tehsilId: about.job.place.tehsil.id, make, discard });
  } catch (error) {
    throw isStacError(error) ? badFile(request, `its Item would break the rules of STAC. ${error.message}`) : error;
  }
}
