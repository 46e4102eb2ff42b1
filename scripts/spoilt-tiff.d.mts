export declare const TAG: Readonly<
  Record<
    | 'ImageWidth'
    | 'ImageHeight'
    | 'BitsPerSample'
    | 'Compression'
    | 'TileWidth'
    | 'TileHeight'
    | 'TileOffsets'
    | 'TileByteCounts',
    number
  >
>;

/** What an entry of the first directory is made to say; what is absent stays. */
export interface Claim {
  readonly tag: number;
  readonly type?: number;
  readonly count?: number;
  /** The value itself, or where it stands. */
  readonly value?: number;
}

/** All take a classic little-endian TIFF and leave it as it is. */
export declare function claiming(tiff: Uint8Array, ...claims: readonly Claim[]): Uint8Array;
export declare function selfPointing(tiff: Uint8Array): Uint8Array;
export declare function chained(tiff: Uint8Array, count: number): Uint8Array;
export declare function hugeTables(tiff: Uint8Array): Uint8Array;
export declare function bombed(tiff: Uint8Array, tile: Uint8Array): Uint8Array;
