import { setImmediate } from 'node:timers/promises';
import type { PixelGrid, Rgba } from '@headwater/core';
import { DomainError, isDomainError } from '@headwater/core/errors';
import type { MapGrid, MapRaster, MapSampleType, RasterCut } from '@headwater/core/ports';
import { encodeCog } from '../cog/geotiff-writer.ts';
import type { CogFormat } from '../cog/cog-image.ts';
import { createPixels, type PixelArray } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { badFile } from '../tiff/bad-file.ts';
import type { TiffLayout, TiffLevel } from '../tiff/layout.ts';
import type { FileTags } from '../tiff/read-layout.ts';
import { knownCrs } from '../warp/crs.ts';
import type { KnownFile, OpenFiles } from './open-files.ts';
import {
  type AxisPlaces,
  coveredPart,
  geographicPlaces,
  isProjected,
  levelFor,
  pixelsToRead,
  projectedPlaces,
  ratioOf,
  type Shrink,
  shrinkOf,
} from './places.ts';

/** Rows of a strip. The event loop can process other requests between two strips. */
const STRIP = 64;
const CUT_TILE = 256;

interface Level extends TiffLevel {
  readonly index: number;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (entity, name: string) => ENTITIES[name] ?? entity);

function bandsOf({ metadata, samples }: FileTags): readonly (string | null)[] {
  const found = new Map<number, string>();
  for (const [, attributes = '', text = ''] of (metadata ?? '').matchAll(/<Item\b([^>]*)>([^<]*)<\/Item>/g)) {
    if (!/\brole="description"/.test(attributes)) continue;
    const [, sample = '0'] = /\bsample="(\d+)"/.exec(attributes) ?? [];
    // GDAL escapes descriptions twice, other programs once. Unescaping twice is correct for both.
    found.set(Number(sample), unescaped(unescaped(text)));
  }
  return Array.from({ length: samples }, (_, band) => found.get(band) ?? null);
}

/** Throws `input_data` for a CRS in which pixels cannot be placed on a map. */
function checkCrs({ href, grid }: TiffLayout): void {
  try {
    knownCrs(grid.crs);
  } catch (error) {
    throw isDomainError(error) ? badFile(href, error.message, error) : error;
  }
}

/** File as the raster of a map. Its tiles are read through the cache. */
export class MapFile implements MapRaster {
  readonly grid: PixelGrid;
  readonly type: MapSampleType;
  readonly nodata: number | null;
  readonly scaling: TiffLayout['scaling'];
  readonly bands: readonly (string | null)[];
  readonly colors: readonly Rgba[] | null;
  readonly #file: KnownFile;
  readonly #files: OpenFiles;

  constructor(file: KnownFile, files: OpenFiles) {
    const { layout, tags } = file;
    this.grid = layout.grid;
    this.type = layout.dtype;
    this.nodata = layout.nodata;
    this.scaling = layout.scaling;
    this.bands = bandsOf(tags);
    this.colors = layout.dtype === 'uint8' ? colorsOf(tags) : null;
    this.#file = file;
    this.#files = files;
    checkCrs(layout);
  }

  async samples(target: MapGrid): Promise<PixelArray> {
    const out = this.#empty(target.cols * target.rows);
    const part = coveredPart(target, this.grid);
    if (part === undefined) return out;
    const ratio = ratioOf(target, this.grid, part);
    const level = this.#level(levelFor(this.#file.layout.levels, Math.min(ratio.x, ratio.y)));
    this.#checkReading(part, ratio, level);
    if (knownCrs(this.grid.crs).geographic && !isProjected(target))
      await this.#fillByAxis(geographicPlaces(target, this.grid, level), level, out);
    else await this.#fillProjected(target, { part, level, out });
    return out;
  }

  async geoTiff({ col, row, cols, rows, width = cols, height = rows }: RasterCut): Promise<Uint8Array> {
    const { layout, tags } = this.#file;
    if (tags.samples > 1)
      throw new DomainError(
        'validation',
        `the raster has ${tags.samples} bands, and parts are cut from rasters of one band only; request the whole coverage in its own size, without a subset`,
      );
    const level = this.#level(levelFor(layout.levels, Math.min(cols / width, rows / height)));
    this.#checkReading({ cols: width, rows: height }, { x: cols / width, y: rows / height }, level);
    const shrink = shrinkOf(level, this.grid);
    const places = {
      cols: axisPlaces({ first: col, size: cols, steps: width }, this.grid.cols, shrink.x),
      rows: axisPlaces({ first: row, size: rows, steps: height }, this.grid.rows, shrink.y),
    };
    const format: CogFormat = {
      grid: cutGrid(this.grid, { col, row, cols, rows, width, height }),
      overviews: 'none',
      predictor: predictorOf(layout, tags),
      tileSize: CUT_TILE,
      ...(layout.nodata === null ? {} : { nodata: layout.nodata }),
      ...(this.colors === null ? {} : { palette: this.colors }),
      ...(tags.metadata === null ? {} : { metadata: withoutStatistics(tags.metadata) }),
    };
    const strip = async (first: number, count: number): Promise<PixelArray> => {
      const out = this.#empty(width * count);
      await this.#fillByAxis({ cols: places.cols, rows: places.rows.subarray(first, first + count) }, level, out);
      return out;
    };
    return Buffer.concat((await encodeCog(format, { type: layout.dtype, rows: strip })).flat());
  }

  /** Throws `validation` if too many pixels would be decoded, because the file has no overview for this scale. */
  #checkReading(part: Pick<PixelWindow, 'cols' | 'rows'>, ratio: Shrink, level: Level): void {
    const most = this.#files.limits.readPixels;
    const count = pixelsToRead(part, ratio, { level, shrink: shrinkOf(level, this.grid) });
    if (count <= most) return;
    const [needed, limit] = [count, most].map((each) => `${Math.ceil(each / 1e6)} million`);
    throw new DomainError(
      'validation',
      `the raster has no overview for this scale, so that ${needed} pixels would be read, but at most ${limit} may be read; request a smaller area, or publish the file with overviews`,
    );
  }

  #level(index: number): Level {
    const level = this.#file.layout.levels[index];
    if (level === undefined) throw new RangeError(`the raster has no overview level ${index}`);
    return { ...level, index };
  }

  #empty(length: number): PixelArray {
    const out = createPixels(this.#file.layout.dtype, length);
    if (this.nodata !== null && this.nodata !== 0) out.fill(this.nodata);
    return out;
  }

  /** Fills a target whose axes are parallel to the axes of the raster. Columns and rows are found separately. */
  async #fillByAxis({ cols, rows }: AxisPlaces, level: Level, out: PixelArray): Promise<void> {
    const runs = runsOf(cols, level.tile.cols);
    const width = cols.length;
    let done = 0;
    for (let row = 0; row < rows.length;) {
      const down = rows[row]! < 0 ? -1 : Math.floor(rows[row]! / level.tile.rows);
      let end = row + 1;
      while (end < rows.length && sameTile(rows[end]!, down, level.tile.rows)) end += 1;
      if (down >= 0 && runs.length > 0) {
        const tiles = await this.#tiles(
          level,
          runs.map(({ across }) => ({ across, down })),
        );
        for (let at = row; at < end; at += 1) {
          if (at > row && rows[at] === rows[at - 1]) {
            out.copyWithin(at * width, (at - 1) * width, at * width);
            continue;
          }
          const inTile = rows[at]! - down * level.tile.rows;
          for (const [index, run] of runs.entries())
            copyRun(tiles[index]!, inTile * tileCols(level, run.across), { ...run, out, base: at * width });
        }
      }
      done += (end - row) * width;
      row = end;
      if (done < PAUSE) continue;
      done = 0;
      await setImmediate();
    }
  }

  async #fillProjected(
    target: MapGrid,
    { part, level, out }: { readonly part: PixelWindow; readonly level: Level; readonly out: PixelArray },
  ): Promise<void> {
    for (let first = 0; first < part.rows; first += STRIP) {
      const strip = { ...part, row: part.row + first, rows: Math.min(STRIP, part.rows - first) };
      const places = projectedPlaces({ target, part: strip }, this.grid, level);
      const wanted = tilesAt(places, level);
      const read = await this.#tiles(level, wanted);
      const tiles = wanted.map((tile, index) => ({ ...tile, pixels: read[index]! }));
      for (let row = 0; row < strip.rows; row += 1) {
        const from = row * strip.cols;
        const to = (strip.row + row) * target.cols + strip.col;
        copyPlaces(tiles, level, {
          cols: places.cols.subarray(from, from + strip.cols),
          rows: places.rows.subarray(from, from + strip.cols),
          out: out.subarray(to, to + strip.cols),
        });
      }
      if (part.rows > STRIP) await setImmediate();
    }
  }

  async #tiles(
    level: Level,
    places: readonly { readonly across: number; readonly down: number }[],
  ): Promise<readonly PixelArray[]> {
    const width = Math.ceil(level.cols / level.tile.cols);
    return await Promise.all(
      places.map(({ across, down }) => this.#files.tile(this.#file, level.index, down * width + across)),
    );
  }
}

const PAUSE = 2 ** 20;

/** Neighbouring columns [from, to) of a target that are in one column of tiles. */
interface Run {
  readonly across: number;
  readonly from: number;
  readonly to: number;
  readonly inTile: Int32Array;
}

function runsOf(cols: Int32Array, tileWidth: number): readonly Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < cols.length;) {
    const across = cols[from]! < 0 ? -1 : Math.floor(cols[from]! / tileWidth);
    let to = from + 1;
    while (to < cols.length && sameTile(cols[to]!, across, tileWidth)) to += 1;
    if (across >= 0) runs.push({ across, from, to, inTile: cols.subarray(from, to).map((col) => col % tileWidth) });
    from = to;
  }
  return runs;
}

const sameTile = (place: number, tile: number, size: number): boolean =>
  tile < 0 ? place < 0 : place >= tile * size && place < (tile + 1) * size;

const tileCols = ({ cols, tile }: TiffLevel, across: number): number => Math.min(tile.cols, cols - across * tile.cols);

function copyRun(
  tile: PixelArray,
  rowStart: number,
  { from, inTile, out, base }: Run & { readonly out: PixelArray; readonly base: number },
): void {
  const start = base + from;
  for (let i = 0; i < inTile.length; i += 1) out[start + i] = tile[rowStart + inTile[i]!]!;
}

interface TilePlace {
  readonly across: number;
  readonly down: number;
}

function tilesAt({ cols, rows }: AxisPlaces, { tile }: Level): readonly TilePlace[] {
  const found: TilePlace[] = [];
  let last: TilePlace | undefined;
  for (let i = 0; i < cols.length; i += 1) {
    const [col, row] = [cols[i]!, rows[i]!];
    if (col < 0 || (last !== undefined && isIn(last, tile, { col, row }))) continue;
    last = found.find((each) => isIn(each, tile, { col, row }));
    if (last !== undefined) continue;
    last = { across: Math.floor(col / tile.cols), down: Math.floor(row / tile.rows) };
    found.push(last);
  }
  return found;
}

const isIn = (
  { across, down }: TilePlace,
  { cols, rows }: { readonly cols: number; readonly rows: number },
  { col, row }: { readonly col: number; readonly row: number },
): boolean => col >= across * cols && col < (across + 1) * cols && row >= down * rows && row < (down + 1) * rows;

/** Copies the samples at these places. Neighbouring places are mostly in one tile, so the last tile is tried first. */
function copyPlaces(
  tiles: readonly (TilePlace & { readonly pixels: PixelArray })[],
  level: Level,
  { cols, rows, out }: AxisPlaces & { readonly out: PixelArray },
): void {
  const { tile } = level;
  let [pixels, left, top, right, bottom, width] = [out, 0, 0, 0, 0, 0];
  for (let i = 0; i < cols.length; i += 1) {
    const [col, row] = [cols[i]!, rows[i]!];
    if (col < 0) continue;
    if (col < left || col >= right || row < top || row >= bottom) {
      const found = tiles.find((each) => isIn(each, tile, { col, row }))!;
      [left, top] = [found.across * tile.cols, found.down * tile.rows];
      [right, bottom] = [left + tile.cols, top + tile.rows];
      [pixels, width] = [found.pixels, tileCols(level, found.across)];
    }
    out[i] = pixels[(row - top) * width + col - left]!;
  }
}

/**
 * Returns the nearest column of a level for each column of a `RasterCut`; -1 outside of the raster. Also used for
 * rows. `full`: number of pixels of the raster along this axis.
 */
function axisPlaces(
  { first, size, steps }: { readonly first: number; readonly size: number; readonly steps: number },
  full: number,
  shrink: number,
): Int32Array {
  const places = new Int32Array(steps).fill(-1);
  for (let step = 0; step < steps; step += 1) {
    const at = first + ((step + 0.5) * size) / steps;
    if (at >= 0 && at < full) places[step] = Math.floor(at / shrink);
  }
  return places;
}

function cutGrid(grid: PixelGrid, { col, row, cols, rows, width, height }: Required<RasterCut>): PixelGrid {
  return {
    crs: grid.crs,
    west: grid.west + col * grid.pixelWidth,
    north: grid.north - row * grid.pixelHeight,
    pixelWidth: (grid.pixelWidth * cols) / width,
    pixelHeight: (grid.pixelHeight * rows) / height,
    cols: width,
    rows: height,
  };
}

function colorsOf({ colors }: FileTags): readonly Rgba[] | null {
  if (colors === null) return null;
  const byte = (at: number): number => colors[at]! >> 8;
  return Array.from({ length: 256 }, (_, value): Rgba => [byte(value), byte(256 + value), byte(512 + value), 255]);
}

function predictorOf({ dtype }: TiffLayout, { colors }: FileTags): 1 | 2 | 3 {
  if (dtype === 'float32') return 3;
  return dtype === 'float64' || colors !== null ? 1 : 2;
}

/** Removes the statistics, because they describe the whole raster and not the part. */
const withoutStatistics = (xml: string): string =>
  xml.replaceAll(/\s*<Item name="STATISTICS_[^<>]*>[^<>]*<\/Item>/g, '');
