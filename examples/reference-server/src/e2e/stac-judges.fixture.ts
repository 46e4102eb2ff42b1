import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { findPeers, peerEnvironment, shared } from '../../../../scripts/peers.mjs';

const OFFLINE = resolve(shared, 'tools', 'stac-offline');
const SCHEMAS = resolve(shared, 'data', 'stac-schemas');
const peers = findPeers({ modules: ['rasterio', 'exactextract', 'pystac', 'stac_validator'] });

/** Why pystac, stac-validator and the exact areas cannot be asked, or undefined. */
export const judgesMissing =
  'reason' in peers
    ? peers.reason
    : existsSync(OFFLINE) && existsSync(SCHEMAS)
      ? undefined
      : 'the offline STAC judges are absent';

const python = 'python' in peers ? peers.python : '';

/** Debian's Python, which has GDAL's bindings. */
export const GDAL_PYTHON = '/usr/bin/python3';
/** Why GDAL's own validator cannot be asked, or undefined. */
export const gdalMissing = (() => {
  try {
    execFileSync(GDAL_PYTHON, [
      '-c',
      'from osgeo import gdal; from osgeo_utils.samples import validate_cloud_optimized_geotiff',
    ]);
    return undefined;
  } catch {
    return "install Debian's gdal-bin and python3-gdal";
  }
})();

const PYSTAC = `
import json, sys
from pystac.validation import validate_dict
for path in sys.argv[1:]: validate_dict(json.load(open(path)))
print(len(sys.argv) - 1)`;
const VALIDATE_COG = `
import sys
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
gdal.UseExceptions()
for path in sys.argv[1:]:
    warnings, errors, _ = validate(path, full_check=True)
    if errors or warnings: sys.exit(path + ": " + str(errors) + str(warnings))
print(len(sys.argv) - 1)`;

/** Writes documents into a folder; fails unless pystac and stac-validator accept each. */
export async function expectStac(documents: readonly unknown[], folder: string): Promise<void> {
  const files = documents.map((_, index) => join(folder, `stac-${index}.json`));
  for (const [index, file] of files.entries()) await writeFile(file, JSON.stringify(documents[index]));
  const env = { ...peerEnvironment(), PYTHONPATH: OFFLINE, STAC_SCHEMAS_DIR: SCHEMAS };
  expect(execFileSync(python, ['-c', PYSTAC, ...files], { encoding: 'utf8', env }).trim()).toBe(String(files.length));
  const judge = ['-W', 'ignore', '-c', 'from stac_validator.stac_validator import cli; cli()', 'validate'];
  for (const file of files)
    expect(execFileSync(python, [...judge, file], { encoding: 'utf8', env })).toContain('"valid_stac": true');
}

/** Fails unless GDAL's validator accepts each of these files as a COG. */
export function expectCogs(files: readonly string[]): void {
  const told = execFileSync(GDAL_PYTHON, ['-c', VALIDATE_COG, ...files], { encoding: 'utf8' });
  expect(told.trim()).toBe(String(files.length));
}

/** Output of the exact method for areas of classes, with these arguments. */
export function exactAreas(args: readonly string[]): string {
  const script = join('folder' in peers ? peers.folder : '', 'exact_areas.py');
  return execFileSync(python, [script, ...args], { encoding: 'utf8', env: peerEnvironment() });
}
