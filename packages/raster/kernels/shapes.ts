// Pixels have 1 << `shift` bytes (1, 2 or 4), and are compared by their bits.

// @ts-ignore: decorator
@inline
function valueAt(src: usize, at: i32, shift: i32): u32 {
  if (shift == 0) return load<u8>(src + <usize>at);
  if (shift == 1) return load<u16>(src + (<usize>at << 1));
  return load<u32>(src + (<usize>at << 2));
}

/**
 * Finds the runs of equal pixels, row by row; returns their number.
 * - `rowStarts`: first run of each row, then the number of runs
 * - `starts`, unless 0: first column of each run
 */
export function findRuns(src: usize, shift: i32, cols: i32, rows: i32, rowStarts: usize, starts: usize): i32 {
  let count = 0;
  for (let row = 0; row < rows; row++) {
    store<i32>(rowStarts + (<usize>row << 2), count);
    const first = row * cols;
    let before = valueAt(src, first, shift);
    if (starts != 0) store<i32>(starts + (<usize>count << 2), 0);
    count++;
    for (let col = 1; col < cols; col++) {
      // Skips sixteen bytes that are all equal to their left neighbours.
      while (shift == 0 && col + 16 <= cols) {
        const at = src + <usize>(first + col);
        if (!i8x16.all_true(i8x16.eq(v128.load(at), v128.load(at - 1)))) break;
        col += 16;
      }
      if (col >= cols) break;
      before = valueAt(src, first + col - 1, shift);
      if (valueAt(src, first + col, shift) == before) continue;
      if (starts != 0) store<i32>(starts + (<usize>count << 2), col);
      count++;
    }
  }
  store<i32>(rowStarts + (<usize>rows << 2), count);
  return count;
}

// @ts-ignore: decorator
@inline
function entry(list: usize, index: i32): i32 {
  return load<i32>(list + (<usize>index << 2));
}

function rootOf(parents: usize, run: i32): i32 {
  let at = run;
  while (entry(parents, at) != at) {
    const up = entry(parents, entry(parents, at));
    store<i32>(parents + (<usize>at << 2), up);
    at = up;
  }
  return at;
}

/**
 * Labels the connected regions of equal runs; returns their number. Joins runs that touch at sides; with `reach` 1,
 * also runs that touch at corners. `labels`: region of each run. Regions are numbered from 0 in the order of their
 * first runs.
 */
export function labelRuns(src: usize, shift: i32, cols: i32, rows: i32, rowStarts: usize, starts: usize, reach: i32, labels: usize): i32 {
  const runs = entry(rowStarts, rows);
  for (let run = 0; run < runs; run++) store<i32>(labels + (<usize>run << 2), run);
  for (let row = 1; row < rows; row++) {
    const first = entry(rowStarts, row);
    const end = entry(rowStarts, row + 1);
    let above = entry(rowStarts, row - 1);
    for (let run = first; run < end; run++) {
      const from = entry(starts, run);
      const to = run + 1 < end ? entry(starts, run + 1) : cols;
      const value = valueAt(src, row * cols + from, shift);
      while (above + 1 < first && entry(starts, above + 1) + reach <= from) above++;
      for (let other = above; other < first && entry(starts, other) < to + reach; other++) {
        if (valueAt(src, (row - 1) * cols + entry(starts, other), shift) != value) continue;
        const a = rootOf(labels, other);
        const b = rootOf(labels, run);
        // The earlier run becomes the root, so the root of a region is always its earliest run.
        if (a < b) store<i32>(labels + (<usize>b << 2), a);
        else store<i32>(labels + (<usize>a << 2), b);
      }
    }
  }
  let count = 0;
  for (let run = 0; run < runs; run++) {
    // The parent is this run, or an earlier run that already has its final label.
    const parent = entry(labels, run);
    store<i32>(labels + (<usize>run << 2), parent == run ? count++ : entry(labels, parent));
  }
  return count;
}

// @ts-ignore: decorator
@inline
function setMark(marks: usize, at: i32): void {
  const byte = marks + <usize>(at >> 3);
  store<u8>(byte, <u8>(<u32>load<u8>(byte) | (1 << (at & 7))));
}

// Bytes of the record of a ring, which has four int32. The first two are the number of corners and the label of the
// region. The third is the number of corners at which the ring may touch itself. The last is 1 for an exterior ring,
// otherwise 0.
const RING: usize = 16;

/**
 * Traces the rings around regions, with the region on the left. If the next ring does not fit into `most` corners
 * or `mostRings` rings, stops before it and returns false. Otherwise returns true.
 * - `skip`: value whose regions get no rings, if `hasSkip` is 1
 * - `state`: row, run and column of the search, then numbers of written corners and rings
 * - `marks`: one bit per pixel, 1 if its southern edge was traced
 */
export function traceRings(
  src: usize,
  shift: i32,
  cols: i32,
  rows: i32,
  rowStarts: usize,
  starts: usize,
  labels: usize,
  hasSkip: i32,
  skip: u32,
  marks: usize,
  state: usize,
  corners: usize,
  most: i32,
  rings: usize,
  mostRings: i32,
): bool {
  let written = 0;
  let found = 0;
  let run = entry(state, 1);
  let col = entry(state, 2);
  for (let row = entry(state, 0); row < rows; row++) {
    const last = entry(rowStarts, row + 1);
    for (; run < last; run++) {
      const to = run + 1 < last ? entry(starts, run + 1) : cols;
      const value = valueAt(src, row * cols + entry(starts, run), shift);
      if (hasSkip && value == skip) {
        col = to;
        continue;
      }
      for (; col < to; col++) {
        const at = row * cols + col;
        // Skips sixteen pixels that are equal to the pixels below them, because they have no southern edge.
        if (shift == 0 && row + 1 < rows && col + 16 <= to && i8x16.all_true(i8x16.eq(v128.load(src + <usize>at), v128.load(src + <usize>(at + cols))))) {
          col += 15;
          continue;
        }
        if (row + 1 < rows && valueAt(src, at + cols, shift) == value) continue;
        if ((load<u8>(marks + <usize>(at >> 3)) >> (at & 7)) & 1) continue;
        const length = found < mostRings ? walk(src, shift, cols, rows, col, row + 1, value, marks, corners + (<usize>written << 3), most - written, rings + <usize>found * RING) : -1;
        if (length < 0) {
          store<i32>(state, row);
          store<i32>(state, run, 4);
          store<i32>(state, col, 8);
          store<i32>(state, written, 12);
          store<i32>(state, found, 16);
          return false;
        }
        store<i32>(rings + <usize>found * RING, entry(labels, run), 4);
        setMark(marks, at);
        written += length;
        found++;
      }
    }
    col = 0;
  }
  store<i32>(state, written, 12);
  store<i32>(state, found, 16);
  return true;
}

// @ts-ignore: decorator
@inline
function isSame(src: usize, shift: i32, cols: i32, rows: i32, x: i32, y: i32, value: u32): bool {
  return <u32>x < <u32>cols && <u32>y < <u32>rows && valueAt(src, y * cols + x, shift) == value;
}

/** Writes the corners and the record of one ring. Returns the number of corners; -1 if there are more than `most`. */
function walk(src: usize, shift: i32, cols: i32, rows: i32, startX: i32, startY: i32, value: u32, marks: usize, out: usize, most: i32, ring: usize): i32 {
  let x = startX;
  let y = startY;
  // 0 east, 1 north, 2 west, 3 south.
  let direction = 0;
  let count = 0;
  let crossings = 0;
  let twice: i64 = 0;
  let lastX = startX;
  let lastY = startY;
  do {
    if (direction == 0) {
      const at = (y - 1) * cols + x;
      // The first pixel is marked only when the ring is complete. Otherwise a ring that does not fit would not be found
      // again.
      if (x != startX || y != startY) setMark(marks, at);
      x++;
    } else if (direction == 1) y--;
    else if (direction == 2) x--;
    else y++;
    // Two pixels are ahead of the corner: one left and one right of the direction.
    const leftX = direction == 0 || direction == 3 ? x : x - 1;
    const leftY = direction == 2 || direction == 3 ? y : y - 1;
    const rightX = direction == 0 || direction == 1 ? x : x - 1;
    const rightY = direction == 0 || direction == 3 ? y : y - 1;
    const right = isSame(src, shift, cols, rows, rightX, rightY, value);
    let next = direction;
    if (!isSame(src, shift, cols, rows, leftX, leftY, value)) {
      next = (direction + 1) & 3;
      if (right) crossings++;
    } else if (right) next = (direction + 3) & 3;
    if (next != direction) {
      if (count == most) return -1;
      store<i32>(out + (<usize>count << 3), x);
      store<i32>(out + (<usize>count << 3), y, 4);
      twice += <i64>lastX * <i64>y - <i64>x * <i64>lastY;
      lastX = x;
      lastY = y;
      count++;
    }
    direction = next;
  } while (x != startX || y != startY || direction != 0);
  twice += <i64>lastX * <i64>startY - <i64>startX * <i64>lastY;
  store<i32>(ring, count);
  store<i32>(ring, crossings, 8);
  // Rows increase to the south, so the sum of an exterior ring is negative.
  store<i32>(ring, twice < 0 ? 1 : 0, 12);
  return count;
}
