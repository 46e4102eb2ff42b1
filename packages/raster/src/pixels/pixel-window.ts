/** Columns and rows of pixels: of a grid, a tile, a window. */
export interface PixelSize {
  readonly cols: number;
  readonly rows: number;
}

/** A rectangle of pixels of a grid or file: its upper left corner and its size. It may reach beyond the pixels there are. */
export interface PixelWindow extends PixelSize {
  readonly col: number;
  readonly row: number;
}

/** The window of all pixels. */
export function wholeWindow({ cols, rows }: PixelSize): PixelWindow {
  return { col: 0, row: 0, cols, rows };
}

/** True where the window has a pixel within `size`. */
export function meets(size: PixelSize, window: PixelWindow): boolean {
  return (
    window.col < size.cols && window.row < size.rows && window.col + window.cols > 0 && window.row + window.rows > 0
  );
}

/** True where all pixels of the window lie within `size`. */
export function covers(size: PixelSize, window: PixelWindow): boolean {
  return (
    window.col >= 0 && window.row >= 0 && window.col + window.cols <= size.cols && window.row + window.rows <= size.rows
  );
}
