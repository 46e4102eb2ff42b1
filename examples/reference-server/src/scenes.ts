import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EarthObservation } from '@headwater/core';
import { createEarthObservation } from '@headwater/core';
import type { Config } from './config.ts';

const MAX_JSON_BYTES = 64 * 1024 * 1024;
const FETCH_MS = 30_000;

async function readJson(href: string): Promise<unknown> {
  if (/^https?:/.test(href)) {
    const response = await fetch(href, { signal: AbortSignal.timeout(FETCH_MS) });
    if (!response.ok) throw new Error(`${href} answered ${response.status}`);
    return response.json();
  }
  const { size } = await stat(href);
  if (size > MAX_JSON_BYTES) throw new Error(`${href} has ${size} bytes; a STAC document has at most ${MAX_JSON_BYTES}`);
  return JSON.parse(await readFile(href, 'utf8'));
}

/** Every `DATA_DIR/eo/{folder}/catalog.json` (and `eo/catalog.json`), looked up at each search. */
async function catalogues(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = [folder, ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name))];
  const found = await Promise.all(
    folders.map(async (path) => {
      const file = join(path, 'catalog.json');
      return (await stat(file).catch(() => undefined))?.isFile() === true ? [file] : [];
    }),
  );
  return found.flat().sort();
}

/** Scenes under `DATA_DIR/eo` and, where `EO_STAC_API_URL` is set, in that STAC API. */
export function openScenes(config: Config): EarthObservation {
  const { eoStacApi } = config;
  return createEarthObservation({
    roots: [],
    listRoots: () => catalogues(join(config.dataDir, 'eo')),
    readJson,
    ...(eoStacApi == null ? {} : { api: { url: eoStacApi.url, collections: [eoStacApi.collection], fetch } }),
  });
}
