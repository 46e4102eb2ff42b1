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
import { KML_ENDINGS } from '../kml/read-kml.ts';
import { badFile, throwIfStopped, type ImportDeps, type Importer, type ImportRequest } from '../shared/import-deps.ts';
import { ImportNotes } from '../shared/import-notes.ts';
import { importPlace } from '../shared/import-place.ts';
import { limitText } from '../shared/numbers.ts';
import { digestOf, publishImport } from '../shared/publish-import.ts';
import { readWholeXml } from '../workbook/xml-elements.ts';
import { IMPORT_DIGEST, importedDraft, type ImportedItem, importedItemId } from './layer-members.ts';
import { checkLayerOptions, type LayerOptions } from './layer-options.ts';
import { planRaster, rasterDraft, type RasterPlan } from './raster-draft.ts';
import { readVectorInChild } from './read-vector-in-child.ts';
import { checkReaches, type ReadVector } from './read-vector.ts';

interface LayerAtPlace {
  readonly options: LayerOptions;
  readonly place: ComputedPlace;
}

async function layerDigest(
  request: ImportRequest,
  { options, styles, place }: LayerAtPlace & { readonly styles: Partial<StyleTexts> },
): Promise<string> {
  const { styles: _paths, ...described } = options;
  return await sha256(JSON.stringify([await digestOf(request), described, styles.qml, styles.sld, place.clip]));
}

interface LayerComparison {
  /** True if the published layer has the same digest, so that nothing needs to be published. */
  readonly isShown: boolean;
  /** Present Item of the layer, if the new Item has another id. */
  readonly formerly: NewItem['formerly'];
  readonly replaced: ReplacedLayer | undefined;
}

/**
 * Compares the layer with the published layer of the same workspace and name. Throws `validation` if another layer of
 * the place has the id of the new Item.
 */
async function comparePublished(
  { options, place, digest }: LayerAtPlace & { readonly digest: string },
  catalog: CatalogStore,
): Promise<LayerComparison> {
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
      `layer ${other.workspace}:${other.layerName} already has the Item ${id}; choose another name.`,
    );
  const before = layers.find(isThis);
  const item = before === undefined ? undefined : await catalog.item(collectionPath, before.itemId);
  const shown = item === undefined ? undefined : propertiesOfItem(item.item)[IMPORT_DIGEST];
  const isShown = shown === digest;
  return {
    isShown,
    replaced: item === undefined || isShown ? undefined : { isImport: shown !== undefined },
    formerly: before === undefined || before.itemId === id ? undefined : [{ collectionPath, id: before.itemId }],
  };
}

const GREENS = ['#edf8e9', '#bae4b3', '#74c476', '#31a354', '#006d2c'] as const;
const PLAIN = '#31a354';

function vectorDraft(item: ImportedItem, read: ReadVector, styleTexts: Partial<StyleTexts>): VectorLayerDraft {
  const style = styleOf(item.options.title, read);
  const draft = importedDraft(item);
  return {
    ...draft,
    features: read.features,
    columns: read.columns,
    geometry: 'As in the imported file, longitude and latitude (EPSG:4326)',
    style,
    shown: { legend: stepsLegend(style), description: `${draft.members.title}, by ${style.title}.` },
    styleTexts,
  };
}

/**
 * Default style: five equal steps of the first column of type `number` (not `integer`). One colour if there is no
 * such column, or if its values are equal.
 */
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
const ROOTS = { qml: 'qgis', sld: 'StyledLayerDescriptor' } as const;

async function readStyles({ styles = {} }: LayerOptions, request: ImportRequest): Promise<Partial<StyleTexts>> {
  const texts: { qml?: string; sld?: string } = {};
  for (const kind of ['qml', 'sld'] as const) {
    const path = styles[kind];
    if (path !== undefined) texts[kind] = await readStyle(path, kind, request);
  }
  return texts;
}

async function readStyle(path: string, kind: keyof typeof ROOTS, request: ImportRequest): Promise<string> {
  const styleRequest = { ...request, fileName: path };
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0 || size > MOST_BYTES)
    throw badFile(
      styleRequest,
      `the style file is missing, empty, or larger than ${limitText(MOST_BYTES)}; check its name, or simplify the style.`,
    );
  let root: string | undefined;
  const open = (name: string): void => {
    root ??= name;
  };
  await readWholeXml(createReadStream(path), { open, close: () => undefined }, styleRequest);
  if (root !== ROOTS[kind])
    throw badFile(
      styleRequest,
      `it is not a style in ${kind.toUpperCase()}, which begins with <${ROOTS[kind]}>; export the style again.`,
    );
  return await readFile(path, 'utf8');
}

const KIND = 'layer';
/** Endings of files that the importer reads. */
export const LAYER_ENDINGS = ['.geojson', '.json', ...KML_ENDINGS, '.tif', '.tiff'];

/** Note for a layer that the list of a tehsil's layers omits because of its name. */
const UNLISTED =
  'a layer with this name is served but not listed (run_off, evapotranspiration, precipitation); to list it, import it under another name.';

/** Tools that publish the files of a layer. */
export interface LayerTools {
  readonly pixels: PixelEngine;
  readonly assets: AssetStore;
  /** Creates the hrefs of the Item. */
  readonly addresses: Addresses;
  /** Version of Headwater. */
  readonly version: string;
}

interface ReplacedLayer {
  /** False for a layer that a pipeline computed. */
  readonly isImport: boolean;
}

/** Dependencies of an importer of layers. */
export interface LayerImportDeps extends ImportDeps, LayerTools {
  /** Throws if this published layer must not be replaced. */
  readonly checkReplaced?: (layer: ReplacedLayer) => void;
}

type ReadLayer = ({ readonly vector: ReadVector } | { readonly raster: RasterPlan }) & {
  readonly notes: ImportNotes['report'];
};

/**
 * Creates an importer of one layer of a tehsil from GeoJSON, KML or GeoTIFF. The layer is published like a layer of a
 * run, and replaces a layer of the same workspace and name. Throws `validation` with each invalid option.
 */
export function layerImporter(deps: LayerImportDeps, layer: LayerOptions): Importer {
  const options = checkLayerOptions(layer);
  return {
    kind: KIND,
    endings: LAYER_ENDINGS,
    run: async (request) => {
      throwIfStopped(request);
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
      const { isShown, formerly, replaced } = await comparePublished({ options, place, digest }, deps.stores.catalog);
      if (replaced !== undefined) deps.checkReplaced?.(replaced);
      throwIfStopped(request);
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

async function readLayer(
  request: ImportRequest,
  { deps, options, place, findings }: Reading,
): Promise<ReadLayer | Pick<ReadLayer, 'notes'>> {
  if (/\.tiff?$/i.test(request.fileName)) {
    const raster = await planRaster(deps.pixels, { options, job: place }, request);
    if (raster.rounding !== undefined) findings.repair({ source: request.fileName, row: 1, repair: raster.rounding });
    return { raster, notes: findings.report };
  }
  const { vector, notes } = await readVectorInChild(request, findings.report);
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
    const published =
      'vector' in read
        ? await publishVectorLayer({ ...vectorDraft(item, read.vector, styles), formerly }, tools)
        : await publishRasterLayer(
            { ...(await rasterDraft(item, read.raster, { pixels, files, request, styleTexts: styles })), formerly },
            tools,
          );
    return { ...published, timings: {} };
  };
  const discard = (run: Run) => assets.discard(run.id, run.token);
  try {
    await publishImport(deps, { kind: KIND, request, tehsilId: about.job.place.tehsil.id, make, discard });
  } catch (error) {
    throw isStacError(error) ? badFile(request, `its Item would not be valid STAC. ${error.message}`) : error;
  }
}
