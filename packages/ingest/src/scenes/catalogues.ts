import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DomainError, publicAddress, type EarthObservation } from '@headwater/core';
import { isInside, readLocalText } from '@headwater/raster/files';
import { type Answer, type Network, type NetworkOptions, passing } from '@headwater/raster/network';
import { parseJson } from '../json-text.ts';
import { createEarthObservation } from './earth-observation.ts';
import { isGood, jsonOf, JSON_HEADERS } from './json-answer.ts';
import type { Reach } from './static-catalog.ts';
import { createScenesProbe } from './probe-scenes.ts';

/** Largest STAC document on the own disk, bytes: a catalogue that links 100,000 Items. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_JSON_VALUES = 1_000_000;

async function readJson(href: string, { network, signal, within }: Reach): Promise<unknown> {
  if (/^https?:/i.test(href))
    return network.request({ shown: publicAddress(href), ask: asking(href, network), signal });
  return parseJson(await readLocalText(href, { within, maxBytes: MAX_FILE_BYTES }), MAX_JSON_VALUES);
}

/** The document; what may pass is told as such. Throws `input_data` for any other answer. */
const asking =
  (href: string, network: Network) =>
  async (signal: AbortSignal): Promise<unknown> => {
    const answer = await network.send({ href, headers: JSON_HEADERS }, signal);
    if (isGood(answer)) return wellFormed(answer);
    const may = passing(answer, network.tools.now());
    if (may === undefined) throw new DomainError('input_data', `${answer.shown} answered ${answer.status}`);
    return may;
  };

/** Asking again for what is no JSON would give the same. */
async function wellFormed(answer: Answer): Promise<unknown> {
  try {
    return await jsonOf(answer);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DomainError('input_data', `${answer.shown}: its answer is no JSON`, { cause: error });
  }
}

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

/**
 * Where local files of scenes may lie: in the folder, and where links on its first level lead, since catalogues may be kept on
 * another disk. A link to a folder that the folder itself lies in opens nothing: all that lies beside it would be open by one slip.
 */
async function realFolders(folder: string): Promise<readonly string[]> {
  const own = await realpath(folder).catch(() => undefined);
  if (own === undefined) return [];
  const entries = await readdir(own, { withFileTypes: true }).catch(() => []);
  const linked = await Promise.all(
    entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => realFolder(join(own, name))),
  );
  return [own, ...linked.flatMap((path) => (path === undefined || isInside(path, own) ? [] : [path]))];
}

async function realFolder(link: string): Promise<string | undefined> {
  const path = await realpath(link).catch(() => undefined);
  const status = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return status?.isDirectory() === true ? path : undefined;
}

/** Where `openScenes` looks. */
export interface SceneSources {
  /** Folder that holds static STAC catalogues, at any depth down to four; a relative one from the working directory of the composition. */
  readonly folder: string;
  /** A STAC API searched as well: its address and the collections of Sentinel-2 L2A scenes in it. */
  readonly api?: { readonly url: string; readonly collections: readonly string[] };
  /**
   * How long each search waits for servers that do not answer, default: ten minutes; and the origins that may be asked although they
   * are not public, beside that of `api`, default: none.
   */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/** The search alone. */
function searchScenes({ folder, api, network }: SceneSources): EarthObservation {
  return createEarthObservation({
    roots: [],
    listRoots: () => catalogues(folder),
    listFolders: () => realFolders(folder),
    readJson,
    ...(network === undefined ? {} : { network }),
    ...(api === undefined ? {} : { api }),
  });
}

/** Scenes of every catalogue that lies in the folder at the time of a search, and of the STAC API where one is given. */
export function openScenes({ folder: given, ...sources }: SceneSources): EarthObservation {
  const { api } = sources;
  const folder = resolve(given);
  return {
    ...searchScenes({ folder, ...sources }),
    probe: createScenesProbe({ catalogues: () => catalogues(folder), api }),
  };
}
