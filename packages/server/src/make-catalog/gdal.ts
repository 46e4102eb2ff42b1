import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DomainError, errorCode, messageOf } from '@headwater/core/errors';
import { z } from 'zod';

const run = promisify(execFile);
const PROGRAM = 'gdal_translate';
const JP2 = /^ *JP2(?:OpenJPEG|KAK|ECW|MrSID|Lura) /m;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Instruction to install GDAL with JPEG 2000. */
export const INSTALL_GDAL =
  'install GDAL (Debian and Ubuntu: sudo apt-get install gdal-bin; macOS: brew install gdal; conda: conda install -c conda-forge gdal libgdal-jp2openjpeg)';

/** The installed GDAL. */
export interface Gdal {
  /** False for a build without a driver of JPEG 2000. */
  readonly readsJp2: boolean;
  /** Rewrites a raster of 8 or 16 bits as a GeoTIFF. Throws `input_data` with the reason, or `storage_full`. */
  toTiff(source: string, target: string, signal: AbortSignal): Promise<void>;
  /** Like `toTiff`, but also warps the raster to the UTM zone of its middle, by nearest neighbour. */
  toUtm(source: string, target: string, signal: AbortSignal): Promise<void>;
}

/**
 * Finds GDAL on the search path of this process; undefined if it is not installed. Throws `unavailable` if the
 * installed GDAL fails.
 */
export async function findGdal(): Promise<Gdal | undefined> {
  try {
    const { stdout } = await run(PROGRAM, ['--formats'], { maxBuffer: MAX_OUTPUT });
    return { readsJp2: JP2.test(stdout), toTiff, toUtm };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new DomainError(
      'unavailable',
      `${PROGRAM} is installed but fails: ${lastLine(messageOf(error))}. Repair this installation, or ${INSTALL_GDAL}`,
    );
  }
}

async function toTiff(source: string, target: string, signal: AbortSignal): Promise<void> {
  const { options } = await inspect(source, signal);
  await runGdal(PROGRAM, [...options, source, target], signal);
}

async function toUtm(source: string, target: string, signal: AbortSignal): Promise<void> {
  const { options, middle } = await inspect(source, signal);
  const warp = ['-t_srs', utmOf(middle), '-r', 'near', '-dstnodata', '0'];
  await runGdal('gdalwarp', [...options, ...warp, source, target], signal);
}

/** GDAL's options for the samples of a raster, and its middle (longitude and latitude). */
interface Inspected {
  readonly options: readonly string[];
  readonly middle: readonly [number, number];
}

const INFO = z.object({
  bands: z.array(z.object({ type: z.string() })),
  wgs84Extent: z.object({ coordinates: z.array(z.array(z.array(z.number()))) }).optional(),
});
const BITS: Readonly<Record<string, number>> = { Byte: 8, UInt16: 16, Int16: 16 };

async function inspect(source: string, signal: AbortSignal): Promise<Inspected> {
  const info = infoOf(await runGdal('gdalinfo', ['-json', source], signal));
  const type = info?.bands[0]?.type ?? '';
  const bits = BITS[type];
  // A conversion to 16 bits would change reflectances of 0-1 to zeros.
  if (bits === undefined) throw new DomainError('input_data', notDigital(type));
  const config = ['--config', 'GDAL_PAM_ENABLED', 'NO', '--config', 'GDAL_NUM_THREADS', 'ALL_CPUS'];
  // Without NBITS, GDAL would write the samples of Sentinel-2 with 15 bits, which our reader refuses.
  const layout = ['-co', 'TILED=YES', '-co', `NBITS=${bits}`, '-co', 'BIGTIFF=IF_SAFER'];
  const ring = info?.wgs84Extent?.coordinates[0] ?? [];
  const middle = (axis: 0 | 1): number => {
    const values = ring.map((position) => position[axis] ?? 0);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  return { options: [...config, '-q', '-of', 'GTiff', '-ot', type, ...layout], middle: [middle(0), middle(1)] };
}

function infoOf(json: string): z.infer<typeof INFO> | undefined {
  try {
    return INFO.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Message about samples that are not digital numbers of Sentinel-2. */
export const notDigital = (type: string): string =>
  `its samples are ${type}, not digital numbers of 16 bits: download the band itself, not a picture of it; ` +
  'reflectances of 0-1 become digital numbers with gdal_translate -ot UInt16 -scale 0 1 0 10000';

function utmOf([longitude, latitude]: readonly [number, number]): string {
  if (!Number.isFinite(longitude)) throw new DomainError('input_data', 'it has no georeference; download it again');
  const zone = Math.min(60, Math.floor((longitude + 180) / 6) + 1);
  return `EPSG:32${latitude < 0 ? 7 : 6}${String(zone).padStart(2, '0')}`;
}

/** Beginning of the message about a file that GDAL cannot read. */
export const UNREADABLE = 'GDAL cannot read it';

async function runGdal(program: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  try {
    return (await run(program, args, { signal, maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL' })).stdout;
  } catch (error) {
    signal.throwIfAborted();
    const reason = lastLine(messageOf(error));
    if (/no space left/i.test(messageOf(error)))
      throw new DomainError(
        'storage_full',
        'GDAL has no space for its intermediate file. Free space on the data disk and call again.',
      );
    throw new DomainError('input_data', `${UNREADABLE} (${reason}); download it again`, { cause: error });
  }
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.at(-1) ?? text).replace(/^ERROR \d+: /, '').slice(0, 300);
}
