import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { peerEnvironment, shared } from '../../../../scripts/peers.mjs';

/** Debian's Python, which has GDAL's bindings. */
export const GDAL_PYTHON = '/usr/bin/python3';
const OFFLINE = resolve(shared, 'tools', 'stac-offline');
const SCHEMAS = resolve(shared, 'data', 'stac-schemas');

/** Why the judges of STAC documents cannot be asked without a network, or undefined. */
export const stacJudgesMissing =
  existsSync(OFFLINE) && existsSync(SCHEMAS) ? undefined : 'the offline STAC judges are absent';

const VALIDATE_COG = `
import sys
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
gdal.UseExceptions()
for path in sys.argv[1:]:
    warnings, errors, _ = validate(path, full_check=True)
    if errors or warnings: sys.exit(path + ": " + str(errors) + str(warnings))
print(len(sys.argv) - 1)`;
const PYSTAC = `
import json, sys
from pystac.validation import validate_dict
for path in sys.argv[1:]: validate_dict(json.load(open(path)))
print(len(sys.argv) - 1)`;

/** Why GDAL cannot be asked, or undefined. */
export function gdalMissing(): string | undefined {
  try {
    const needed = 'from osgeo import gdal; from osgeo_utils.samples import validate_cloud_optimized_geotiff';
    execFileSync(GDAL_PYTHON, ['-c', needed], { stdio: 'ignore' });
    return undefined;
  } catch {
    return "install Debian's gdal-bin and python3-gdal";
  }
}

/** How many of the files GDAL's validator takes for COGs without an error or a warning; throws on the first that it does not. */
export const validCogs = (files: readonly string[]): number =>
  Number(execFileSync(GDAL_PYTHON, ['-c', VALIDATE_COG, ...files], { encoding: 'utf8' }).trim());

/** Writes documents into a folder and has pystac and stac-validator judge each; how many both accept. Throws on the first that pystac does not. */
export async function acceptedDocuments(
  documents: readonly unknown[],
  python: string,
  folder: string,
): Promise<number> {
  const files: string[] = [];
  for (const [index, document] of documents.entries()) {
    const file = join(folder, `stac-${index}.json`);
    await writeFile(file, JSON.stringify(document));
    files.push(file);
  }
  const env = { ...peerEnvironment(), PYTHONPATH: OFFLINE, STAC_SCHEMAS_DIR: SCHEMAS };
  execFileSync(python, ['-c', PYSTAC, ...files], { encoding: 'utf8', env });
  const validator = ['-W', 'ignore', '-c', 'from stac_validator.stac_validator import cli; cli()', 'validate'];
  return files.filter((file) =>
    execFileSync(python, [...validator, file], { encoding: 'utf8', env }).includes('"valid_stac": true'),
  ).length;
}
