/** Coordinate system of the map. Its scale is equal in all directions at a point, as a scale bar requires. */
export const MAP_CRS = 'EPSG:3857';

/** One resolution of a raster file, with coordinates of the file. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Outer corner of the first pixel. */
  readonly origin: readonly [x: number, y: number];
  /** Size of a pixel; the second number is negative if rows run southward. */
  readonly step: readonly [x: number, y: number];
}

/** Values of a block, row by row. Blocks at the right and lower edge may be smaller. */
export interface Block {
  readonly width: number;
  readonly values: ArrayLike<number>;
}

/** Position of a block, in blocks from the left and the top. */
export interface BlockPlace {
  readonly column: number;
  readonly row: number;
}

/** Reads one block. */
export type ReadBlock = (place: BlockPlace) => Promise<Block>;

/** Index of the coarsest level with pixels of at most `size`; 0, the finest level, if all pixels are larger. */
export function levelFor(levels: readonly Level[], size: number): number {
  const tooCoarse = levels.findIndex(({ step: [x] }) => Math.abs(x) > size * 1.0001);
  return tooCoarse === -1 ? levels.length - 1 : Math.max(0, tooCoarse - 1);
}

/** Values of the pixels at `points` (x, y, x, y); NaN outside of the file. */
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
