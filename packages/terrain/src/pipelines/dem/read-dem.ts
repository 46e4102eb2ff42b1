import {
  type Box,
  DomainError,
  type Elevation,
  type PipelinePorts,
  type PixelEngine,
  type PixelGrid,
  type ScratchRaster,
  type WorkContext,
} from '@headwater/core';
import { grown, latticeGrid, publishedGrid, stepWithin } from './dem-grid.ts';

/**
 * Pixels that are computed at most; heights are averaged to larger ones where there would be more. At some 45 bytes for each (70 with drainage
 * lines) the thread of flow, and that of landforms, stays below 1.5 GB. A tehsil of 80 km and 5 km around it have 9 million of 30 m.
 */
const MOST_PIXELS = 20_000_000;

/** Heights of a place and around it. */
export interface DemRead {
  readonly elevation: Elevation;
  /** Float32, metres, NaN where nothing is known. */
  readonly heights: ScratchRaster;
  /** Grid of what is published of it. */
  readonly published: PixelGrid;
  /** Whether there are elevations of the whole margin too. */
  readonly hasMargin: boolean;
}

/** Reads the heights of a box, with a margin around it as far as there are some. Throws `missing_layer` where a part of the box has none (any more). */
export async function readDem(
  box: Box,
  {
    ports,
    work,
    metres,
  }: {
    readonly ports: Pick<PipelinePorts, 'elevation' | 'remedies'> & {
      readonly pixels: Pick<PixelEngine, 'gridOf' | 'read'>;
    };
    readonly work: WorkContext;
    /** How far around. */
    readonly metres: number;
  },
): Promise<DemRead> {
  const wide = grown(box, metres);
  const whole = await ports.elevation?.demFor(wide, work.signal);
  const elevation = whole ?? (await ports.elevation?.demFor(box, work.signal));
  const [first] = elevation?.rasters ?? [];
  if (elevation === undefined || first === undefined)
    throw new DomainError(
      'missing_layer',
      `There are no elevations (DEM) of all of the place. ${ports.remedies.elevation}`,
    );
  const dem = await ports.pixels.gridOf(first.href, {}, work.signal);
  const step = stepWithin(dem, wide, MOST_PIXELS);
  const heights = await ports.pixels.read(
    {
      path: elevation.rasters.map(({ href }) => href),
      grid: latticeGrid(dem, wide, step),
      type: 'float32',
      resampling: step > 1 ? 'average' : 'bilinear',
      nodata: Number.NaN,
    },
    work,
  );
  return { elevation, heights, published: publishedGrid(dem, box, step), hasMargin: whole !== undefined };
}
