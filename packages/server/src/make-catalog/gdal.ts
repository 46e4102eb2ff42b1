import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DomainError, errorCode, messageOf } from '@headwater/core/errors';

const run = promisify(execFile);
const PROGRAM = 'gdal_translate';
/** Drivers of JPEG 2000 that builds of GDAL have. */
const JP2 = /^ *JP2(?:OpenJPEG|KAK|ECW|MrSID|Lura) /m;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Instruction to install GDAL with JPEG 2000. */
export const INSTALL_GDAL =
  'install GDAL (Debian and Ubuntu: sudo apt-get install gdal-bin; macOS: brew install gdal; conda: conda install -c conda-forge gdal libgdal-jp2openjpeg)';

/** The installed GDAL. */
export interface Gdal {
  /** False for a build without a driver of JPEG 2000. */
  readonly readsJp2: boolean;
  /** Rewrites a raster as a GeoTIFF whose samples have all bits of the type. Throws `input_data` with GDAL's reason. */
  toTiff(source: string, target: string, options: TiffOptions): Promise<void>;
}

/** Type of the samples, and the signal that stops GDAL. */
export interface TiffOptions {
  readonly type: 'UInt16' | 'Byte';
  readonly signal: AbortSignal;
}

/** Finds GDAL on the search path of this process; undefined if it is not installed. */
export async function findGdal(): Promise<Gdal | undefined> {
  try {
    const { stdout } = await run(PROGRAM, ['--formats'], { maxBuffer: MAX_OUTPUT });
    return { readsJp2: JP2.test(stdout), toTiff };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new DomainError('unavailable', `${PROGRAM} is installed but fails: ${lastLine(messageOf(error))}`);
  }
}

async function toTiff(source: string, target: string, { type, signal }: TiffOptions): Promise<void> {
  // Images of Sentinel-2 have 15 bits. GDAL passes that on to the TIFF, unless it is given the bits.
  const bits = type === 'Byte' ? '8' : '16';
  const config = ['--config', 'GDAL_PAM_ENABLED', 'NO', '--config', 'GDAL_NUM_THREADS', 'ALL_CPUS'];
  const layout = ['-co', 'TILED=YES', '-co', `NBITS=${bits}`, '-co', 'BIGTIFF=IF_SAFER'];
  try {
    const args = [...config, '-q', '-of', 'GTiff', '-ot', type, ...layout, source, target];
    await run(PROGRAM, args, { signal, maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL' });
  } catch (error) {
    signal.throwIfAborted();
    const reason = lastLine(messageOf(error));
    if (/no space left/i.test(messageOf(error)))
      throw new DomainError('storage_full', `GDAL: no space left in ${target}. Free space on the data disk.`);
    throw new DomainError('input_data', `GDAL cannot read it (${reason}); download it again`, { cause: error });
  }
}

/** The last line that GDAL printed, without its prefix. */
function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.at(-1) ?? text).replace(/^ERROR \d+: /, '').slice(0, 300);
}
