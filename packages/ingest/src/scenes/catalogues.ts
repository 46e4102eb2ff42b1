import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EarthObservation } from '@headwater/core';
import { createEarthObservation } from './earth-observation.ts';

const MAX_JSON_BYTES = 64 * 1024 * 1024;
const FETCH_MS = 30_000;

async function readJson(href: string): Promise<unknown> {
  if (/^https?:/.test(href)) {
    const response = await fetch(href, { signal: AbortSignal.timeout(FETCH_MS) });
    if (!response.ok) throw new Error(`${href} answered ${response.status}`);
    return response.json();
  }
  const { size } = await stat(href);
  if (size > MAX_JSON_BYTES)
    throw new Error(`${href} has ${size} bytes; a STAC document has at most ${MAX_JSON_BYTES}`);
  const text = await readFile(href, 'utf8');
  // A byte order mark, as some editors put it before the text.
  return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** Depth of folders in which a catalogue is looked for. */
const MAX_DEPTH = 4;

/** Every catalog.json under `folder`, looked up at each search; what lies below one belongs to it and is left to its links. */
async function catalogues(folder: string, depth = 0): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const file = join(folder, 'catalog.json');
  const own = (await stat(file).catch(() => undefined))?.isFile() === true ? [file] : [];
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
}

/** Scenes of every catalogue that lies in the folder at the time of a search, and of the STAC API where one is given. */
export function openScenes({ folder, api }: SceneSources): EarthObservation {
  return createEarthObservation({
    roots: [],
    listRoots: () => catalogues(folder),
    readJson,
    ...(api === undefined ? {} : { api: { ...api, fetch } }),
  });
}
