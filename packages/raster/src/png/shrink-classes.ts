/** A raster of class values, row-major, `cols * rows`. */
export interface ClassRaster {
  readonly data: Uint8Array;
  readonly cols: number;
  readonly rows: number;
}

/** Shrinks a class raster to `cols` x `rows`: each pixel is the most frequent value of the pixels it covers, 0 left out. */
export function shrinkClasses(source: ClassRaster, cols: number, rows: number): ClassRaster {
  const data = new Uint8Array(cols * rows);
  const counts = new Uint32Array(256);
  for (let row = 0; row < rows; row += 1) {
    const [top, bottom] = spanOf(row, source.rows / rows);
    for (let col = 0; col < cols; col += 1) {
      const [left, right] = spanOf(col, source.cols / cols);
      data[row * cols + col] = modeOfBox(source, { top, bottom, left, right }, counts);
    }
  }
  return { data, cols, rows };
}

/** Source pixels [from, to) that target pixel `index` stands for; at least one, none twice. */
function spanOf(index: number, scale: number): readonly [number, number] {
  const from = Math.round(index * scale);
  return [from, Math.max(from + 1, Math.round((index + 1) * scale))];
}

interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The value that reaches the highest count first; 0 only where all are 0. `counts` is zero on entry and on return. */
function modeOfBox({ data, cols }: ClassRaster, box: Box, counts: Uint32Array): number {
  let best = 0;
  let most = 0;
  for (let row = box.top; row < box.bottom; row += 1) {
    for (let at = row * cols + box.left; at < row * cols + box.right; at += 1) {
      const value = data[at]!;
      if (value === 0) continue;
      const count = counts[value]! + 1;
      counts[value] = count;
      if (count > most) [best, most] = [value, count];
    }
  }
  for (let row = box.top; row < box.bottom; row += 1) {
    for (let at = row * cols + box.left; at < row * cols + box.right; at += 1) counts[data[at]!] = 0;
  }
  return best;
}
