import {
  boxPolygon,
  collectionIdOf,
  collectionOf,
  type ComputedPlace,
  type NewItem,
  type NewLayer,
  type PipelinePorts,
  type StoredFile,
  type WrittenRaster,
} from '@headwater/core';
import { itemGrid } from '@headwater/layer-kit';
import { instant, itemId, type NumericBandInput, rasterItem } from '@headwater/stac';

/** Pixel size, degrees. */
export const PIXEL = 0.01;

/** A raster of numeric values (not classes) that is published for a place. */
export interface RasterLayer {
  /** Workspace in the map server. The Item's id ends with the workspace. */
  readonly workspace: string;
  readonly layerName: string;
  readonly title: string;
  readonly lineage: string;
  readonly band: NumericBandInput;
}

/** Written files of a raster layer. */
export interface WrittenLayer {
  readonly cog: WrittenRaster;
  readonly file: StoredFile;
}

/** Builds the Item and the layer record of a raster. */
export function publishedRaster(
  { layer, written, job }: { readonly layer: RasterLayer; readonly written: WrittenLayer; readonly job: ComputedPlace },
  { addresses, version, now }: PipelinePorts,
): { readonly item: NewItem; readonly layer: NewLayer } {
  const { state, district, tehsil } = job.place;
  const { workspace, layerName, title, lineage, band } = layer;
  const { cog, file } = written;
  const id = itemId({ state: state.name, district: district.name, block: tehsil.name, layer: workspace });
  const path = collectionOf(job.slugs);
  const item = rasterItem({
    id,
    geometry: boxPolygon(job.box),
    title: `${title} of ${tehsil.name}`,
    description: 'Invented, for a test.',
    start: instant('2021-07-01T00:00:00Z'),
    end: instant('2021-07-31T00:00:00Z'),
    published: instant(now()),
    keywords: [workspace, tehsil.name],
    processing: { lineage, software: { [workspace]: version } },
    root: { href: addresses.catalog(), title: 'Root' },
    collection: { id: collectionIdOf(job.slugs), href: addresses.collection(path), title: tehsil.name },
    self: addresses.item(path, id),
    grid: itemGrid(cog.grid, 1000),
    content: { bands: [{ ...band, ...(cog.statistics === undefined ? {} : { statistics: cog.statistics }) }] },
    assets: {
      data: { href: addresses.coverage(workspace, layerName), title: 'Raster layer' },
      cog: { href: addresses.file(file.key), title: 'COG', file },
    },
  });
  const record = { workspace, layerName, datasetName: title, tehsilId: tehsil.id, itemId: id };
  return {
    item: { id, collectionPath: path, item: { ...item } },
    layer: { ...record, layerType: 'raster', assetKey: file.key, styleKey: null },
  };
}
