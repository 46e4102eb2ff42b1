import { chance, randomStream } from './random.ts';

/** Square board of cells: `side * side`, row-major. `inside`: 1 for cells of the tehsil. */
export interface CellBoard {
  readonly side: number;
  readonly inside: Uint8Array;
}

/** Label of cells that are in no region. */
export const NO_REGION = -1;

/**
 * Divides the inside of a board into `count` regions that grow from start cells like catchments. Regions have no holes
 * and at least `minCells` cells, and do not touch themselves at a corner. The same seed gives the same regions. Throws
 * after 200 attempts.
 */
export function growRegions(board: CellBoard, wanted: { count: number; minCells: number; seed: number }): Int16Array {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const labels = grow(board, { count: wanted.count, seed: wanted.seed + 1009 * attempt });
    unpinch(board, labels);
    if (isSound(board, labels, wanted)) return labels;
  }
  throw new Error(`No division of the sample's tehsil into ${wanted.count} regions was found; use another seed`);
}

/** Neighbours above, left, right and below, inside the board only. */
export function neighbours(side: number, cell: number): number[] {
  const col = cell % side;
  const found: number[] = [];
  if (cell >= side) found.push(cell - side);
  if (col > 0) found.push(cell - 1);
  if (col < side - 1) found.push(cell + 1);
  if (cell < side * (side - 1)) found.push(cell + side);
  return found;
}

function grow(board: CellBoard, { count, seed }: { count: number; seed: number }): Int16Array {
  const labels = new Int16Array(board.inside.length).fill(NO_REGION);
  const cost = new Float64Array(labels.length).fill(Infinity);
  const queue: [cost: number, cell: number, label: number][] = spreadStarts(board, count, seed).map((cell, i) => [
    0,
    cell,
    i,
  ]);
  while (queue.length > 0) {
    const [reached, cell, label] = takeCheapest(queue);
    if (labels[cell] !== NO_REGION) continue;
    labels[cell] = label;
    for (const next of neighbours(board.side, cell)) {
      const total = reached + 1 + 1.6 * chance(seed, next, 81);
      if (board.inside[next] === 1 && labels[next] === NO_REGION && total < (cost[next] ?? 0)) {
        cost[next] = total;
        queue.push([total, next, label]);
      }
    }
  }
  return labels;
}

function takeCheapest(queue: [number, number, number][]): [number, number, number] {
  let best = 0;
  for (let i = 1; i < queue.length; i += 1) if (queue[i]![0] < queue[best]![0]) best = i;
  const found = queue[best]!;
  const last = queue.pop()!;
  if (best < queue.length) queue[best] = last;
  return found;
}

/** In each step, draws 30 random cells and takes the cell that is farthest from the earlier start cells. */
function spreadStarts({ side, inside }: CellBoard, count: number, seed: number): number[] {
  const cells = [...inside.keys()].filter((cell) => inside[cell] === 1);
  const next = randomStream(seed);
  const chosen: number[] = [];
  while (chosen.length < count) {
    let best = 0;
    let bestGap = -1;
    for (let i = 0; i < 30; i += 1) {
      const cell = cells[Math.floor(next() * cells.length)] ?? 0;
      const gap = Math.min(
        ...chosen.map((c) => Math.hypot(Math.floor(c / side) - Math.floor(cell / side), (c % side) - (cell % side))),
      );
      if (gap > bestGap) [best, bestGap] = [cell, gap];
    }
    chosen.push(best);
  }
  return chosen;
}

/**
 * Changes cells at places where two cells of a region meet only at a corner. If the rows `a b` and `c a` form a square,
 * `b` becomes `a`.
 */
function unpinch({ side }: CellBoard, labels: Int16Array): void {
  for (let round = 0; round < 20; round += 1) {
    let changed = false;
    for (let cell = 0; cell < labels.length - side; cell += 1) {
      if (cell % side === side - 1) continue;
      const [a, b, c, d] = [labels[cell], labels[cell + 1], labels[cell + side], labels[cell + side + 1]];
      if (a === b || a === c || (a !== d && b !== c)) continue;
      if (a === NO_REGION || b === NO_REGION || c === NO_REGION || d === NO_REGION) continue;
      if (a === d) labels[cell + 1] = a ?? NO_REGION;
      else labels[cell] = b ?? NO_REGION;
      changed = true;
    }
    if (!changed) return;
  }
}

function isSound(
  board: CellBoard,
  labels: Int16Array,
  { count, minCells }: { count: number; minCells: number },
): boolean {
  for (let label = 0; label < count; label += 1) {
    const cells = [...labels.keys()].filter((cell) => labels[cell] === label);
    if (cells.length < minCells || !isOnePiece(board.side, new Set(cells)) || hasHole(board.side, new Set(cells)))
      return false;
  }
  return !isPinched(board.side, labels);
}

function isPinched(side: number, labels: Int16Array): boolean {
  for (let cell = 0; cell < labels.length - side; cell += 1) {
    if (cell % side === side - 1) continue;
    const [a, b, c, d] = [labels[cell], labels[cell + 1], labels[cell + side], labels[cell + side + 1]];
    if (a !== b && a !== c && b !== d && c !== d && (a === d || b === c)) return true;
  }
  return false;
}

function isOnePiece(side: number, cells: ReadonlySet<number>): boolean {
  return flood(side, { from: [...cells][0] ?? -1, allowed: (cell) => cells.has(cell) }) === cells.size;
}

/** True if some cell outside of the region cannot be reached from the board's corner. */
function hasHole(side: number, cells: ReadonlySet<number>): boolean {
  return flood(side, { from: 0, allowed: (cell) => !cells.has(cell) }) !== side * side - cells.size;
}

function flood(side: number, { from, allowed }: { from: number; allowed: (cell: number) => boolean }): number {
  const seen = new Set([from]);
  const open = [from];
  while (open.length > 0) {
    for (const next of neighbours(side, open.pop()!)) {
      if (!allowed(next) || seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return seen.size;
}
