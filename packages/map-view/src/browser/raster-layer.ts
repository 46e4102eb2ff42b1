import type RenderEvent from 'ol/render/Event.js';
import TileLayer from 'ol/layer/Tile.js';
import { transformExtent } from 'ol/proj.js';
import { getRenderPixel } from 'ol/render.js';
import ImageTile from 'ol/source/ImageTile.js';
import { createXYZ } from 'ol/tilegrid.js';
import type { ItemMap } from '@headwater/http-service';
import type { RasterFile } from './raster-file.ts';
import { MAP_CRS } from './sample.ts';

/** Map layer of one year. */
export interface RasterLayer {
  readonly layer: TileLayer;
  readonly label: string;
  /** Value at a point; undefined outside of the raster and for nodata. */
  valueAt(point: readonly number[]): Promise<number | undefined>;
  /** Confidence at a point, percent; undefined for 0 and nodata, and without a confidence file. */
  confidenceAt(point: readonly number[]): Promise<number | undefined>;
  /** Draws the pixels again after the shown classes changed. */
  redraw(): void;
}

const TILE = 256;
/** Pixel size for a single point, smaller than all pixels, so that the finest level is read. */
const FINEST = 1e-9;

/** Parts of the drawing that all years share. */
export interface Drawing {
  readonly box: ItemMap['box'];
  /** Returns RGBA for each value. */
  readonly pixels: (values: ArrayLike<number>) => Uint8ClampedArray<ArrayBuffer>;
  readonly onFailure: (error: unknown) => void;
}

/** Creates the layer of a year. The file is opened at the first read. */
export function rasterLayer(
  { label, raster, confidence }: ItemMap['years'][number],
  { box, pixels, onFailure }: Drawing,
): RasterLayer {
  const file = opened(raster);
  const confidences = confidence === undefined ? undefined : opened(confidence);
  const grid = createXYZ({ tileSize: TILE });
  const source = new ImageTile({
    tileGrid: grid,
    interpolate: false,
    transition: 0,
    loader: async (z, x, y) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: TILE, height: TILE });
      const size = grid.getResolution(z);
      const [left = 0, , , top = 0] = grid.getTileCoordExtent([z, x, y]);
      try {
        const values = await (await file()).valuesAt(centres(left, top, size), size);
        canvas.getContext('2d')?.putImageData(new ImageData(pixels(values), TILE, TILE), 0, 0);
      } catch (error) {
        onFailure(error);
        throw error;
      }
      return canvas;
    },
  });
  // Raises the revision, because OpenLayers does not notice the first change of a source that it drew at revision 0.
  source.changed();
  const layer = new TileLayer({ source, extent: transformExtent([...box], 'EPSG:4326', MAP_CRS) });
  const valueIn = async (from: () => Promise<RasterFile>, [x = 0, y = 0]: readonly number[]) => {
    const [value = NaN] = await (await from()).valuesAt([x, y], FINEST);
    return Number.isNaN(value) ? undefined : value;
  };
  return {
    layer,
    label,
    valueAt: (point) => valueIn(file, point),
    confidenceAt: async (point) => (confidences && (await valueIn(confidences, point))) || undefined,
    redraw: () => source.refresh(),
  };
}

/** Opens the file once; a failure is not cached. */
function opened(address: string): () => Promise<RasterFile> {
  let file: Promise<RasterFile> | undefined;
  return async () => {
    file ??= import('./raster-file.ts').then(({ openRaster }) => openRaster(address));
    file.catch(() => (file = undefined));
    return await file;
  };
}

function centres(left: number, top: number, size: number): number[] {
  const points: number[] = [];
  for (let row = 0; row < TILE; row++)
    for (let column = 0; column < TILE; column++) points.push(left + (column + 0.5) * size, top - (row + 0.5) * size);
  return points;
}

/**
 * Clips a layer at the line between two years. `share`: position of the line, share of the map's width; undefined for
 * one year.
 */
export function clip(layer: TileLayer, side: 'left' | 'right', share: () => number | undefined): void {
  layer.on('prerender', (event: RenderEvent) => {
    const context = event.context as CanvasRenderingContext2D;
    const [width = 0, height = 0] = event.frameState?.size ?? [];
    const at = (share() ?? 1) * width;
    // The path extends beyond the map, because a path without area would not clip.
    const [from, to] = side === 'left' ? [-1, at] : [at, width + 1];
    const corners = [
      [from, 0],
      [to, 0],
      [to, height],
      [from, height],
    ].map((corner) => getRenderPixel(event, corner));
    context.save();
    context.beginPath();
    for (const [x = 0, y = 0] of corners) context.lineTo(x, y);
    context.clip();
  });
  layer.on('postrender', (event: RenderEvent) => (event.context as CanvasRenderingContext2D).restore());
}
