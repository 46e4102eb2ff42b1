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

/** Degrees: what reading and writing a file may change. */
const SAME = 1e-9;

/** Whether a grid is that of a raster which was made for a lon/lat box. */
export type IsGridOf = (found: PixelGrid, box: Box) => boolean;

/** On the lattice of all rasters of land cover, so that a pixel of one is a pixel of the other wherever both have one. */
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

/** On whatever lattice: it has the box, and beyond it less than a pixel on each side. */
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

/** A raster that is needed, opened, and how its grid lies. */
interface NeededRaster {
  readonly need: LayerNeed;
  readonly source: Pick<OpenedLayer, 'path' | 'item'>;
  readonly isGridOf: IsGridOf;
}

/** Throws `input_data` for a raster that was not made for the place as its boundary is today: land beyond it would count as without data. */
export async function checkBoundary(
  { box, place, clip }: Pick<ComputedPlace, 'box' | 'place' | 'clip'>,
  { need, source, isGridOf }: NeededRaster,
  pixels: Pick<PixelEngine, 'gridOf'>,
): Promise<void> {
  // Of an Item that tells no boundary the box decides alone.
  if (isMadeFor(clip, source.item?.item) && isGridOf(await pixels.gridOf(source.path), box)) return;
  const maker = need.pipeline === undefined ? 'it' : `it by ${need.pipeline}`;
  throw new DomainError(
    'input_data',
    `${nameOfNeed(need)} was made for another boundary of ${place.tehsil.name} than today's; make ${maker} again, then start this run again.`,
  );
}
