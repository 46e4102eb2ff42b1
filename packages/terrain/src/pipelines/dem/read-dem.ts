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

/** Limit of computed pixels; larger places get larger pixels. A thread needs up to 70 bytes per pixel. */
export const MOST_PIXELS = 20_000_000;

/** Heights of a place and its margin. */
export interface DemRead {
  readonly elevation: Elevation;
  /** Float32, m; NaN is unknown. */
  readonly heights: ScratchRaster;
  /** Grid of the published raster. */
  readonly published: PixelGrid;
  /** True if elevations cover the whole margin. */
  readonly hasMargin: boolean;
  readonly lattice: Lattice;
}

/** Grid of an elevation file, and the number of its pixels along a side of a computed pixel. */
export interface Lattice {
  readonly grid: PixelGrid;
  readonly step: number;
}

/** Margin and ports of a read. */
export interface DemTools {
  readonly ports: Pick<PipelinePorts, 'elevation' | 'remedies'> & {
    readonly pixels: Pick<PixelEngine, 'gridOf' | 'read'>;
  };
  readonly work: WorkContext;
  readonly margins: Margins;
  /** Earlier read of the box with narrower margins, which determines data set and lattice. */
  readonly narrower?: Pick<DemRead, 'elevation' | 'lattice'>;
}

/**
 * Reads the heights of a box, and of the margin as far as elevations exist. Throws `missing_layer` if no elevations
 * cover the whole box.
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

interface Reach {
  readonly source: PipelinePorts['elevation'];
  readonly margins: Margins;
  readonly signal: AbortSignal | undefined;
  /** Elevations of an earlier read with narrower margins. */
  readonly before?: Elevation | undefined;
}

/**
 * Elevations of a box and its margin; undefined if none cover the box. All margins use one data set, because heights of
 * different data sets differ by metres.
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
 * Joins the rasters of two elevations. Rasters of the second keep their order, so that adjacent tiles are read
 * together.
 */
function union(first: Elevation | undefined, second: Elevation): Elevation {
  if (first === undefined) return second;
  const rasters = new Map([...second.rasters, ...first.rasters].map((raster) => [raster.href, raster]));
  const synthetic = first.synthetic === true || second.synthetic === true;
  return { ...first, rasters: [...rasters.values()], ...(synthetic ? { synthetic } : {}) };
}
