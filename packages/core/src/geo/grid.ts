import { DomainError } from '../errors.ts';
import type { Scene } from '../ports/earth-observation.ts';
import type { PixelGrid } from '../ports/pixel-plan.ts';
import { toUtm, utmZone } from './utm.ts';

/** West, south, east, north; degrees lon/lat unless said. */
export type Box = readonly [number, number, number, number];

/** Pixel of the output raster: 10 m on the equator, in degrees, as the published maps have it. */
export const OUTPUT_PIXEL_DEG = 8.983152841195215e-5;
/** Work grid: pixel (m) and lattice (m) on which its corner lies, so that 10 m and 20 m pixels nest. */
const WORK_PIXEL = 10;
const LATTICE = 20;
/** Pixels of one axis; above this the area is not a tehsil. */
const MAX_SIDE = 60_000;

/** The CRS that most scenes are in (ties: the smaller code). Throws `no_scenes` for none. */
export function workCrs(scenes: readonly Pick<Scene, 'crs'>[]): string {
  const counts = new Map<string, number>();
  for (const { crs } of scenes) if (utmZone(crs) !== undefined) counts.set(crs, (counts.get(crs) ?? 0) + 1);
  const best = [...counts].toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))[0];
  if (best === undefined) {
    throw new DomainError(
      'input_data',
      'No scene is in a UTM zone (EPSG:326zz or 327zz); the work grid needs one. Give scenes in UTM.',
    );
  }
  return best[0];
}

/**
 * Work grid over a lon/lat box: 10 m pixels of the most frequent scene CRS, corner on the 20 m lattice of those scenes (their phase is
 * read from the first scene that tells its grid; multiples of 20 m otherwise, as Sentinel-2 tiles have), one lattice cell of margin.
 */
export function workGrid(scenes: readonly Scene[], box: Box): PixelGrid {
  const crs = workCrs(scenes);
  const known = scenes.find(
    (s) =>
      s.crs === crs && s.grid !== undefined && s.grid.pixelWidth === WORK_PIXEL && s.grid.pixelHeight === WORK_PIXEL,
  );
  const phase = { x: mod(known?.grid?.west ?? 0, LATTICE), y: mod(known?.grid?.north ?? 0, LATTICE) };
  const [west, south, east, north] = projectedBox(crs, box);
  const left = snap(west - LATTICE, phase.x, Math.floor);
  const top = snap(north + LATTICE, phase.y, Math.ceil);
  const cols = (snap(east + LATTICE, phase.x, Math.ceil) - left) / WORK_PIXEL;
  const rows = (top - snap(south - LATTICE, phase.y, Math.floor)) / WORK_PIXEL;
  return checked({ crs, west: left, north: top, pixelWidth: WORK_PIXEL, pixelHeight: WORK_PIXEL, cols, rows });
}

/** Output grid in EPSG:4326 that covers a lon/lat box: pixel edges on multiples of the pixel (degrees) from (0, 0). */
export function outputGrid(box: Box, size: number = OUTPUT_PIXEL_DEG): PixelGrid {
  const [col0, row0] = [Math.floor(box[0] / size), Math.ceil(box[3] / size)];
  const [col1, row1] = [Math.ceil(box[2] / size), Math.floor(box[1] / size)];
  const grid = { crs: 'EPSG:4326', west: col0 * size, north: row0 * size, pixelWidth: size, pixelHeight: size };
  return checked({ ...grid, cols: Math.max(col1 - col0, 1), rows: Math.max(row0 - row1, 1) });
}

/** Box of a lon/lat box in UTM metres: its edges are curved there, so they are sampled. */
export function projectedBox(crs: string, [w, s, e, n]: Box): Box {
  const zone = utmZone(crs);
  if (zone === undefined) throw new DomainError('input_data', `${crs} is not a UTM zone on WGS84`);
  let box: Box = [Infinity, Infinity, -Infinity, -Infinity];
  const samples = 32;
  for (let i = 0; i <= samples; i++) {
    const lon = w + ((e - w) * i) / samples;
    const lat = s + ((n - s) * i) / samples;
    for (const [x, y] of [toUtm(zone, lon, s), toUtm(zone, lon, n), toUtm(zone, w, lat), toUtm(zone, e, lat)]) {
      box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
    }
  }
  return box;
}

const mod = (value: number, step: number): number => ((value % step) + step) % step;

const snap = (value: number, phase: number, round: (v: number) => number): number =>
  round((value - phase) / LATTICE) * LATTICE + phase;

function checked(grid: PixelGrid): PixelGrid {
  if (!(grid.cols <= MAX_SIDE && grid.rows <= MAX_SIDE)) {
    throw new DomainError(
      'input_data',
      `The area needs ${grid.cols} x ${grid.rows} pixels, more than ${MAX_SIDE} a side: check its boundary and MWS polygons.`,
    );
  }
  return grid;
}
