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
 * Limit of computed pixels. If a place has more pixels, heights are averaged to larger pixels. With this limit, each thread
 * that computes flow or landforms needs less than 1.5 GB: about 45 bytes per pixel, or 70 with drainage lines. A tehsil of
 * 80 km with a margin of 5 km has 9 million pixels of 30 m.
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

/**
 * Lattice of computed pixels: the grid of an elevation file, and the number of pixels of this grid along each side of a
 * computed pixel.
 */
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
  /**
   * An earlier read of the same box with narrower margins. The new read uses the data set, the rasters and the lattice of
   * the earlier read. Absent for the first read of a box.
   */
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
  // In the first read of a box, the first raster of the list determines the lattice, because it has the finest pixels.
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
  /** Elevations of an earlier read with narrower margins. The elevations of this read are added to them. */
  readonly before?: Elevation | undefined;
}

/**
 * Elevations of a box and its margin; undefined if no elevations cover the box. If no data set covers the whole margin, the
 * result contains all rasters of the box's data set that overlap the margin. Wider margins never change the data set.
 * Otherwise a wider window could have other heights inside of the place than a narrower window, because the heights of two
 * data sets differ by metres.
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
 * The rasters of both lists. Rasters of the second list keep their order, so that adjacent tiles of one grid stay
 * together and are read as one raster.
 */
function union(first: Elevation | undefined, second: Elevation): Elevation {
  if (first === undefined) return second;
  const rasters = new Map([...second.rasters, ...first.rasters].map((raster) => [raster.href, raster]));
  const synthetic = first.synthetic === true || second.synthetic === true;
  return { ...first, rasters: [...rasters.values()], ...(synthetic ? { synthetic } : {}) };
}
