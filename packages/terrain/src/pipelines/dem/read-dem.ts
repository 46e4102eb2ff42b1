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
import { grown, latticeGrid, type Margins, publishedGrid, stepWithin } from './dem-grid.ts';

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
  /** A narrower read of the same box. Its data set, rasters and lattice are kept. Default: the first read. */
  readonly narrower?: Pick<DemRead, 'elevation' | 'lattice'>;
}

/**
 * Reads the heights of a box, with as much of the margin as elevations cover. Throws `missing_layer` if no elevations
 * cover the whole box, or if their files no longer exist.
 */
export async function readDem(box: Box, tools: DemTools): Promise<DemRead> {
  const { ports, work, margins, narrower } = tools;
  const wide = grown(box, margins);
  const found = await elevationsOver(box, {
    margins,
    source: ports.elevation,
    signal: work.signal,
    before: narrower?.elevation,
  });
  const [first] = found?.elevation.rasters ?? [];
  if (found === undefined || first === undefined)
    throw new DomainError('missing_layer', `No elevations (DEM) cover the whole place. ${ports.remedies.elevation}`);
  const { elevation, hasMargin } = found;
  // Without a narrower read, the first raster has the finest pixels.
  const lattice = narrower?.lattice ?? (await latticeOf(first.href, wide, tools));
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

/** Source of elevations, and the margins of a read. */
interface Reach {
  readonly source: PipelinePorts['elevation'];
  readonly margins: Margins;
  readonly signal: AbortSignal | undefined;
  /** Elevations of narrower margins, to which the elevations of these margins are added. */
  readonly before?: Elevation | undefined;
}

/**
 * Elevations of a box and its margin; undefined if none cover the box. If they do not cover the whole margin, the
 * result has all rasters of their data set that overlap the margin. Wider margins never change the data set. Heights of
 * two data sets differ by metres, so a wider window would have other heights inside of the place than a narrower
 * window.
 */
export async function elevationsOver(
  box: Box,
  { source, margins, signal, before }: Reach,
): Promise<{ readonly elevation: Elevation; readonly hasMargin: boolean } | undefined> {
  const wide = grown(box, margins);
  const whole = await source?.demFor(wide, signal);
  if (whole !== undefined && (before === undefined || whole.title === before.title))
    return { elevation: union(before, whole), hasMargin: true };
  const known = before ?? (await source?.demFor(box, signal));
  if (known === undefined) return undefined;
  const part = await source?.demFor(wide, signal, known.title);
  return { elevation: part?.title === known.title ? union(known, part) : known, hasMargin: false };
}

/**
 * The rasters of both lists. Rasters of the second list keep their order, because adjacent tiles of one grid are read
 * as one raster.
 */
function union(first: Elevation | undefined, second: Elevation): Elevation {
  if (first === undefined) return second;
  const rasters = new Map([...second.rasters, ...first.rasters].map((raster) => [raster.href, raster]));
  const synthetic = first.synthetic === true || second.synthetic === true;
  return { ...first, rasters: [...rasters.values()], ...(synthetic ? { synthetic } : {}) };
}
