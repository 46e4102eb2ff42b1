import type { Mask } from './label-runs.ts';

/** A corner of pixels: column and row of the grid's lines, `[0..cols, 0..rows]`, rows from north. */
export type Corner = readonly [col: number, row: number];

/** A closed ring of corners (the first is the last); a pixel inside of its edge, which tells whose it is. */
export interface Ring {
  readonly corners: readonly Corner[];
  /** Row and column of a set pixel that the ring bounds. */
  readonly row: number;
  readonly col: number;
}

/** East, north, west, south: what one step adds to column and row, and where the pixels left and right of it lie. */
const STEPS = [
  { col: 1, row: 0, left: [0, -1], right: [0, 0] },
  { col: 0, row: -1, left: [-1, -1], right: [0, -1] },
  { col: -1, row: 0, left: [-1, 0], right: [-1, -1] },
  { col: 0, row: 1, left: [0, 0], right: [-1, 0] },
] as const;

/** Marks a pixel whose southern edge was walked. */
const WALKED = 2;

/**
 * Rings around the set pixels of a mask, with the set pixels on the left: exteriors counter-clockwise, holes clockwise, as RFC 7946
 * wants them. Two set pixels that share a corner alone are kept apart, and a ring that comes back to a corner is cut there, so that
 * no ring touches itself. Time is linear in the pixels; bit 1 of the mask's pixels (value 2) is used as a mark and left set.
 */
export function traceRings(mask: Mask): readonly Ring[] {
  const { cols, rows, pixels } = mask;
  const rings: Ring[] = [];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      // Every ring has a step to the east, on the southern edge of a pixel.
      const pixel = pixels[row * cols + col]!;
      if (pixel === 0 || (pixel & WALKED) !== 0 || isSet(mask, col, row + 1)) continue;
      const { corners, crossings } = walk(mask, col, row + 1);
      // A corner that comes twice is a crossing, so most rings need no search for one.
      if (crossings < 2) rings.push({ corners: closed(corners), row, col });
      else for (const simple of simpleRings(corners, cols + 1)) rings.push({ corners: simple, row, col });
    }
  }
  return rings;
}

/** Corners at which the ring turns, from the step to the east that starts at this corner; how many of them it may come to twice. */
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

/** At a corner, having come in a direction. */
interface Position {
  readonly col: number;
  readonly row: number;
  readonly direction: number;
}

/** Left where the pixel ahead on the left is not set: around the same pixel; straight on, or right, where it is. */
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

/** Cuts a ring wherever it comes back to a corner. `width`: corners of one row of the grid. */
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
