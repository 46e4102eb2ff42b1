/** Columns and rows of a grid, a tile or a window. */
export interface PixelSize {
  readonly cols: number;
  readonly rows: number;
}

/** Rectangle of pixels: upper left corner and size. A window may extend beyond the grid or file. */
export interface PixelWindow extends PixelSize {
  readonly col: number;
  readonly row: number;
}

/** Window of all pixels of a grid or file. */
export function wholeWindow({ cols, rows }: PixelSize): PixelWindow {
  return { col: 0, row: 0, cols, rows };
}

/** True if the window has a pixel within `size`. */
export function meets(size: PixelSize, window: PixelWindow): boolean {
  return (
    window.col < size.cols && window.row < size.rows && window.col + window.cols > 0 && window.row + window.rows > 0
  );
}

/** True if all pixels of the window are within `size`. */
export function covers(size: PixelSize, window: PixelWindow): boolean {
  return (
    window.col >= 0 && window.row >= 0 && window.col + window.cols <= size.cols && window.row + window.rows <= size.rows
  );
}

/** Smallest window that contains all windows; null for an empty list. */
export function bounds(windows: readonly PixelWindow[]): PixelWindow | null {
  if (windows.length === 0) return null;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { col, row, cols, rows } of windows) {
    [left, top] = [Math.min(left, col), Math.min(top, row)];
    [right, bottom] = [Math.max(right, col + cols), Math.max(bottom, row + rows)];
  }
  return { col: left, row: top, cols: right - left, rows: bottom - top };
}

/** True if two windows share a pixel. */
export function overlap(a: PixelWindow, b: PixelWindow): boolean {
  return a.col < b.col + b.cols && b.col < a.col + a.cols && a.row < b.row + b.rows && b.row < a.row + a.rows;
}

/** Pixels that two windows share; null if they share none. */
export function intersection(a: PixelWindow, b: PixelWindow): PixelWindow | null {
  if (!overlap(a, b)) return null;
  const [col, row] = [Math.max(a.col, b.col), Math.max(a.row, b.row)];
  const cols = Math.min(a.col + a.cols, b.col + b.cols) - col;
  const rows = Math.min(a.row + a.rows, b.row + b.rows) - row;
  return { col, row, cols, rows };
}
