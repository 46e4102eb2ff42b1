import {
  type Box,
  DomainError,
  type Elevation,
  type PipelinePorts,
  type PixelGrid,
  type ScratchRaster,
  type WorkContext,
} from '@headwater/core';
import { demStep, grown, latticeGrid, publishedGrid } from './dem-grid.ts';

/** Metres around a place whose heights are read: what landforms are compared with is up to 2010 m away. */
const MARGIN = 2100;

/** Heights of a place and around it. */
export interface DemRead {
  readonly elevation: Elevation;
  /** Float32, metres, NaN where nothing is known. */
  readonly heights: ScratchRaster;
  /** Grid of what is published of it. */
  readonly published: PixelGrid;
}

/** What reading heights may use. */
export interface ReadTools {
  readonly ports: Pick<PipelinePorts, 'elevation' | 'pixels' | 'remedies'>;
  readonly work: WorkContext;
  /** Metres of the smallest pixels that are wanted, finer ones are averaged; left out: 10. */
  readonly finest?: number;
}

/** Reads the heights of a box, with 2 km around it as far as there are some. Throws `missing_layer` where a part of the box has none (any more). */
export async function readDem(box: Box, { ports, work, finest }: ReadTools): Promise<DemRead> {
  const wide = grown(box, MARGIN);
  const elevation = (await ports.elevation?.demFor(wide)) ?? (await ports.elevation?.demFor(box));
  const [first] = elevation?.rasters ?? [];
  if (elevation === undefined || first === undefined)
    throw new DomainError(
      'missing_layer',
      `There are no elevations (DEM) of all of the place. ${ports.remedies.elevation}`,
    );
  const dem = await ports.pixels.gridOf(first.href);
  const heights = await ports.pixels.read(
    {
      path: elevation.rasters.map(({ href }) => href),
      grid: latticeGrid(dem, wide, finest),
      type: 'float32',
      resampling: demStep(dem, finest) > 1 ? 'average' : 'bilinear',
      nodata: Number.NaN,
    },
    work,
  );
  return { elevation, heights, published: publishedGrid(dem, box) };
}
