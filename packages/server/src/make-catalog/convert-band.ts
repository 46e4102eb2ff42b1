import { rm, utimes } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { DomainError, isDomainError } from '@headwater/core/errors';
import { type BandSource, unpackMember } from '@headwater/ingest';
import { openRaster, type PixelType, pointTransform, type RasterFile, writeCogRows } from '@headwater/raster';
import { checkJp2 } from './check-jp2.ts';
import { type Gdal, INSTALL_GDAL, notDigital, UNREADABLE } from './gdal.ts';

/** Tools of a conversion. */
export interface ConvertTools {
  /** The installed GDAL, if there is one. */
  readonly gdal: Gdal | undefined;
  readonly scratchDir: string;
  readonly signal: AbortSignal;
}

/** Reason for a file that only GDAL can read. */
export const NEEDS_GDAL = `it is JPEG 2000, which only GDAL reads: ${INSTALL_GDAL} and call again`;
const DAMAGED = 'the file is damaged, or is not a GeoTIFF: download it again';
const NO_JP2_DRIVER = `the installed GDAL has no driver of JPEG 2000: ${INSTALL_GDAL} and call again`;

const isJp2 = ({ path, member }: BandSource): boolean => /\.j(?:p2|2k)$/i.test(member ?? path);

/**
 * Converts the file of a band to a COG. GDAL reads JPEG 2000, and TIFFs that our reader refuses. It also warps
 * rasters with an unsupported CRS. The target is complete or missing. Throws `input_data` with reason and remedy, and
 * `storage_full` if the disk is full.
 */
export async function convertBand(source: BandSource, target: string, tools: ConvertTools): Promise<void> {
  const { announcedBytes, bytes, member } = source;
  if (announcedBytes !== undefined && bytes < announcedBytes)
    throw refusal(`it is truncated: it has ${bytes} of ${announcedBytes} bytes; download it again`);
  if (isJp2(source) && tools.gdal?.readsJp2 !== true)
    throw refusal(tools.gdal === undefined ? NEEDS_GDAL : NO_JP2_DRIVER);
  const unpacked = member === undefined ? undefined : join(tools.scratchDir, `unpacked${extname(member)}`);
  const rewritten = join(tools.scratchDir, 'rewritten.tif');
  const warped = join(tools.scratchDir, 'warped.tif');
  try {
    if (member !== undefined && unpacked !== undefined) await unpackMember(source.path, member, unpacked);
    const opened = await openSource(unpacked ?? source.path, { source, rewritten, tools });
    const raster = isPlaceable(opened) ? opened : await inUtm(opened, warped, tools);
    try {
      await writeCog(raster, { source, target, signal: tools.signal });
    } finally {
      raster.close();
    }
    // If the time of the source is in the future, the target gets the same time. Otherwise the source would always seem
    // newer.
    if (source.modifiedMs > Date.now()) await utimes(target, new Date(), new Date(source.modifiedMs));
  } finally {
    for (const path of [unpacked, rewritten, warped]) if (path !== undefined) await rm(path, { force: true });
  }
}

interface Opening {
  readonly source: BandSource;
  readonly rewritten: string;
  readonly tools: ConvertTools;
}

async function openSource(path: string, { source, rewritten, tools }: Opening): Promise<RasterFile> {
  const { gdal, signal } = tools;
  if (isJp2(source)) {
    await checkJp2(path);
    await gdal?.toTiff(path, rewritten, signal);
    return openRaster(rewritten);
  }
  try {
    return await openRaster(path);
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'input_data') throw error;
    if (gdal === undefined)
      throw refusal(`${error.message}. GDAL may read it: ${INSTALL_GDAL} and call again. Otherwise: ${DAMAGED}`);
    // If GDAL cannot read the file either, the reason of our reader is thrown with a remedy. Other failures of GDAL,
    // such as a full disk, are thrown unchanged.
    await gdal.toTiff(path, rewritten, signal).catch((failure: unknown) => {
      throw isDomainError(failure) && failure.message.startsWith(UNREADABLE)
        ? refusal(`${error.message}; ${DAMAGED}`)
        : failure;
    });
    return openRaster(rewritten);
  }
}

/** True if runs support the CRS of the raster. */
function isPlaceable({ grid }: RasterFile): boolean {
  try {
    pointTransform(grid.crs, 'EPSG:4326');
    return true;
  } catch {
    return false;
  }
}

/** Warps the raster to UTM with GDAL. Throws `input_data` with the remedy if GDAL is not installed. */
async function inUtm(raster: RasterFile, warped: string, { gdal, signal }: ConvertTools): Promise<RasterFile> {
  raster.close();
  // Without GDAL, this call throws the error with the remedy.
  if (gdal === undefined) pointTransform(raster.grid.crs, 'EPSG:4326');
  await gdal?.toUtm(raster.href, warped, signal);
  return openRaster(warped);
}

const COG = { tileSize: 512, level: 4 } as const;
const REFLECTANCE: readonly string[] = ['uint16', 'int16'] satisfies PixelType[];

interface Writing {
  readonly source: BandSource;
  readonly target: string;
  readonly signal: AbortSignal;
}

async function writeCog(raster: RasterFile, { source, target, signal }: Writing): Promise<void> {
  const { grid, dtype, nodata, layout } = raster;
  const isClass = source.band === 'scl';
  if (layout.mask !== null)
    throw refusal(
      'its pixels without data are in a mask: give them a value with gdal_translate -mask none -a_nodata 0',
    );
  if (!isClass && !REFLECTANCE.includes(dtype)) throw refusal(notDigital(dtype));
  const type: PixelType = isClass ? 'uint8' : dtype === 'int16' ? 'int16' : 'uint16';
  const rows = async (row: number, count: number) => {
    signal.throwIfAborted();
    const pixels = grid.cols * count;
    const out = isClass ? new Uint8Array(pixels) : type === 'int16' ? new Int16Array(pixels) : new Uint16Array(pixels);
    await raster.readWindow({ col: 0, row, cols: grid.cols, rows: count }, out);
    return out;
  };
  const format = { ...COG, grid, nodata: nodata ?? 0 };
  await writeCogRows(
    target,
    { ...format, overviews: isClass ? 'mode' : 'average', predictor: isClass ? 1 : 2 },
    { type, rows },
  );
}

const refusal = (reason: string): DomainError => new DomainError('input_data', reason);
