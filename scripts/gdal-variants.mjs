// Generates variants of files with GDAL, and lists the content that GDAL reads.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { VARIANTS } from './slow-suites.mjs';
import { isLong } from './test-length.mjs';

const PYTHONS = [process.env.HEADWATER_GDAL_PYTHON, 'python3', '/usr/bin/python3'].filter(Boolean);

/** Path of a Python that has GDAL's bindings; undefined if there is none. */
export const gdalPython = PYTHONS.find(
  (python) => spawnSync(python, ['-c', 'import osgeo_utils.samples, numpy'], { stdio: 'ignore' }).status === 0,
);

/**
 * Generates variants in a new folder, or returns the reason if GDAL is missing. HEADWATER_SEED selects the variants of
 * a short run.
 */
export function gdalVariants(kind) {
  if (gdalPython === undefined)
    return { reason: 'no Python with GDAL (Debian: gdal-bin python3-gdal; or set HEADWATER_GDAL_PYTHON)' };
  const folder = mkdtempSync(join(tmpdir(), `headwater-${kind}-`));
  const { all, few } = VARIANTS[kind];
  const script = resolve(import.meta.dirname, 'gdal-variants', 'make.py');
  const args = [script, kind, folder, String(isLong ? all : few), process.env.HEADWATER_SEED ?? '1'];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stderr } = spawnSync(gdalPython, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { folder, ...JSON.parse(readFileSync(join(folder, 'variants.json'), 'utf8')) };
}
