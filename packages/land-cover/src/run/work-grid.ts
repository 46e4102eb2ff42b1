import { type Box, DomainError, type PixelGrid, type Scene } from '@headwater/core';
import { checkedGrid, projectedBox, utmZone } from '@headwater/core/geo';

/**
 * Side of a pixel, m. Edges of grids are on a lattice of 20 m, so that each pixel of a 20 m band contains four whole
 * pixels of the grid.
 */
const WORK_PIXEL = 10;
const LATTICE = 20;

/**
 * CRS of most scenes. If several CRSs have equally many scenes: the smallest code. Throws `input_data` if no scene is
 * in a UTM zone.
 */
export function workCrs(scenes: readonly Pick<Scene, 'crs'>[]): string {
  const counts = new Map<string, number>();
  for (const { crs } of scenes) if (utmZone(crs) !== undefined) counts.set(crs, (counts.get(crs) ?? 0) + 1);
  const best = [...counts].toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))[0];
  if (best === undefined) {
    throw new DomainError(
      'input_data',
      'No scene is in a UTM zone (EPSG:326zz or 327zz); the work grid needs one. Provide scenes in UTM.',
    );
  }
  return best[0];
}

/**
 * Grid of 10 m pixels over a box, with a margin of 20 m. The corner is on the lattice of the first scene with a 10 m
 * grid in this CRS (`workCrs`), otherwise at multiples of 20 m.
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
  return checkedGrid({ crs, west: left, north: top, pixelWidth: WORK_PIXEL, pixelHeight: WORK_PIXEL, cols, rows });
}

const mod = (value: number, step: number): number => ((value % step) + step) % step;

const snap = (value: number, phase: number, round: (v: number) => number): number =>
  round((value - phase) / LATTICE) * LATTICE + phase;
