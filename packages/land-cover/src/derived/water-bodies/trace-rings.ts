import type { Mask } from './label-runs.ts';

/** A pixel corner: column and row of the grid lines, from north-west. */
export type Corner = readonly [col: number, row: number];

/** A closed ring of corners, and a pixel (`row`, `col`) of the region that the ring bounds. */
export interface Ring {
  readonly corners: readonly Corner[];
  /** Row of the pixel; `col` is its column. */
  readonly row: number;
  readonly col: number;
}

/**
 * Steps to the east, north, west and south: change of column and row. `left` and `right` are the positions of the
 * pixels ahead, relative to a corner.
 */
const STEPS = [
  { col: 1, row: 0, left: [0, -1], right: [0, 0] },
  { col: 0, row: -1, left: [-1, -1], right: [0, -1] },
  { col: -1, row: 0, left: [-1, 0], right: [-1, -1] },
  { col: 0, row: 1, left: [0, 0], right: [-1, 0] },
] as const;

const WALKED = 2;

/**
 * Traces rings around the set pixels of a mask: exteriors counter-clockwise, holes clockwise (RFC 7946). No ring
 * touches itself. Sets bit 1 (value 2) of pixels of the mask as a mark.
 */
export function traceRings(mask: Mask): readonly Ring[] {
  const { cols, rows, pixels } = mask;
  const rings: Ring[] = [];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      // Every ring passes a southern edge of a set pixel, so unvisited southern edges find all rings.
      const pixel = pixels[row * cols + col]!;
      if (pixel === 0 || (pixel & WALKED) !== 0 || isSet(mask, col, row + 1)) continue;
      const { corners, crossings } = walk(mask, col, row + 1);
      // A ring that touches itself passes the touched corner twice, so `crossings` is at least 2. Other rings need no
      // cut.
      if (crossings < 2) rings.push({ corners: closed(corners), row, col });
      else for (const simple of simpleRings(corners, cols + 1)) rings.push({ corners: simple, row, col });
    }
  }
  return rings;
}

/**
 * Follows a ring from a corner, first to the east. `crossings`: number of times that the ring passes a corner at which
 * it may touch itself.
 */
function walk(mask: Mask, startCol: number, startRow: number): { corners: Corner[]; crossings: number } {
  const corners: Corner[] = [];
  let crossings = 0;
  let [col, row, direction] = [startCol, startRow, 0];
  do {
    const step = STEPS[direction]!;
    if (direction === 0) mask.pixels[(row - 1) * mask.cols + col]! |= WALKED;
    col += step.col;
    row += step.row;
    const next = turned(mask, { col, row, direction });
    if (next !== direction) corners.push([col, row]);
    if (next === (direction + 1) % 4 && isAhead(mask, { col, row, direction }, 'right')) crossings++;
    direction = next;
  } while (col !== startCol || row !== startRow || direction !== 0);
  return { corners, crossings };
}

interface Position {
  readonly col: number;
  readonly row: number;
  readonly direction: number;
}

/** Next direction: left if the left pixel ahead is not set, otherwise straight on or right. */
function turned(mask: Mask, position: Position): number {
  if (!isAhead(mask, position, 'left')) return (position.direction + 1) % 4;
  return isAhead(mask, position, 'right') ? (position.direction + 3) % 4 : position.direction;
}

function isAhead(mask: Mask, { col, row, direction }: Position, side: 'left' | 'right'): boolean {
  const [right, down] = STEPS[direction]![side];
  return isSet(mask, col + right, row + down);
}

function isSet({ cols, rows, pixels }: Mask, col: number, row: number): boolean {
  return col >= 0 && row >= 0 && col < cols && row < rows && pixels[row * cols + col] !== 0;
}

/** Cuts a ring at each corner that occurs twice. `width`: corners per grid row. */
function simpleRings(corners: readonly Corner[], width: number): readonly (readonly Corner[])[] {
  const rings: Corner[][] = [];
  const open: Corner[] = [];
  const places = new Map<number, number>();
  for (const corner of corners) {
    const key = corner[1] * width + corner[0];
    const before = places.get(key);
    if (before !== undefined) {
      const loop = open.splice(before + 1);
      for (const [col, row] of loop) places.delete(row * width + col);
      rings.push([corner, ...loop, corner]);
    } else {
      places.set(key, open.length);
      open.push(corner);
    }
  }
  return open.length === 0 ? rings : [...rings, closed(open)];
}

function closed(corners: Corner[]): Corner[] {
  const [first] = corners;
  if (first !== undefined) corners.push(first);
  return corners;
}
