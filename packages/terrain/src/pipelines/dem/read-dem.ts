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
 * Limit of computed pixels. If a place has more, heights are averaged to larger pixels. With about 45 bytes per pixel
 * (70 with drainage lines) the threads that compute flow and landforms need less than 1.5 GB each. A tehsil of 80 km
 * with a margin of 5 km has 9 million pixels of 30 m.
 */
const MOST_PIXELS = 20_000_000;

/** Heights of a place and its margin. */
export interface DemRead {
  readonly elevation: Elevation;
  /** Float32, metres, NaN for unknown heights. */
  readonly heights: ScratchRaster;
  /** Grid of the published raster. */
  readonly published: PixelGrid;
  /** True if the elevations cover the whole margin. */
  readonly hasMargin: boolean;
}

/**
 * Reads the heights of a box, with as much of the margin as elevations cover. Throws `missing_layer` if no elevations
 * cover the whole box, or if their files no longer exist.
 */
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
    /** Width of the margin, metres. */
    readonly metres: number;
  },
): Promise<DemRead> {
  const wide = grown(box, metres);
  const whole = await ports.elevation?.demFor(wide, work.signal);
  const elevation = whole ?? (await ports.elevation?.demFor(box, work.signal));
  const [first] = elevation?.rasters ?? [];
  if (elevation === undefined || first === undefined)
    throw new DomainError('missing_layer', `No elevations (DEM) cover the whole place. ${ports.remedies.elevation}`);
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
