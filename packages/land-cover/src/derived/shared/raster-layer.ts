import {
  outputGrid,
  rasterQml,
  rasterSld,
  rgb,
  type Rgba,
  type StyleClass,
  type WorkContext,
  type WrittenRaster,
  collectionOf,
  fileName,
} from '@headwater/core';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import { assertValid, type ClassInput, type NonEmpty, rasterItem } from '@headwater/stac';
import type { Box } from '@headwater/core';
import { asset, sideAssets } from '../../items/item-assets.ts';
import { itemIdOf, type ItemWork, layerNamesOf, type LayerSpec, membersOf, type Words } from './described.ts';
import type { MadeLayer } from './derived-pipeline.ts';

const THUMBNAIL_SIZE = 512;

/** A class of a raster: its value, what it is called, how it is drawn. */
export interface RasterClass {
  readonly value: number;
  /** Slug of `classification:classes`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `#rrggbb`. */
  readonly color: string;
}

/** A raster of classes to be published; 0 is no data. */
export interface RasterDraft {
  readonly spec: LayerSpec;
  readonly words: Words;
  readonly raster: ScratchRaster;
  readonly classes: readonly RasterClass[];
  /** What value 0 means. */
  readonly nothing: string;
}

/** A published raster with what its pixels hold. */
export interface MadeRaster extends MadeLayer {
  readonly cog: WrittenRaster;
}

/** Colours of classes; 0 is transparent. */
export const paletteOf = (classes: readonly RasterClass[]): Readonly<Record<number, Rgba>> =>
  Object.fromEntries(classes.map(({ value, color }) => [value, [...rgb(color), 255] as const]));

/** Writes COG, styles and preview of a raster of classes, and its Item, validated. */
export async function writeRasterLayer(
  { spec, words, raster, classes, nothing }: RasterDraft,
  work: ItemWork,
  progress: WorkContext,
): Promise<MadeRaster> {
  const { job, ports, files } = work;
  const id = itemIdOf(job.slugs, spec);
  const names = layerNamesOf(job.slugs, spec);
  const name = fileName(id);
  const palette = paletteOf(classes);
  const titles = Object.fromEntries([[0, nothing], ...classes.map(({ value, title }) => [value, title] as const)]);
  const cog = await ports.pixels.writeCog(
    { raster, grid: outputGrid(job.box), clip: job.clip, palette, names: titles, path: files.path(`${name}.tif`) },
    progress,
  );
  const cogFile = await files.stat(`${name}.tif`);
  await ports.pixels.thumbnail({ path: cog.path, palette, size: THUMBNAIL_SIZE, target: files.path(`${name}.png`) });
  const styles = classes.map(({ value, title, color }): StyleClass => ({ value, label: title, color, alpha: 255 }));
  const qml = await files.write(`${name}.qml`, rasterQml(styles));
  const sld = await files.write(`${name}.sld`, rasterSld(names.layerName, words.title, styles));
  const png = await files.stat(`${name}.png`);
  const { west, north, pixelWidth, pixelHeight, cols, rows } = cog.grid;
  const box: Box = [west, north - rows * pixelHeight, west + cols * pixelWidth, north];
  const item = rasterItem({
    ...membersOf(spec, { words, box }, work),
    grid: { code: 'EPSG:4326', shape: [rows, cols], transform: [pixelWidth, 0, west, 0, -pixelHeight, north], gsd: 10 },
    content: { classes: countedClasses(classes, { cog, nothing }), dataType: 'uint8', nodata: 0 },
    assets: {
      data: { href: ports.addresses.coverage(spec.workspace, names.layerName), title: 'Raster Layer' },
      cog: asset(ports, cogFile, 'Cloud-optimized GeoTIFF'),
      ...sideAssets(ports, { qml, sld, png }),
    },
  });
  assertValid(item);
  return {
    cog,
    item: { id, collectionPath: collectionOf(job.slugs), item: { ...item } },
    layer: {
      workspace: spec.workspace,
      ...names,
      datasetName: spec.dataset,
      layerType: 'raster',
      tehsilId: job.place.tehsil.id,
      itemId: id,
      assetKey: cogFile.key,
      styleKey: qml.key,
    },
  };
}

function countedClasses(
  classes: readonly RasterClass[],
  { cog, nothing }: { readonly cog: WrittenRaster; readonly nothing: string },
): NonEmpty<ClassInput> {
  const { histogram, inside } = cog;
  const all = classes.reduce((sum, { value }) => sum + (histogram[value] ?? 0), 0);
  const background: ClassInput = {
    value: 0,
    name: 'background',
    title: 'Background',
    description: nothing,
    color: '#000000',
    nodata: true,
    count: Math.max(inside - all, 0),
  };
  const counted = classes.map((each): ClassInput => {
    const count = histogram[each.value] ?? 0;
    return { ...each, count, percentage: all === 0 ? 0 : Math.round((1e6 * count) / all) / 1e4 };
  });
  return [background, ...counted];
}
