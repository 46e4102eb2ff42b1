/**
 * Limits of TIFF headers. A hostile header of a few bytes can claim any amount of memory, so nothing is allocated for a claim beyond these
 * limits.
 */
export const LIMITS = {
  /** Maximum directories of one file. A COG has about twenty, for full resolution, masks and overviews. */
  directories: 256,
  /** Maximum entries of one directory; GDAL writes about twenty. */
  entries: 512,
  /** Maximum bytes of directories, values and tables of one file. */
  headerBytes: 32 * 1024 * 1024,
  /** Maximum bytes of an `.aux.xml` next to a file. GDAL and ArcGIS write some KB, or some MB with large tables of classes. */
  sideBytes: 16 * 1024 * 1024,
  /** Maximum tiles (or strips) of all levels: 260,000 px a side in tiles of 256. A Sentinel-2 band has about 2,500. */
  tiles: 2 ** 20,
  /** Maximum bytes of one decompressed tile (or strip): 8192 x 4096 pixels of 16 bits. */
  tileBytes: 64 * 1024 * 1024,
} as const;

/** Maximum bytes that a tile of `decoded` bytes may have in the file: LZW can need 1.5 times as many. */
export const mostStored = (decoded: number): number => 1.5 * decoded + 64 * 1024;
