/**
 * Limits of TIFF headers. A hostile header costs its writer a few bytes, but the reader as much memory as it claims: nothing
 * is allocated for a claim beyond these limits.
 */
export const LIMITS = {
  /** Directories of one file: full resolution, masks and overviews of a COG are some twenty. */
  directories: 256,
  /** Entries of one directory; GDAL writes about twenty. */
  entries: 512,
  /** Bytes of directories, values and tables of one file. */
  headerBytes: 32 * 1024 * 1024,
  /** Bytes of an `.aux.xml` next to a file: those of GDAL and ArcGIS have some KB, with large tables of classes some MB. */
  sideBytes: 16 * 1024 * 1024,
  /** Tiles (or strips) of all levels: 260,000 px a side in tiles of 256. A Sentinel-2 band has about 2,500. */
  tiles: 2 ** 20,
  /** Bytes of one decompressed tile (or strip): 8192 x 4096 pixels of 16 bits. */
  tileBytes: 64 * 1024 * 1024,
} as const;

/** Maximum bytes that a tile of `decoded` bytes may have in the file: LZW can need 1.5 times as many. */
export const mostStored = (decoded: number): number => 1.5 * decoded + 64 * 1024;
