import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { PlaceBundle } from '@headwater/core';
import { BadPlaceFile, blaming } from './bad-place-file.ts';
import { boundaryOf, mergedVillages, namesOf, toBundle, uniqueMws } from './place-bundle.ts';
import type { TehsilFeatures } from './place-bundle.ts';
import { readPlaceFeatures } from './place-features.ts';
import type { PlaceFeature } from './place-features.ts';
import { PLACE_FILES } from './place-files.ts';
import { hasProperty, tehsilKey, tehsilNames } from './place-properties.ts';

/** A file that was left out; `file` is relative to the places folder. */
export interface PlaceProblem {
  readonly file: string;
  readonly reason: string;
}

/** What the places folder holds. */
export interface PlacesRead {
  readonly bundles: readonly PlaceBundle[];
  readonly problems: readonly PlaceProblem[];
}

const MAX_DEPTH = 4;
const MAX_FILES = 2000;
const TEHSIL_FILES: ReadonlySet<string> = new Set(Object.values(PLACE_FILES));

/**
 * Reads every tehsil under `dir` (layout: README.md beside this file), in order of path; an absent folder holds none.
 * Never throws for what a file holds: such a file is named in `problems` and its tehsils are left out.
 */
export async function readPlaces(dir: string): Promise<PlacesRead> {
  const read = new PlacesReader(dir);
  await read.folder(dir, 0);
  return { bundles: read.bundles, problems: read.problems };
}

class PlacesReader {
  readonly bundles: PlaceBundle[] = [];
  readonly problems: PlaceProblem[] = [];
  readonly #root: string;
  readonly #sources = new Map<string, string>();
  #files = 0;

  constructor(root: string) {
    this.#root = root;
  }

  async folder(dir: string, depth: number): Promise<void> {
    const entries = await this.#list(dir);
    const files = entries.filter((e) => e.isFile() && e.name.toLowerCase().endsWith('.geojson')).map((e) => e.name);
    if (this.#files <= MAX_FILES && this.#files + files.length > MAX_FILES) {
      this.#reject(dir, new BadPlaceFile('more than 2,000 files; this folder and those after it are not read'));
    }
    this.#files += files.length;
    if (this.#files > MAX_FILES) return;
    await this.#filesOf(dir, files);
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      if (depth < MAX_DEPTH) await this.folder(join(dir, entry.name), depth + 1);
      else this.#reject(join(dir, entry.name), new BadPlaceFile('folders are read 4 deep only; move this one up'));
    }
  }

  async #filesOf(dir: string, files: readonly string[]): Promise<void> {
    const tehsil = files.filter((name) => TEHSIL_FILES.has(name));
    if (tehsil.length > 0) await this.#guard(dir, () => this.#tehsilFolder(dir, tehsil));
    for (const name of files) {
      if (!TEHSIL_FILES.has(name)) await this.#guard(join(dir, name), () => this.#singleFile(join(dir, name)));
    }
  }

  async #list(dir: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(dir, { withFileTypes: true });
      return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      if (dir !== this.#root || !isMissing(error)) this.#reject(dir, error);
      return [];
    }
  }

  /** All or nothing: a broken part must not empty what an earlier start has stored of the tehsil. */
  async #tehsilFolder(dir: string, present: readonly string[]): Promise<void> {
    if (!present.includes(PLACE_FILES.boundary)) {
      throw new BadPlaceFile('boundary.geojson is missing; it names the state, district and tehsil');
    }
    const part = <T>(name: string, use: (features: readonly PlaceFeature[]) => T): Promise<T> =>
      blaming(join(dir, name), async () => use(present.includes(name) ? await readPlaceFeatures(join(dir, name)) : []));
    const head = await part(PLACE_FILES.boundary, (found) => ({ ...namesOf(found), geometry: boundaryOf(found) }));
    const mws = await part(PLACE_FILES.mws, uniqueMws);
    const villages = await part(PLACE_FILES.villages, mergedVillages);
    this.#add({ ...head, mws, villages }, dir);
  }

  async #singleFile(path: string): Promise<void> {
    const tehsils = Map.groupBy(await readPlaceFeatures(path), (feature) => tehsilKey(tehsilNames(feature)));
    const bundles = [...tehsils.values()].map((features) => toBundle(sortFeatures(features)));
    for (const bundle of bundles) this.#add(bundle, path);
  }

  #add(bundle: PlaceBundle, source: string): void {
    const key = tehsilKey(bundle);
    const before = this.#sources.get(key);
    if (before !== undefined) {
      this.#reject(
        source,
        new BadPlaceFile(
          `tehsil ${bundle.tehsil} (${bundle.district}, ${bundle.state}) was read from ${before} already`,
        ),
      );
      return;
    }
    this.#sources.set(key, this.#name(source));
    this.bundles.push(bundle);
  }

  async #guard(path: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      this.#reject(path, error);
    }
  }

  #reject(path: string, error: unknown): void {
    const file = error instanceof BadPlaceFile ? (error.file ?? path) : path;
    this.problems.push({ file: this.#name(file), reason: error instanceof Error ? error.message : 'unreadable' });
  }

  #name(path: string): string {
    return relative(this.#root, path) || '.';
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function sortFeatures(features: readonly PlaceFeature[]): TehsilFeatures {
  const [first] = features;
  if (first === undefined) throw new BadPlaceFile('the file holds no feature');
  const mws = features.filter((feature) => hasProperty(feature, 'uid'));
  const villages = features.filter((feature) => !hasProperty(feature, 'uid') && hasProperty(feature, 'vill_ID'));
  const boundary = features.filter((feature) => !hasProperty(feature, 'uid') && !hasProperty(feature, 'vill_ID'));
  return { names: tehsilNames(first), boundary, mws, villages };
}
