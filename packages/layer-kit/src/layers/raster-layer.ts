import {
  boxPolygon,
  fileName,
  layerNamesOf,
  type PixelGrid,
  type StoredFile,
  type WrittenRaster,
} from '@headwater/core';
import type { ThumbnailColors } from '@headwater/core/ports';
import { type ExtraAssetInput, type RasterContent, type RasterGrid, rasterItem } from '@headwater/stac';
import {
  fileAsset,
  type PreviewText,
  sideAssets,
  type StyleTexts,
  THUMBNAIL_SIZE,
  writeStyles,
} from './layer-files.ts';
import { type LayerDraft, type LayerTools, type RunOutput, layerOutput } from './layer-output.ts';

/** A raster layer to publish; its COG is already written. */
export interface RasterLayerDraft extends LayerDraft {
  readonly cog: WrittenRaster;
  /** The written COG in the folder of the run. */
  readonly file: StoredFile;
  /** Ground sample distance, metres. */
  readonly gsd: number;
  readonly content: RasterContent;
  readonly style: (layerName: string) => StyleTexts;
  readonly colors: ThumbnailColors;
  /** Description and legend of the preview. Default: classes of the layer. */
  readonly shown?: PreviewText;
  /** Additional files by asset key. */
  readonly others?: Readonly<Record<string, ExtraAssetInput>>;
}

/** Writes the styles and the preview of a raster layer; returns its validated Item and its records. */
export async function publishRasterLayer(draft: RasterLayerDraft, tools: LayerTools): Promise<RunOutput> {
  const { job, ports, files } = tools;
  const { members, workspace, cog, file, colors, others } = draft;
  const name = fileName(members.id);
  const { layerName } = layerNamesOf(job.slugs, draft.layerName);
  const target = files.path(`${name}.png`);
  await ports.pixels.thumbnail({ ...colors, path: cog.path, size: THUMBNAIL_SIZE, target });
  const styles = await writeStyles(name, draft.style(layerName), files);
  const png = await files.stat(`${name}.png`);
  const { west, north, pixelWidth, pixelHeight, cols, rows } = cog.grid;
  const item = rasterItem({
    ...members,
    geometry: boxPolygon([west, north - rows * pixelHeight, west + cols * pixelWidth, north]),
    grid: itemGrid(cog.grid, draft.gsd),
    content: draft.content,
    assets: {
      data:
        job.region === undefined
          ? { href: ports.addresses.coverage(workspace, layerName), title: 'Raster Layer' }
          : fileAsset(ports, file, 'Raster Layer'),
      cog: fileAsset(ports, file, 'Cloud-optimized GeoTIFF'),
      ...sideAssets(ports, { ...styles, png }, draft.shown),
      ...(others === undefined ? {} : { others }),
    },
  });
  return layerOutput(draft, { item, layerType: 'raster', file, styles }, job);
}

/** Returns the grid of a written raster as Items need it; `gsd` in m. */
export const itemGrid = (
  { crs, west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid,
  gsd: number,
): RasterGrid => ({
  code: crs,
  shape: [rows, cols],
  transform: [pixelWidth, 0, west, 0, -pixelHeight, north],
  gsd,
});
