import type { TiffLayout } from './layout.ts';

/** A tile whose first rows are decompressed, with the data to decompress its other rows. */
export interface UnfinishedTile {
  /** Number of decompressed bytes. */
  readonly done: number;
  /** Number of compressed bytes that are not needed again. */
  readonly used: number;
  /** Number of the last decompressed bytes in `state`, to which the next compressed bytes may refer. */
  readonly length: number;
  /** State of the kernel, then the last decompressed bytes; null before the first bytes. */
  readonly state: Uint8Array | null;
}

const NEW_TILE: UnfinishedTile = { done: 0, used: 0, length: 0, state: null };

/**
 * Tiles of one band whose lower rows were not read yet. With them, windows that are read from top to bottom decompress
 * each tile once. A tile needs 33 KB until its last row is read.
 */
export class UnfinishedTiles {
  readonly #tiles = new Map<number, UnfinishedTile>();

  /** Indices of the unfinished tiles. */
  get indices(): readonly number[] {
    return [...this.#tiles.keys()];
  }

  /**
   * Removes and returns a tile. Returns a new tile if there is none, or if its `state` begins after the decompressed
   * byte `byte`.
   */
  take(index: number, byte: number): UnfinishedTile {
    const found = this.#tiles.get(index);
    this.#tiles.delete(index);
    return found !== undefined && found.done - found.length <= byte ? found : NEW_TILE;
  }

  put(index: number, tile: UnfinishedTile): void {
    this.#tiles.set(index, tile);
  }
}

/** True if the tiles of a file can be decompressed in parts. */
export function isPartlyReadable({ levels: [level], dtype, littleEndian }: TiffLayout): boolean {
  return (
    level !== undefined &&
    level.compression === 'deflate' &&
    !level.lerc &&
    !level.packed &&
    level.step === 1 &&
    level.predictor !== 3 &&
    (dtype === 'uint16' || dtype === 'int16') &&
    littleEndian
  );
}
