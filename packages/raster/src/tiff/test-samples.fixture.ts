import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of real Earth-observation samples. If they are missing, prints the reason and returns null. */
export function eoSamples(): string | null {
  const folder = fileURLToPath(new URL('../../../../../shared/data/eo', import.meta.url));
  if (existsSync(folder)) return folder;
  console.log(`skipped: no Earth-observation samples at ${folder}`);
  return null;
}

/** True if GDAL's commands can be run (Debian: gdal-bin). Otherwise prints the reason. */
export function hasGdal(): boolean {
  try {
    execFileSync('gdal_translate', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('skipped: gdal_translate is not installed (Debian: apt-get install gdal-bin)');
    return false;
  }
}

/** Runs a GDAL command on a raster and returns the raw little-endian samples of its output. */
export function gdalRaw(command: 'gdal_translate' | 'gdalwarp', args: readonly string[], source: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-gdal-'));
  try {
    const target = join(folder, 'out.bin');
    execFileSync(command, ['-q', '-of', 'ENVI', ...args, source, target]);
    return readFileSync(target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rewrites a raster with GDAL. */
export function gdalRewrite(source: string, target: string, args: readonly string[]): void {
  execFileSync('gdal_translate', ['-q', ...args, source, target]);
}
