import type { PixelGrid, WorkContext } from '@headwater/core';
import type { FileReads, FilesInBox } from '@headwater/core/ports';
import { isHttp } from '../tiff/bad-file.ts';
import { HEAD_BYTES } from '../tiff/http-source.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { runsOfTiles } from '../tiff/raster-file.ts';
import { tilesOf } from '../tiff/tiles-of.ts';
import { sourceWindow } from '../warp/resample.ts';
import type { ExecuteTools } from './execute.ts';
import { readHeaders } from './read-grid.ts';

/**
 * Estimates the bytes and requests for reading the part of files in a box: headers and full-resolution tiles. Throws
 * the errors of `readGrid`.
 */
export async function estimateFiles(
  { paths, box }: FilesInBox,
  { signal }: Pick<WorkContext, 'signal'>,
  { network = {} }: Pick<ExecuteTools, 'network'>,
): Promise<FileReads> {
  const layouts = await readHeaders(paths, {}, { signal, network, onWait: () => {} });
  return layouts
    .map((layout) => readsIn(layout, box))
    .reduce((all, one) => ({ bytes: all.bytes + one.bytes, requests: all.requests + one.requests }), {
      bytes: 0,
      requests: 0,
    });
}

function readsIn({ grid, levels, href }: TiffLayout, box: FilesInBox['box']): FileReads {
  const [level] = levels;
  if (level === undefined) return { bytes: 0, requests: 0 };
  const window = sourceWindow(gridOver(box), WHOLE, { grid, margin: 1 });
  const parts = (window === null ? [] : tilesOf(level, window)).filter(
    ({ index }) => (level.byteCounts[index] ?? 0) > 0,
  );
  const tiles = parts.reduce((sum, { index }) => sum + (level.byteCounts[index] ?? 0), 0);
  return isHttp(href)
    ? { bytes: HEAD_BYTES + tiles, requests: 1 + runsOfTiles(level, parts).length }
    : { bytes: tiles, requests: 0 };
}

/**
 * Pixels along each side of a box. One pixel would not suffice, because the outline of a box is curved in another CRS.
 */
const SIDE = 64;
const WHOLE = { col: 0, row: 0, cols: SIDE, rows: SIDE };

function gridOver([west, south, east, north]: FilesInBox['box']): PixelGrid {
  const [pixelWidth, pixelHeight] = [(east - west) / SIDE, (north - south) / SIDE];
  return { crs: 'EPSG:4326', west, north, pixelWidth, pixelHeight, cols: SIDE, rows: SIDE };
}
