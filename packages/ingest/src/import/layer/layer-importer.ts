import {
  type Addresses,
  type AssetStore,
  collectionOf,
  type ComputedPlace,
  invalidField,
  layerNamesOf,
  loadPlace,
  type NewItem,
  type PixelEngine,
  type Run,
} from '@headwater/core';
import { isUnlistedLayer } from '@headwater/core/imports';
import { DEFAULT_REMEDIES, propertiesOfItem } from '@headwater/core/pipelines';
import type { CatalogStore } from '@headwater/core/ports';
import { sha256 } from '@headwater/core/values';
import {
  openFiles,
  publishRasterLayer,
  publishVectorLayer,
  stepsLegend,
  type StyleTexts,
  type VectorLayerDraft,
  type VectorStyle,
} from '@headwater/layer-kit';
import { isStacError } from '@headwater/stac';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { badFile, checkGoesOn, type ImportDeps } from '../shared/import-deps.ts';
import { ImportNotes } from '../shared/import-notes.ts';
import { importPlace } from '../shared/import-place.ts';
import type { Importer, ImportRequest } from '../shared/importer.ts';
import { digestOf, publishImport } from '../shared/publish-import.ts';
import { readWholeXml } from '../workbook/xml-elements.ts';
import { IMPORT_DIGEST, importedDraft, type ImportedItem, importedItemId } from './layer-members.ts';
import { checkLayerOptions, type LayerOptions } from './layer-options.ts';
import { planRaster, rasterDraft, type RasterPlan } from './raster-draft.ts';
import { readVectorApart } from './read-vector-apart.ts';
import { checkReaches, type ReadVector } from './read-vector.ts';

interface Given {
  readonly options: LayerOptions;
  readonly place: ComputedPlace;
}

/** Text that is equal while a layer would be imported the same: its file, what is said of it, its styles and the place. */
async function layerDigest(
  request: ImportRequest,
  { options, styles, place }: Given & { readonly styles: Partial<StyleTexts> },
): Promise<string> {
  const { styles: _paths, ...said } = options;
  return await sha256(JSON.stringify([await digestOf(request), said, styles.qml, styles.sld, place.clip]));
}

/** How a layer that is to be imported stands to what is published. */
interface LayerStanding {
  /** It is shown already, just so. */
  readonly isShown: boolean;
  /** The Item of the layer that it takes the place of, where that is called otherwise. */
  readonly formerly: NewItem['formerly'];
}

/** Looks at what is published. Throws `validation` where another layer of the place has the Item that this one would have. */
async function standingOf(
  { options, place, digest }: Given & { readonly digest: string },
  catalog: CatalogStore,
): Promise<LayerStanding> {
  const id = importedItemId(options, place.slugs);
  const collectionPath = collectionOf(place.slugs);
  const { layerName } = layerNamesOf(place.slugs, (of) => `${options.name}_${of}`);
  const layers = await catalog.layersOf(place.place.tehsil.id);
  const isThis = (layer: (typeof layers)[number]): boolean =>
    layer.workspace === options.workspace && layer.layerName === layerName;
  const other = layers.find((layer) => layer.itemId === id && !isThis(layer));
  if (other !== undefined)
    throw invalidField(
      'name',
      `layer ${other.workspace}:${other.layerName} has the Item ${id}; give this one another name.`,
    );
  const before = layers.find(isThis);
  const item = before === undefined ? undefined : await catalog.item(collectionPath, before.itemId);
  return {
    isShown: item !== undefined && propertiesOfItem(item.item)[IMPORT_DIGEST] === digest,
    formerly: before === undefined || before.itemId === id ? undefined : [{ collectionPath, id: before.itemId }],
  };
}

const GREENS = ['#edf8e9', '#bae4b3', '#74c476', '#31a354', '#006d2c'] as const;
const PLAIN = '#31a354';

/** An imported vector layer, to be published. */
function vectorDraft(item: ImportedItem, read: ReadVector, styleTexts: Partial<StyleTexts>): VectorLayerDraft {
  const style = styleOf(item.options.title, read);
  const draft = importedDraft(item);
  return {
    ...draft,
    features: read.features,
    columns: read.columns,
    geometry: 'As the imported file has it, longitude and latitude (EPSG:4326)',
    style,
    shown: { legend: stepsLegend(style), description: `${draft.members.title}, by ${style.title}.` },
    styleTexts,
  };
}

/** Five equal steps of the first column of measured numbers; one colour where there is none. */
function styleOf(title: string, { features, columns, shape }: ReadVector): VectorStyle {
  const column = columns.find(({ type }) => type === 'number');
  const values = features.flatMap(({ properties }) => {
    const value = column === undefined ? null : properties[column.name];
    return typeof value === 'number' ? [value] : [];
  });
  const [least, most] = values.reduce(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [Infinity, -Infinity],
  );
  if (column === undefined || !(least < most))
    return { geometry: shape, attribute: '', title, limits: [], colors: [PLAIN], labels: [title] };
  const limits = Array.from({ length: GREENS.length + 1 }, (_, i) => least + ((most - least) * i) / GREENS.length);
  return { geometry: shape, attribute: column.name, title: column.name, limits, colors: GREENS };
}

const MOST_BYTES = 2 * 1024 ** 2;
/** Element in which each kind of file stands. */
const ROOTS = { qml: 'qgis', sld: 'StyledLayerDescriptor' } as const;

/** Style files that were given, as their bytes are. Throws `validation` for what is no such file. */
async function readStyles({ styles = {} }: LayerOptions, request: ImportRequest): Promise<Partial<StyleTexts>> {
  const texts: { qml?: string; sld?: string } = {};
  for (const kind of ['qml', 'sld'] as const) {
    const path = styles[kind];
    if (path !== undefined) texts[kind] = await readStyle(path, kind, request);
  }
  return texts;
}

async function readStyle(path: string, kind: keyof typeof ROOTS, request: ImportRequest): Promise<string> {
  const told = { ...request, fileName: path };
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0 || size > MOST_BYTES) throw badFile(told, `a style is a file of 1 to ${MOST_BYTES} bytes.`);
  let root: string | undefined;
  const open = (name: string): void => {
    root ??= name;
  };
  await readWholeXml(createReadStream(path), { open, close: () => undefined }, told);
  if (root !== ROOTS[kind]) throw badFile(told, `it is no ${kind.toUpperCase()}, which begins with <${ROOTS[kind]}>.`);
  return await readFile(path, 'utf8');
}

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
