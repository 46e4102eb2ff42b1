import {
  type Box,
  type ComputedPlace,
  DomainError,
  type LayerNeed,
  type OpenedLayer,
  outputGrid,
  type PixelEngine,
  type PixelGrid,
} from '@headwater/core';
import { isMadeFor, nameOfNeed } from '@headwater/core/pipelines';

/** Tolerance for rounded coordinates in files, degrees. */
const SAME = 1e-9;

/** True if a raster with the grid `found` was computed for this lon/lat box. */
export type IsGridOf = (found: PixelGrid, box: Box) => boolean;

/** True for the grid of land cover over the box. Where two of these grids overlap, their pixels coincide. */
export const isOutputGrid: IsGridOf = (found, box) => {
  const wanted = outputGrid(box);
  return (
    found.crs === wanted.crs &&
    found.cols === wanted.cols &&
    found.rows === wanted.rows &&
    Math.abs(found.west - wanted.west) < SAME &&
    Math.abs(found.north - wanted.north) < SAME
  );
};

/** True for grids in EPSG:4326 that enclose the box and extend at most a pixel beyond each side. */
export const isGridAround: IsGridOf = (found, [west, south, east, north]) => {
  const { pixelWidth, pixelHeight } = found;
  const fits = (beyond: number, pixel: number): boolean => beyond > -SAME && beyond < pixel + SAME;
  return (
    found.crs === 'EPSG:4326' &&
    fits(west - found.west, pixelWidth) &&
    fits(found.west + found.cols * pixelWidth - east, pixelWidth) &&
    fits(found.north - north, pixelHeight) &&
    fits(south - (found.north - found.rows * pixelHeight), pixelHeight)
  );
};

interface NeededRaster {
  readonly need: LayerNeed;
  readonly source: Pick<OpenedLayer, 'path' | 'item'>;
  readonly isGridOf: IsGridOf;
}

/** Throws `input_data` for a raster that was computed for another boundary of the place, because it may lack data. */
export async function checkBoundary(
  { box, place, clip }: Pick<ComputedPlace, 'box' | 'place' | 'clip'>,
  { need, source, isGridOf }: NeededRaster,
  pixels: Pick<PixelEngine, 'gridOf'>,
): Promise<void> {
  // If the Item has no digest of the boundary, only the box is compared.
  if (isMadeFor(clip, source.item?.item) && isGridOf(await pixels.gridOf(source.path), box)) return;
  const maker = need.pipeline === undefined ? 'it' : `it with the pipeline ${need.pipeline}`;
  throw new DomainError(
    'input_data',
    `${nameOfNeed(need)} was computed for an earlier boundary of ${place.tehsil.name}; compute ${maker} again, then start this run again.`,
  );
}
