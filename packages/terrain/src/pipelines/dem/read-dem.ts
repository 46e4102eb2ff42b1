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
import { evenMargins, grown, latticeGrid, type Margins, publishedGrid, stepWithin } from './dem-grid.ts';

/**
 * Limit of computed pixels. If a place has more, heights are averaged to larger pixels. With about 45 bytes per pixel
 * (70 with drainage lines) the threads that compute flow and landforms need less than 1.5 GB each. A tehsil of 80 km
 * with a margin of 5 km has 9 million pixels of 30 m.
 */
export const MOST_PIXELS = 20_000_000;

/** Heights of a place and its margin. */
export interface DemRead {
  readonly elevation: Elevation;
  /** Float32, metres, NaN for unknown heights. */
  readonly heights: ScratchRaster;
  /** Grid of the published raster. */
  readonly published: PixelGrid;
  /** True if the elevations cover the whole margin. */
  readonly hasMargin: boolean;
  readonly lattice: Lattice;
}

/** Lattice of computed pixels: a grid of the elevations, and the number of its pixels per computed pixel along each axis. */
export interface Lattice {
  readonly grid: PixelGrid;
  readonly step: number;
}

/** Margin of a read, and the ports that it needs. */
export interface DemTools {
  readonly ports: Pick<PipelinePorts, 'elevation' | 'remedies'> & {
    readonly pixels: Pick<PixelEngine, 'gridOf' | 'read'>;
  };
  readonly work: WorkContext;
  readonly margins: Margins;
  /** Lattice to use; default: that of the first raster, with as small a step as `MOST_PIXELS` allows. */
  readonly lattice?: Lattice;
}

/**
 * Reads the heights of a box, with as much of the margin as elevations cover. Throws `missing_layer` if no elevations
 * cover the whole box, or if their files no longer exist.
 */
export async function readDem(box: Box, tools: DemTools): Promise<DemRead> {
  const { ports, work, margins } = tools;
  const wide = grown(box, margins);
  const { elevation, hasMargin } = await elevationsOver(box, tools);
  const lattice = tools.lattice ?? (await latticeOf(elevation.rasters[0].href, wide, tools));
  const { grid: dem, step } = lattice;
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
  return { elevation, heights, published: publishedGrid(dem, box, step), hasMargin, lattice };
}

async function latticeOf(path: string, wide: Box, { ports, work }: DemTools): Promise<Lattice> {
  const grid = await ports.pixels.gridOf(path, {}, work.signal);
  return { grid, step: stepWithin(grid, wide, MOST_PIXELS) };
}

type Rasters = Elevation['rasters'];
/** Elevations with at least one raster. */
interface Found {
  readonly elevation: Elevation & { readonly rasters: readonly [Rasters[number], ...Rasters] };
  readonly hasMargin: boolean;
}

/**
 * Elevations of a box and its margin. If they do not cover the whole margin, each side whose margin they cover is
 * added to those of the box.
 */
async function elevationsOver(
  box: Box,
  { ports, work, margins }: Pick<DemTools, 'ports' | 'work' | 'margins'>,
): Promise<Found> {
  const over = (of: Margins) => ports.elevation?.demFor(grown(box, of), work.signal);
  const whole = await over(margins);
  const elevation = whole ?? (await over(evenMargins(0)));
  const rasters = new Map(elevation?.rasters.map((raster) => [raster.href, raster]));
  if (elevation !== undefined && whole === undefined) {
    for (const side of [0, 1, 2, 3]) {
      const [north, east, south, west] = margins.map((metres, at) => (at === side ? metres : 0));
      const found = await over([north ?? 0, east ?? 0, south ?? 0, west ?? 0]);
      if (found?.title !== elevation.title) continue;
      for (const raster of found.rasters) rasters.set(raster.href, raster);
    }
  }
  const [first, ...others] = rasters.values();
  if (elevation === undefined || first === undefined)
    throw new DomainError('missing_layer', `No elevations (DEM) cover the whole place. ${ports.remedies.elevation}`);
  return { elevation: { ...elevation, rasters: [first, ...others] }, hasMargin: whole !== undefined };
}
