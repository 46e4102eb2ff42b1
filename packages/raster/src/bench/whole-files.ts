import type { PixelGrid, Rgba, ZonalAreas } from '@headwater/core';
import { pixelAreasM2 } from '@headwater/core/geo';
import type { ZonalRequest, ZoneValues } from '@headwater/core/ports';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import type { FileDigest } from '@headwater/net/files';
import { createKernels } from '../pixels/kernels.ts';
import { wholeWindow } from '../pixels/pixel-window.ts';
import { polygonAt, polygonise } from '../shapes/polygonise.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { runsIn, sumRuns } from '../zonal/run-sums.ts';
import { ValueSums } from '../zonal/zonal-values.ts';
import { coverZones } from '../zonal/zone-strips.ts';
import { zonal } from '../zonal/zonal.ts';

interface WriteClassesTarget {
  readonly palette: Readonly<Record<number, Rgba>>;
  readonly path: string;
  readonly threads: number;
}

/**
 * Writes a class map from memory like `writeCog`: tiles of 512 x 512, deflate level 6, no predictor, nodata 0, mode
 * overviews.
 */
export function writeClasses(
  data: Uint8Array,
  grid: PixelGrid,
  { palette, path, threads }: WriteClassesTarget,
): Promise<FileDigest> {
  return writeGeoTiff(path, {
    grid,
    data,
    nodata: 0,
    palette,
    overviews: 'mode',
    predictor: 1,
    tileSize: 512,
    level: 6,
    threads,
  });
}

/** Computes the class areas of zones from a COG on disk, including decoding. */
export function zonalOnFile(path: string, zones: ZonalRequest['zones']): Promise<ZonalAreas> {
  return zonal({ path, zones }, { signal: new AbortController().signal, progress: () => undefined });
}

/** Computes the polygons of a class map on disk, including decoding; returns their number. */
export async function polygonsOnFile(path: string): Promise<number> {
  const file = await openRaster(path);
  const { grid } = file;
  const data = new Uint8Array(grid.cols * grid.rows);
  await file.readWindow(wholeWindow(grid), data);
  file.close();
  const found = await polygonise(data, grid, { connectivity: 4, skip: 0 });
  let corners = 0;
  for (let i = 0; i < found.values.length; i++) corners += polygonAt(found, i, grid).coordinates.length;
  if (corners < found.values.length) throw new Error('a polygon has no ring');
  return found.values.length;
}

/**
 * Returns a function that computes statistics of zones over float32 values in memory, `[grid.rows * grid.cols]`. Each
 * call also computes the fractions of the pixels that the zones cover, so a measurement includes this work.
 */
export function zoneSums(
  values: Float32Array,
  grid: PixelGrid,
  zones: ZonalRequest['zones'],
): () => Promise<ZoneValues[]> {
  const kernels = createKernels();
  const address = kernels.alloc(values.byteLength);
  kernels.f32(address, values.length).set(values);
  const window = wholeWindow(grid);
  return () => {
    const rowAreas = pixelAreasM2(grid);
    const results = coverZones(zones, grid).zones.map(({ coverage }) => {
      const sums = new ValueSums(null, rowAreas);
      sums.add({ ...window, data: NO_VALUES }, runsIn(coverage, window), (part) =>
        sumRuns(kernels, { ...window, address }, { part, range: sums.range }),
      );
      return sums.result(new AbortController().signal);
    });
    return Promise.all(results);
  };
}

const NO_VALUES = new Float32Array(0);
