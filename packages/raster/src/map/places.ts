import type { MapGrid } from '@headwater/core/ports';
import type { PixelGrid } from '@headwater/core';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { TiffLevel } from '../tiff/layout.ts';
import { latticeCoordinates } from '../warp/coordinates.ts';
import { pointTransform, type PointTransform } from '../warp/crs.ts';
import { nearLongitude } from '../warp/turns.ts';

const RADIUS = 6_378_137;
const DEGREE = Math.PI / 180;
const TURN = 360;
/**
 * Tolerance in pixels. Added to coordinates before they are rounded down, because a rounding error could select the
 * previous pixel.
 */
const ROUNDING = 1e-7;

const longitudeOf = ({ crs }: MapGrid, x: number): number => (crs === 'EPSG:4326' ? x : x / RADIUS / DEGREE);
const latitudeOf = ({ crs }: MapGrid, y: number): number =>
  crs === 'EPSG:4326' ? y : Math.atan(Math.sinh(y / RADIUS)) / DEGREE;
const xOf = ({ crs }: MapGrid, longitude: number): number =>
  crs === 'EPSG:4326' ? longitude : longitude * DEGREE * RADIUS;
const yOf = ({ crs }: MapGrid, latitude: number): number =>
  crs === 'EPSG:4326'
    ? latitude
    : RADIUS * Math.asinh(Math.tan(Math.min(NEAR_POLE, Math.max(-NEAR_POLE, latitude)) * DEGREE));
/** Largest latitude in degrees, because the pole is infinitely far away in EPSG:3857. */
const NEAR_POLE = 89.99;

/**
 * True for a target in a CRS other than EPSG:4326 and EPSG:3857. In such a CRS, each coordinate depends on both
 * longitude and latitude.
 */
export const isProjected = ({ crs }: MapGrid): boolean => crs !== 'EPSG:4326' && crs !== 'EPSG:3857';

function ontoTarget(target: MapGrid): PointTransform {
  if (isProjected(target)) return pointTransform('EPSG:4326', target.crs);
  return (longitude, latitude) => [xOf(target, longitude), yOf(target, latitude)];
}

/** Width and height of the pixels of a level, in pixels of the full resolution. */
export interface Shrink {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the size of the pixels of a level. Levels of COGs have half the size of the finer level, rounded up. Levels
 * of another size are stretched over the image.
 */
export function shrinkOf(level: { cols: number; rows: number }, full: { cols: number; rows: number }): Shrink {
  const power = 2 ** Math.round(Math.log2(full.cols / level.cols));
  if (level.cols === Math.ceil(full.cols / power) && level.rows === Math.ceil(full.rows / power))
    return { x: power, y: power };
  return { x: full.cols / level.cols, y: full.rows / level.rows };
}

/** Index of the coarsest level whose pixels are at most `ratio` times as large as pixels of the full resolution. */
export function levelFor(levels: readonly TiffLevel[], ratio: number): number {
  const [full] = levels;
  let best = 0;
  let most = 1;
  for (const [index, level] of levels.entries()) {
    const { x, y } = shrinkOf(level, full!);
    const shrink = Math.max(x, y);
    if (shrink <= ratio * (1 + ROUNDING) && shrink > most) [best, most] = [index, shrink];
  }
  return best;
}

/** Columns and rows of a level for the columns and rows of a target (requested grid); -1 outside of the raster. */
export interface AxisPlaces {
  readonly cols: Int32Array;
  readonly rows: Int32Array;
}

/** Places of a target in EPSG:4326 or EPSG:3857 on a lon/lat raster. Each axis is computed separately. */
export function geographicPlaces(target: MapGrid, source: PixelGrid, level: TiffLevel): AxisPlaces {
  const shrink = shrinkOf(level, source);
  const turn = TURN / source.pixelWidth;
  const cols = new Int32Array(target.cols).fill(-1);
  for (let col = 0; col < cols.length; col += 1) {
    const longitude = longitudeOf(target, target.west + (col + 0.5) * target.pixelWidth);
    const at = (longitude - source.west) / source.pixelWidth + ROUNDING;
    const place = at - turn * Math.floor(at / turn);
    if (place < source.cols) cols[col] = Math.floor(place / shrink.x);
  }
  const rows = new Int32Array(target.rows).fill(-1);
  for (let row = 0; row < rows.length; row += 1) {
    const latitude = latitudeOf(target, target.north - (row + 0.5) * target.pixelHeight);
    const place = (source.north - latitude) / source.pixelHeight + ROUNDING;
    if (place >= 0 && place < source.rows) rows[row] = Math.floor(place / shrink.y);
  }
  return { cols, rows };
}

/** Size of the target's pixels, in pixels of the raster, at the middle of `part` (see `coveredPart`). */
export function ratioOf(target: MapGrid, source: PixelGrid, part: PixelWindow): Shrink {
  const [x, y] = [
    target.west + (part.col + part.cols / 2) * target.pixelWidth,
    target.north - (part.row + part.rows / 2) * target.pixelHeight,
  ];
  const onto = toSource(target, source.crs);
  const [at, right, below] = [onto(x, y), onto(x + target.pixelWidth, y), onto(x, y - target.pixelHeight)];
  return {
    x: Math.hypot((right[0] - at[0]) / source.pixelWidth, (right[1] - at[1]) / source.pixelHeight),
    y: Math.hypot((below[0] - at[0]) / source.pixelWidth, (below[1] - at[1]) / source.pixelHeight),
  };
}

function toSource(target: MapGrid, crs: string): PointTransform {
  if (isProjected(target)) return pointTransform(target.crs, crs);
  const project = pointTransform('EPSG:4326', crs);
  return (x, y) => project(longitudeOf(target, x), latitudeOf(target, y));
}

function middleOf(target: MapGrid): number {
  const x = target.west + (target.cols * target.pixelWidth) / 2;
  const y = target.north - (target.rows * target.pixelHeight) / 2;
  return isProjected(target) ? pointTransform(target.crs, 'EPSG:4326')(x, y)[0] : longitudeOf(target, x);
}

/**
 * Number of sections into which each edge of a raster is divided. The ends of the sections are converted to the
 * target's CRS.
 */
const EDGE = 32;

/**
 * Part of a target that a raster covers, up to two pixels larger than necessary; undefined if the raster is outside.
 */
export function coveredPart(target: MapGrid, source: PixelGrid): PixelWindow | undefined {
  const toDegrees = pointTransform(source.crs, 'EPSG:4326');
  const onto = ontoTarget(target);
  const middle = middleOf(target);
  const [width, height] = [source.cols * source.pixelWidth, source.rows * source.pixelHeight];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  const [centre] = toDegrees(source.west + width / 2, source.north - height / 2);
  const near = nearLongitude(centre, middle);
  for (let step = 0; step <= EDGE; step += 1) {
    const share = step / EDGE;
    const [x, y] = [source.west + share * width, source.north - share * height];
    const edge = [
      [x, source.north],
      [x, source.north - height],
      [source.west, y],
      [source.west + width, y],
    ] as const;
    for (const [px, py] of edge) {
      const [longitude, latitude] = toDegrees(px, py);
      const [targetX, targetY] = onto(nearLongitude(longitude, near), latitude);
      // A point far from the target's UTM zone has no coordinates in this zone, so the whole target is returned.
      if (!Number.isFinite(targetX + targetY)) return { col: 0, row: 0, cols: target.cols, rows: target.rows };
      const col = (targetX - target.west) / target.pixelWidth;
      const row = (target.north - targetY) / target.pixelHeight;
      [left, right] = [Math.min(left, col), Math.max(right, col)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
    }
  }
  const [col, row] = [Math.max(0, Math.floor(left) - 1), Math.max(0, Math.floor(top) - 1)];
  const cols = Math.min(target.cols, Math.ceil(right) + 1) - col;
  const rows = Math.min(target.rows, Math.ceil(bottom) + 1) - row;
  return cols > 0 && rows > 0 ? { col, row, cols, rows } : undefined;
}

/** Columns and rows of a level for each pixel of a part of a target, row-major; -1 outside of the raster. */
export function projectedPlaces(
  { target, part }: { readonly target: MapGrid; readonly part: PixelWindow },
  source: PixelGrid,
  level: TiffLevel,
): AxisPlaces {
  const shrink = shrinkOf(level, source);
  const { x, y } = latticeCoordinates(target, part, toSource(target, source.crs));
  const cols = new Int32Array(x.length).fill(-1);
  const rows = new Int32Array(x.length).fill(-1);
  for (let i = 0; i < x.length; i += 1) {
    const col = (x[i]! - source.west) / source.pixelWidth + ROUNDING;
    const row = (source.north - y[i]!) / source.pixelHeight + ROUNDING;
    if (!(col >= 0 && row >= 0 && col < source.cols && row < source.rows)) continue;
    cols[i] = Math.floor(col / shrink.x);
    rows[i] = Math.floor(row / shrink.y);
  }
  return { cols, rows };
}

/**
 * Number of pixels of a level that are decoded for a part of a target, in whole tiles. `ratio`: distance of two samples
 * in full-resolution pixels.
 */
export function pixelsToRead(
  part: Pick<PixelWindow, 'cols' | 'rows'>,
  ratio: Shrink,
  { level, shrink }: { readonly level: TiffLevel; readonly shrink: Shrink },
): number {
  const { tile } = level;
  const tiles = (steps: number, span: number, side: number): number =>
    Math.min(steps, Math.ceil(span / side) + 1) * side;
  const across = tiles(part.cols, Math.min(level.cols, (part.cols * ratio.x) / shrink.x), tile.cols);
  return across * tiles(part.rows, Math.min(level.rows, (part.rows * ratio.y) / shrink.y), tile.rows);
}
