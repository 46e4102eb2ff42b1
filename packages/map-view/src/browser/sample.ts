/**
 * Coordinate system of the map. Near each point, the scale of this coordinate system is equal in all directions, as a
 * scale bar requires.
 */
export const MAP_CRS = 'EPSG:3857';

/** One resolution of a raster file: sizes in pixels, and the place of its pixels in coordinates of the file. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Outer corner of the first pixel (the corner of the raster). */
  readonly origin: readonly [x: number, y: number];
  /** Size of a pixel; the second number is negative for a grid whose rows run southward. */
  readonly step: readonly [x: number, y: number];
}

/** Values of a block, row by row; blocks at the right and lower edge of a file may be smaller than all other blocks. */
export interface Block {
  readonly width: number;
  readonly values: ArrayLike<number>;
}

/** Place of a block in its level, in blocks from the left and from the top. */
export interface BlockPlace {
  readonly column: number;
  readonly row: number;
}

/** Reads one block. */
export type ReadBlock = (place: BlockPlace) => Promise<Block>;

/** Index of the coarsest level whose pixels are at most `size` wide; the levels begin with the finest level. */
export function levelFor(levels: readonly Level[], size: number): number {
  const tooCoarse = levels.findIndex(({ step: [x] }) => Math.abs(x) > size * 1.0001);
  return tooCoarse === -1 ? levels.length - 1 : Math.max(0, tooCoarse - 1);
}

/**
 * Values of the pixels that contain the points; NaN outside of the file. `points` contains x and y of the first point,
 * then of the second point, and so on.
 */
export async function valuesAt(points: ArrayLike<number>, level: Level, read: ReadBlock): Promise<Float64Array> {
  const values = new Float64Array(points.length / 2).fill(NaN);
  const blocks = new Map<number, { readonly place: BlockPlace; readonly indexes: number[] }>();
  const across = Math.ceil(level.width / level.blockWidth);
  for (let index = 0; index < values.length; index++) {
    const [column, row] = pixelAt(level, points[2 * index]!, points[2 * index + 1]!);
    if (!(column >= 0 && row >= 0 && column < level.width && row < level.height)) continue;
    const place = { column: Math.floor(column / level.blockWidth), row: Math.floor(row / level.blockHeight) };
    const key = place.row * across + place.column;
    const found = blocks.get(key) ?? { place, indexes: [] };
    found.indexes.push(index);
    blocks.set(key, found);
  }
  const reads = [...blocks.values()].map(async ({ place, indexes }) => {
    const block = await read(place);
    for (const index of indexes) {
      const [column, row] = pixelAt(level, points[2 * index]!, points[2 * index + 1]!);
      const x = column - place.column * level.blockWidth;
      const y = row - place.row * level.blockHeight;
      values[index] = block.values[y * block.width + x]!;
    }
  });
  await Promise.all(reads);
  return values;
}

function pixelAt({ origin, step }: Level, x: number, y: number): readonly [column: number, row: number] {
  return [Math.floor((x - origin[0]) / step[0]), Math.floor((y - origin[1]) / step[1])];
}
