import { wholeWindow } from '../pixels/pixel-window.ts';
import type { PixelSize, PixelWindow } from '../pixels/pixel-window.ts';
import { touchesArea } from './area-map.ts';
import type { AreaMap } from './area-map.ts';
import { isPartlyReadable } from '../tiff/unfinished-tiles.ts';
import { type Dated, PANE_PIXELS, panePixels, partPixels } from './memory-budget.ts';
import type { PaneWindow } from './pane-mask.ts';
import type { Section } from './plan-tasks.ts';
import type { PreparedBand, PreparedPlan } from './prepared.ts';

const PANE_SIDE = 1024;
/** Minimum number of pixels of a section that is one tile. */
const LEAST_SECTION = 256 * 256;

interface CutInput {
  readonly plan: Pick<PreparedPlan, 'grid' | 'scenes' | 'indices' | 'steps'>;
  readonly area: AreaMap;
  readonly threads: number;
  /** All scenes, if `plan` has only some of them. */
  readonly dated?: Dated;
}

/** Sections (windows for one worker) of a plan's grid. */
export interface CutGrid {
  readonly sections: readonly Section[];
  /** Number of panes (parts of sections) that are not computed, because the area does not touch them. */
  readonly outside: number;
  /** Maximum number of unfinished tiles of a band in a pane's width; 0 unless `areContinued` is true for the plan. */
  readonly tilesAcross: number;
}

/**
 * Cuts the grid at the tile borders of the scenes, so that most tiles are decoded only once. Leaves out panes outside
 * of the area. Large sections decode the fewest tiles, and small sections keep all threads busy.
 */
export function cutSections(input: CutInput): CutGrid {
  const { plan, threads, dated = plan.scenes } = input;
  const lattice = tileLattice(plan);
  const pane = paneSize(lattice, input);
  if (!areContinued(plan)) return { ...bestCut(input, lattice, { pane, rows: pane.rows }), tilesAcross: 0 };
  const tilesAcross = tilesInWidth(plan, lattice, pane);
  const rows = partRows(pane, partPixels({ ...plan, scenes: dated }, { threads, tilesAcross }));
  return { ...bestCut(input, lattice, { pane, rows }), tilesAcross };
}

function bestCut(input: CutInput, lattice: Lattice, { pane, rows }: PaneCut): Cut {
  const { plan, threads } = input;
  const paired = { cols: pane.cols * 2, rows: pane.rows * 2 };
  const cuts = [paired, { ...paired, rows: pane.rows }, pane].map((section) =>
    cut(input, lattice, { section, pane, rows }),
  );
  const single = cuts[2]!;
  if (single.sections.length < threads) return tileSections(input, lattice, { pane, rows }) ?? single;
  // Small sections would decode many tiles repeatedly, so the largest size is used that gives each thread a section.
  if (!isSameLattice(plan, lattice)) return cuts.find(({ sections }) => sections.length >= threads) ?? single;
  const times = cuts.map(({ sections }, i) => TIME_OF_SIZE[i]! * mostPixels(sections, threads));
  return cuts[times.indexOf(Math.min(...times))]!;
}

/** Size of a pane, and the number of rows of its parts. */
interface PaneCut {
  readonly pane: PixelSize;
  readonly rows: number;
}

type Cut = Pick<CutGrid, 'sections' | 'outside'>;

/** Sections of one tile; undefined if tiles are too small. */
function tileSections(input: CutInput, lattice: Lattice, { pane, rows }: PaneCut): Cut | undefined {
  const tile = { cols: Math.min(lattice.cols, pane.cols), rows: Math.min(lattice.rows, pane.rows) };
  if (tile.cols * tile.rows < LEAST_SECTION) return undefined;
  return cut(input, lattice, { section: tile, pane: tile, rows: Math.min(rows, tile.rows) });
}

/** Relative time per pixel for sections of 2 x 2, 2 x 1 and 1 panes. Small sections decode 20 m tiles repeatedly. */
const TIME_OF_SIZE = [1, 1.06, 1.12];

const pixelsOf = ({ panes }: Section): number => panes.reduce((sum, { cols, rows }) => sum + cols * rows, 0);

/** Number of pixels of the busiest thread, if each thread takes the next section when it is free. */
function mostPixels(sections: readonly Section[], threads: number): number {
  const loads = Array.from({ length: Math.max(1, threads) }, () => 0);
  for (const section of sections) {
    const free = loads.indexOf(Math.min(...loads));
    loads[free]! += pixelsOf(section);
  }
  return Math.max(...loads);
}

/** Maximum number of tiles of a band in a pane's width. */
function tilesInWidth({ scenes }: CutInput['plan'], lattice: Lattice, pane: PixelSize): number {
  const counts = scenes.flatMap(({ bands }) =>
    Object.values(bands).map(({ alignment, layout }) => {
      const tile = layout.levels[0]?.tile;
      if (alignment.kind !== 'aligned' || tile === undefined) return 1;
      const cols = tile.cols << alignment.shift;
      // Panes begin at borders of the lattice.
      const isWithin = cols === lattice.cols || (pane.cols === lattice.cols && cols % lattice.cols === 0);
      const isOnBorder = modulo(alignment.col - lattice.col, lattice.cols) === 0;
      return Math.ceil(pane.cols / cols) + (isWithin && isOnBorder ? 0 : 1);
    }),
  );
  return Math.max(1, ...counts);
}

/** True if no band is remote or resampled, and the 10 m tiles of all scenes have the borders of the lattice. */
function isSameLattice(plan: CutInput['plan'], { cols, rows, col, row }: Lattice): boolean {
  const bands = plan.scenes.flatMap((scene) => Object.values(scene.bands));
  if (!bands.some(({ alignment }) => alignment.kind === 'aligned' && alignment.shift === 0)) return false;
  return bands.every(({ alignment, layout, remote }) => {
    const tile = layout.levels[0]?.tile;
    if (remote || alignment.kind !== 'aligned' || tile === undefined) return false;
    if (alignment.shift !== 0) return true;
    const isSame = tile.cols === cols && tile.rows === rows;
    return isSame && modulo(alignment.col - col, cols) === 0 && modulo(alignment.row - row, rows) === 0;
  });
}

/** True if the tiles of all bands are continued from pane to pane, so that small panes decode no tile repeatedly. */
function areContinued({ scenes }: CutInput['plan']): boolean {
  return scenes.every(({ bands }) => Object.values(bands).every(isContinued));
}

/** True if a worker continues the tiles of a band from pane to pane. */
export function isContinued({ alignment, layout, remote }: PreparedBand): boolean {
  const [level] = layout.levels;
  if (remote || alignment.kind !== 'aligned' || level === undefined) return false;
  return isPartlyReadable(layout) && level.tile.cols <= PANE_SIDE;
}

/** Cuts a pane into equal parts of about `pixels` pixels; returns the number of rows of a part, at least 1. */
function partRows({ cols, rows }: PixelSize, pixels: number): number {
  return Math.max(1, Math.ceil(rows / Math.ceil((cols * rows) / pixels)));
}

/** Size of the pieces of a grid. One piece begins `col` pixels left of the grid and `row` pixels above it. */
type Lattice = PixelWindow;

/**
 * Tiles of the first band with the grid's pixel size; without such a band, squares with sides of `PANE_SIDE` pixels.
 * Other scenes are assumed to have the same tile borders.
 */
function tileLattice({ grid, scenes }: CutInput['plan']): Lattice {
  for (const { bands } of scenes) {
    for (const { alignment, layout } of Object.values(bands)) {
      const tile = layout.levels[0]?.tile;
      if (alignment.kind === 'aligned' && alignment.shift === 0 && tile !== undefined) {
        return { ...tile, col: alignment.col, row: alignment.row };
      }
    }
  }
  return { cols: Math.min(PANE_SIDE, grid.cols), rows: Math.min(PANE_SIDE, grid.rows), col: 0, row: 0 };
}

/** Size of a pane: as many whole tiles as the limits allow, or a part of a tile if a whole tile is too large. */
function paneSize(tile: PixelSize, { plan, threads, dated = plan.scenes }: CutInput): PixelSize {
  const pixels = areContinued(plan)
    ? PANE_PIXELS
    : Math.min(PANE_PIXELS, panePixels({ ...plan, scenes: dated }, threads));
  const wide = tile.cols <= PANE_SIDE ? multiple(tile.cols, PANE_SIDE) : Math.min(tile.cols, 4 * PANE_SIDE);
  const cols = wide * tile.rows > pixels && tile.cols < wide ? tile.cols : wide;
  return { cols, rows: multiple(tile.rows, Math.max(1, Math.floor(pixels / cols))) };
}

/** Returns the largest multiple of `size` up to `limit`; `limit` if `size` is larger. */
function multiple(size: number, limit: number): number {
  return size > limit ? limit : Math.floor(limit / size) * size;
}

function cut({ plan, area }: CutInput, lattice: Lattice, size: PaneCut & { readonly section: PixelSize }): Cut {
  const sections: Section[] = [];
  let [id, outside] = [0, 0];
  for (const window of pieces(wholeWindow(plan.grid), latticeOf(size.section, lattice))) {
    const corner = { col: lattice.col + window.col, row: lattice.row + window.row };
    const panes: PaneWindow[] = [];
    for (const pane of pieces(window, latticeOf(size.pane, corner)).flatMap((each) => partsOf(each, size.rows))) {
      if (touchesArea(area, pane)) panes.push({ ...pane, id: id++ });
      else outside += 1;
    }
    // Panes are read from top to bottom, so that few tiles are unfinished at the same time.
    panes.sort((a, b) => a.col - b.col || a.row - b.row);
    if (panes.length > 0) sections.push({ window, panes });
  }
  // The largest section is first, so that no thread begins it when the others have no more work.
  sections.sort((a, b) => pixelsOf(b) - pixelsOf(a));
  return { sections, outside };
}

function partsOf({ col, row, cols, rows }: PixelWindow, most: number): PixelWindow[] {
  return spans(row, rows, { size: most, phase: 0 }).map(([at, count]) => ({ col, row: at, cols, rows: count }));
}

function latticeOf({ cols, rows }: PixelSize, at: { readonly col: number; readonly row: number }): Lattice {
  return { cols, rows, col: modulo(at.col, cols), row: modulo(at.row, rows) };
}

/**
 * Cuts a window into pieces. The first piece would begin `col` pixels left of the window and `row` pixels above it;
 * pieces are clipped to the window.
 */
function pieces(window: PixelWindow, lattice: Lattice): PixelWindow[] {
  const across = spans(window.col, window.cols, { size: lattice.cols, phase: lattice.col });
  return spans(window.row, window.rows, { size: lattice.rows, phase: lattice.row }).flatMap(([row, rows]) =>
    across.map(([col, cols]) => ({ col, row, cols, rows })),
  );
}

function spans(start: number, length: number, { size, phase }: { size: number; phase: number }): [number, number][] {
  const found: [number, number][] = [];
  for (let at = start - phase; at < start + length; at += size) {
    const from = Math.max(at, start);
    const to = Math.min(at + size, start + length);
    if (to > from) found.push([from, to - from]);
  }
  return found;
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
