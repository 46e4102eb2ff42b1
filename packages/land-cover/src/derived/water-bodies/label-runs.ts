/** Horizontal runs of set pixels, row by row, each with its region. */
export interface LabelledRuns {
  /** First column of each run (`starts`) and the column after its last pixel (`ends`). */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Index of the first run of each row; the last entry is the number of runs. */
  readonly rowStarts: Int32Array;
  /** Region of each run, numbered from 0 in the order of the first pixels. */
  readonly regions: Int32Array;
  readonly count: number;
}

/** A mask of a grid, row by row; pixels that are not 0 are set. */
export interface Mask {
  readonly cols: number;
  readonly rows: number;
  readonly pixels: Uint8Array;
}

/**
 * Labels the connected regions of a mask by union-find, in nearly linear time. `reach` 1: pixels touch by sides or
 * corners; 0: only by sides.
 */
export function labelRuns(mask: Mask, reach: 0 | 1): LabelledRuns {
  const { starts, ends, rowStarts } = findRuns(mask);
  const parents = Int32Array.from(starts, (_, run) => run);
  for (let row = 1; row < mask.rows; row++) {
    let above = rowStarts[row - 1]!;
    const aboveEnd = rowStarts[row]!;
    for (let run = aboveEnd; run < rowStarts[row + 1]!; run++) {
      while (above < aboveEnd && ends[above]! + reach <= starts[run]!) above++;
      for (let other = above; other < aboveEnd && starts[other]! < ends[run]! + reach; other++) {
        join(parents, other, run);
      }
    }
  }
  return { starts, ends, rowStarts, ...numbered(parents) };
}

function findRuns({ cols, rows, pixels }: Mask): Pick<LabelledRuns, 'starts' | 'ends' | 'rowStarts'> {
  const rowStarts = new Int32Array(rows + 1);
  let total = 0;
  for (let i = 0; i < pixels.length; i++) if (pixels[i] !== 0 && (i % cols === 0 || pixels[i - 1] === 0)) total++;
  const [starts, ends] = [new Int32Array(total), new Int32Array(total)];
  let run = 0;
  for (let row = 0; row < rows; row++) {
    rowStarts[row] = run;
    const first = row * cols;
    for (let col = 0; col < cols; col++) {
      if (pixels[first + col] === 0) continue;
      starts[run] = col;
      while (col < cols && pixels[first + col] !== 0) col++;
      ends[run++] = col;
    }
  }
  rowStarts[rows] = run;
  return { starts, ends, rowStarts };
}

/**
 * Joins two regions. The earlier run becomes the common root, so that regions are numbered in the order of their
 * first pixels.
 */
function join(parents: Int32Array, a: number, b: number): void {
  const [first, second] = [rootOf(parents, a), rootOf(parents, b)];
  if (first < second) parents[second] = first;
  else parents[first] = second;
}

function rootOf(parents: Int32Array, run: number): number {
  let at = run;
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]!]!;
    at = parents[at]!;
  }
  return at;
}

function numbered(parents: Int32Array): Pick<LabelledRuns, 'regions' | 'count'> {
  const regions = new Int32Array(parents.length);
  let count = 0;
  for (let run = 0; run < parents.length; run++) {
    const root = rootOf(parents, run);
    regions[run] = root === run ? count++ : regions[root]!;
  }
  return { regions, count };
}

/** Returns the region of a set pixel. */
export function regionAt({ starts, rowStarts, regions }: LabelledRuns, row: number, col: number): number {
  let [low, high] = [rowStarts[row]!, rowStarts[row + 1]! - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= col) low = middle;
    else high = middle - 1;
  }
  return regions[low]!;
}
