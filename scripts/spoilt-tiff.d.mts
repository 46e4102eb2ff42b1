export declare const TAG: Readonly<
  Record<
    | 'ImageWidth'
    | 'ImageHeight'
    | 'BitsPerSample'
    | 'Compression'
    | 'TileWidth'
    | 'TileHeight'
    | 'TileOffsets'
    | 'TileByteCounts'
    | 'GeoKeyDirectory',
    number
  >
>;

/** Values for an entry of the first directory. Absent members are not changed. */
export interface Claim {
  readonly tag: number;
  readonly type?: number;
  readonly count?: number;
  /** The value itself, or its offset in the file. */
  readonly value?: number;
}

/**
 * Changes entries of the first directory. All functions of this module return a copy of a classic little-endian TIFF.
 */
export declare function claiming(tiff: Uint8Array, ...claims: readonly Claim[]): Uint8Array;
export declare function selfPointing(tiff: Uint8Array): Uint8Array;
export declare function chained(tiff: Uint8Array, count: number): Uint8Array;
export declare function hugeTables(tiff: Uint8Array): Uint8Array;
export declare function bombed(tiff: Uint8Array, tile: Uint8Array): Uint8Array;
