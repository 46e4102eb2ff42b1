import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError, type EarthObservation } from '@headwater/core';
import { type Network, type NetworkOptions, passing, type Passing } from '@headwater/raster/network';
import { createEarthObservation } from './earth-observation.ts';
import { canAsk } from './href.ts';
import type { Reach } from './static-catalog.ts';
import { createScenesProbe } from './probe-scenes.ts';

const MAX_JSON_BYTES = 64 * 1024 * 1024;

async function readJson(href: string, { network, signal }: Reach): Promise<unknown> {
  if (/^https?:/i.test(href))
    return parse(await network.request({ shown: bare(href), ask: asking(href, network), signal }));
  const { size } = await stat(href);
  if (size > MAX_JSON_BYTES)
    throw new Error(`${href} has ${size} bytes; a STAC document has at most ${MAX_JSON_BYTES}`);
  return parse(await readFile(href, 'utf8'));
}

/** The document as text; what may pass is told as such. Throws `input_data` for any other answer. */
const asking =
  (href: string, network: Network) =>
  async (signal: AbortSignal): Promise<string | Passing> => {
    if (!canAsk(href)) throw new DomainError('input_data', `${bare(href)} is no address that can be asked`);
    const response = await fetch(href, { signal });
    if (response.ok) return response.text();
    await response.body?.cancel();
    const may = passing(response, network.tools.now());
    if (may === undefined) throw new DomainError('input_data', `${bare(href)} answered ${response.status}`);
    return may;
  };

/** The address without its query, which may hold a key. */
const bare = (href: string): string => href.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');

/** JSON, also behind a byte order mark, as some editors put it before the text. */
const parse = (text: string): unknown => JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Depth of folders in which a catalogue is looked for. */
const MAX_DEPTH = 4;

/** Files that a catalogue may be rooted at; where a folder has both, the first one leads to the other. */
const ROOTS = ['catalog.json', 'collection.json'] as const;

async function rootIn(folder: string): Promise<readonly string[]> {
  for (const name of ROOTS) {
    const file = join(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return [file];
  }
  return [];
}

/**
 * Every catalog.json or collection.json under `folder`, looked up at each search; what lies below one belongs to it and is left
 * to its links.
 */
async function catalogues(folder: string, depth = 0): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = await rootIn(folder);
  // The folder itself may hold a catalogue beside others that were dropped in.
  if ((own.length > 0 && depth > 0) || depth >= MAX_DEPTH) return own;
  const folders = entries.filter((entry) => entry.isDirectory() || (depth === 0 && entry.isSymbolicLink()));
  const below = await Promise.all(folders.map((entry) => catalogues(join(folder, entry.name), depth + 1)));
  return [...own, ...below.flat()].sort();
}

/** Where `openScenes` looks. */
export interface SceneSources {
  /** Folder that holds static STAC catalogues, at any depth down to four. */
  readonly folder: string;
  /** A STAC API searched as well: its address and the collections of Sentinel-2 L2A scenes in it. */
  readonly api?: { readonly url: string; readonly collections: readonly string[] };
  /** How long each search waits for servers that do not answer; default: ten minutes. */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/** The search alone. */
function searchScenes({ folder, api, network }: SceneSources): EarthObservation {
  return createEarthObservation({
    roots: [],
    listRoots: () => catalogues(folder),
    readJson,
    ...(network === undefined ? {} : { network }),
    ...(api === undefined ? {} : { api: { ...api, fetch } }),
  });
}

/** Scenes of every catalogue that lies in the folder at the time of a search, and of the STAC API where one is given. */
export function openScenes(sources: SceneSources): EarthObservation {
  const { folder, api } = sources;
  return { ...searchScenes(sources), probe: createScenesProbe({ catalogues: () => catalogues(folder), api }) };
}
