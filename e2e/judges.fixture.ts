import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { AREA_JUDGES, findPeers, peerEnvironment, shared } from '../scripts/peers.mjs';

/** Path of Debian's Python, which has the bindings of GDAL. */
export const GDAL_PYTHON = '/usr/bin/python3';
const OFFLINE = resolve(shared, 'tools', 'stac-offline');
const SCHEMAS = resolve(shared, 'data', 'stac-schemas');
const peers = findPeers({ modules: AREA_JUDGES });

/** Reason why the judges (programs that check our output) are missing; undefined if installed. */
export const noJudges =
  'reason' in peers
    ? peers.reason
    : existsSync(OFFLINE) && existsSync(SCHEMAS)
      ? undefined
      : 'the offline STAC judges are missing';

/** Reason why GDAL is missing; undefined if installed. */
export const noGdal = (() => {
  try {
    const needed = 'from osgeo import gdal; from osgeo_utils.samples import validate_cloud_optimized_geotiff';
    execFileSync(GDAL_PYTHON, ['-c', needed], { stdio: 'ignore' });
    return undefined;
  } catch {
    return "install Debian's gdal-bin and python3-gdal";
  }
})();

/** A STAC document of the catalogue. */
export interface StacDocument {
  readonly type: string;
  readonly id: string;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly assets?: Readonly<Record<string, { readonly href: string; readonly type?: string }>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly bbox?: readonly number[];
}

/** Returns all documents of a catalogue by URL, from the links `child` and `item`. */
export async function crawl(root: string): Promise<Map<string, StacDocument>> {
  const found = new Map<string, StacDocument>();
  const todo = [root];
  for (let href = todo.pop(); href !== undefined; href = todo.pop()) {
    if (found.has(href)) continue;
    const document: StacDocument = JSON.parse(await (await fetch(href)).text());
    found.set(href, document);
    todo.push(...document.links.filter(({ rel }) => rel === 'child' || rel === 'item').map((link) => link.href));
  }
  return found;
}

/** Returns the path, in a data folder, of the published file with this URL. */
export const storedFile = (dataDir: string, href: string): string =>
  join(dataDir, 'assets', new URL(href).pathname.replace('/api/v1/assets/', ''));

/** Returns the output of a script in the Python of the judges. Throws if the script fails. */
export const judge = (script: string, args: readonly string[], input = ''): string =>
  run(['-c', script, ...args], input);

/** Returns the output of a program in the peers' folder. Throws if the program fails. */
export const judgeFile = (name: string, args: readonly string[]): string => run([join(peersFolder, name), ...args], '');

const peersFolder = 'folder' in peers ? peers.folder : '';
const MOST_BYTES = 2 ** 28;

const run = (args: readonly string[], input: string): string =>
  runPython('python' in peers ? peers.python : '', args, input);

/** Returns the output of a Python with the judges' schemas. Throws if Python fails. */
export function runPython(python: string, args: readonly string[], input = ''): string {
  const paths = [OFFLINE, peersFolder].join(delimiter);
  const env = { ...peerEnvironment(), PYTHONPATH: paths, STAC_SCHEMAS_DIR: SCHEMAS };
  return execFileSync(python, args, { encoding: 'utf8', env, input, maxBuffer: MOST_BYTES }).trim();
}

const VALIDATE_COG = `
import sys
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
gdal.UseExceptions()
for path in sys.argv[1:]:
    warnings, errors, _ = validate(path, full_check=True)
    if errors or warnings: sys.exit(path + ": " + str(errors) + str(warnings))
print(len(sys.argv) - 1)`;

/** Returns the number of files that GDAL accepts as COGs. Throws at the first rejected file. */
export const validCogs = (paths: readonly string[]): number =>
  Number(execFileSync(GDAL_PYTHON, ['-c', VALIDATE_COG, ...paths], { encoding: 'utf8' }));

const VALIDATE_STAC = `
import json, sys
from pystac.validation import validate_dict
from stac_validator.validate import StacValidate
for path in sys.argv[1:]:
    validate_dict(json.load(open(path)))
    judge = StacValidate(path)
    judge.run()
    if not judge.valid: sys.exit(path + ": " + json.dumps(judge.message))
print(len(sys.argv) - 1)`;

/**
 * Validates the documents with pystac and stac-validator; returns their number. Throws at the first rejected document.
 */
export async function validDocuments(documents: readonly object[], folder: string): Promise<number> {
  const files: string[] = [];
  for (const [index, document] of documents.entries()) {
    const path = join(folder, `stac-${index}.json`);
    await writeFile(path, JSON.stringify(document));
    files.push(path);
  }
  return Number(judge(VALIDATE_STAC, files).split('\n').at(-1));
}
