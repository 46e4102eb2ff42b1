import type { PixelGrid } from '@headwater/core';
import type { PixelWindow } from '../pixels/pixel-array.ts';
import { touchesArea } from './area-map.ts';
import type { AreaCells } from './area-map.ts';
import type { PreparedScene } from './prepared.ts';

/** Pixels of one cell at most: its series and bands are in memory at once. */
const CELL_PIXELS = 1024 * 1024;
const CELL_SIDE = 1024;
/** Bytes of one cell's series at most. */
const SERIES_BYTES = 256 * 1024 * 1024;

/** One unit of work: up to 2 x 2 cells that share their coarse (20 m) tiles. */
export interface Block {
  readonly window: PixelWindow;
  readonly cells: readonly PixelWindow[];
}

/** What cuts depend on. */
export interface CutInput {
  readonly grid: PixelGrid;
  readonly scenes: readonly PreparedScene[];
  readonly area: AreaCells;
  /** int16 planes of one cell (indices x steps). */
  readonly planes: number;
  readonly threads: number;
}

/** Cuts the grid on the tile borders of the scenes, so that no tile is decoded twice; blocks outside the area are left out. */
export function cutBlocks(input: CutInput): Block[] {
  const lattice = tileLattice(input);
  const cells = cellSize(lattice, input);
  const paired = cut(input, lattice, { block: { cols: cells.cols * 2, rows: cells.rows * 2 }, cell: cells });
  // Fewer blocks than threads would leave threads idle: then 20 m tiles are decoded more than once instead.
  return paired.length >= input.threads ? paired : cut(input, lattice, { block: cells, cell: cells });
}

interface Size {
  readonly cols: number;
  readonly rows: number;
}
/** Tile size in grid pixels, and the grid's origin counted from a tile's corner. */
interface Lattice extends Size {
  readonly col: number;
  readonly row: number;
}

/** Tiles of the band that most scenes share with the grid: the first one at the grid's own pixel size. */
function tileLattice({ grid, scenes }: CutInput): Lattice {
  for (const { bands } of scenes) {
    for (const { alignment, layout } of Object.values(bands)) {
      const tile = layout.levels[0]?.tile;
      if (alignment.kind === 'aligned' && alignment.shift === 0 && tile !== undefined) {
        return { ...tile, col: alignment.col, row: alignment.row };
      }
    }
  }
  return { cols: Math.min(CELL_SIDE, grid.cols), rows: Math.min(CELL_SIDE, grid.rows), col: 0, row: 0 };
}

function cellSize(lattice: Lattice, { planes }: CutInput): Size {
  const pixels = Math.min(CELL_PIXELS, Math.floor(SERIES_BYTES / Math.max(2 * planes, 1)));
  const cols = lattice.cols <= CELL_SIDE ? multiple(lattice.cols, CELL_SIDE) : Math.min(lattice.cols, 4 * CELL_SIDE);
  return { cols, rows: multiple(lattice.rows, Math.max(1, Math.floor(pixels / cols))) };
}

/** The largest multiple of `tile` that is <= `limit`, or `limit` where the tile is larger. */
function multiple(tile: number, limit: number): number {
  return tile > limit ? limit : Math.floor(limit / tile) * tile;
}

function cut(input: CutInput, lattice: Lattice, { block, cell }: { block: Size; cell: Size }): Block[] {
  const whole = { col: 0, row: 0, cols: input.grid.cols, rows: input.grid.rows };
  const blocks: Block[] = [];
  for (const window of pieces(whole, {
    ...block,
    col: modulo(lattice.col, block.cols),
    row: modulo(lattice.row, block.rows),
  })) {
    const cells = pieces(window, {
      ...cell,
      col: modulo(lattice.col + window.col, cell.cols),
      row: modulo(lattice.row + window.row, cell.rows),
    });
    const touched = cells.filter((piece) => touchesArea(input.area, piece));
    if (touched.length > 0) blocks.push({ window, cells: touched });
  }
  return blocks;
}

/** Pieces of a window on a lattice whose corner lies `col`, `row` pixels before the window's. */
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
