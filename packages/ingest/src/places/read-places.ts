import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { PlaceBundle } from '@headwater/core';
import { BadPlaceFile, withFile, type Report, usable } from './bad-place-file.ts';
import { boundaryBundle, ofOneTehsil, ownMws, ownVillages, placeBundle, toBundle } from './place-bundle.ts';
import { readPlaceFeatures } from './place-features.ts';
import type { PlaceFeature } from './place-features.ts';
import { isPlaceFile, MAX_DEPTH, PLACE_FILES } from './write-place.ts';
import { tehsilKey, tehsilNames } from './place-properties.ts';

/** A file or folder that was skipped; its path `file` is relative to the places folder. */
export interface PlaceProblem {
  readonly file: string;
  readonly reason: string;
}

/** A note about a part of a file that was repaired or left out; `file` is relative to the places folder. */
export interface PlaceNote {
  readonly file: string;
  readonly note: string;
}

/** Contents of the places folder. */
export interface PlacesRead {
  readonly bundles: readonly PlaceBundle[];
  readonly problems: readonly PlaceProblem[];
  readonly notes: readonly PlaceNote[];
}

const MAX_FILES = 2000;
/** File that is read as the boundary if a folder has `mws.geojson` or `villages.geojson`, but no `boundary.geojson`. */
const PLACE_FILE = 'place.geojson';
const TEHSIL_FILES: ReadonlySet<string> = new Set(Object.values(PLACE_FILES));

/**
 * Reads every tehsil under `dir`. README.md next to this source describes the layout. Never throws because of a file:
 * `notes` has the repaired and left-out parts, `problems` the skipped files.
 */
export async function readPlaces(dir: string): Promise<PlacesRead> {
  const read = new PlacesReader(dir, await realpath(dir).catch(() => dir));
  await read.folder(dir, 0);
  return { bundles: read.bundles, problems: read.problems, notes: read.notes };
}

class PlacesReader {
  readonly bundles: PlaceBundle[] = [];
  readonly problems: PlaceProblem[] = [];
  readonly notes: PlaceNote[] = [];
  readonly #root: string;
  /** Path of the places folder without links. Each file must be inside of this path. */
  readonly #realRoot: string;
  readonly #sources = new Map<string, string>();
  #files = 0;

  constructor(root: string, realRoot: string) {
    this.#root = root;
    this.#realRoot = realRoot;
  }

  async folder(dir: string, depth: number): Promise<void> {
    const entries = await this.#list(dir);
    const files = entries.filter(isPlaceFile).map(({ name }) => name);
    if (this.#files <= MAX_FILES && this.#files + files.length > MAX_FILES) {
      this.#reject(
        dir,
        new BadPlaceFile('there are more than 2,000 files; this folder and all later folders are not read'),
      );
    }
    this.#files += files.length;
    if (this.#files > MAX_FILES) return;
    await this.#filesOf(dir, files);
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      if (depth < MAX_DEPTH) await this.folder(join(dir, entry.name), depth + 1);
      else
        this.#reject(
          join(dir, entry.name),
          new BadPlaceFile('folders are read only to a depth of 4; move this folder up'),
        );
    }
  }

  async #filesOf(dir: string, files: readonly string[]): Promise<void> {
    const own = files.filter((name) => TEHSIL_FILES.has(name));
    const isBoundaryMissing = own.length > 0 && !own.includes(PLACE_FILES.boundary) && files.includes(PLACE_FILE);
    const tehsil = isBoundaryMissing ? [PLACE_FILE, ...own] : own;
    if (tehsil.length > 0) await this.#guard(dir, () => this.#tehsilFolder(dir, tehsil));
    for (const name of files) {
      if (!tehsil.includes(name)) await this.#guard(join(dir, name), () => this.#singleFile(join(dir, name)));
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

  /**
   * Reads the folder of a tehsil. If one of its files is broken, the whole tehsil is left out. Otherwise an empty part
   * would replace the stored part.
   */
  async #tehsilFolder(dir: string, present: readonly string[]): Promise<void> {
    const head = [PLACE_FILES.boundary, PLACE_FILE].find((name) => present.includes(name));
    if (head === undefined)
      throw new BadPlaceFile('boundary.geojson is missing; it names the state, district and tehsil');
    const part = async <T>(name: string, use: (features: readonly PlaceFeature[], report: Report) => T): Promise<T> => {
      const path = join(dir, name);
      const report = this.#reportOf(path);
      return withFile(path, async () => use(present.includes(name) ? await this.#features(path, report) : [], report));
    };
    // `place.geojson` may contain all parts, but parts of separate files are preferred.
    const place = await part(head, (found, report) =>
      (head === PLACE_FILE ? placeBundle : boundaryBundle)(found, report),
    );
    const { geometry } = place;
    const mws = await part(PLACE_FILES.mws, (found, report) => ownMws({ mws: found, geometry }, report));
    const villages = await part(PLACE_FILES.villages, (found, report) =>
      ownVillages({ villages: found, geometry }, report),
    );
    this.#add(
      {
        ...place,
        mws: mws.length > 0 ? mws : place.mws,
        villages: villages.length > 0 ? villages : place.villages,
      },
      dir,
    );
  }

  async #singleFile(path: string): Promise<void> {
    const report = this.#reportOf(path);
    const features = await this.#features(path, report);
    const named = usable(features, (feature) => ({ feature, key: tehsilKey(tehsilNames(feature)) }), report);
    const tehsils = Map.groupBy(named, ({ key }) => key);
    const featuresByTehsil = [...tehsils.values()].map((entries) => entries.map(({ feature }) => feature));
    const bundles = usable(featuresByTehsil, (features) => toBundle(ofOneTehsil(features), report), report);
    for (const bundle of bundles) this.#add(bundle, path);
  }

  #features(path: string, report: Report): Promise<PlaceFeature[]> {
    return readPlaceFeatures(path, this.#realRoot, report);
  }

  #reportOf(path: string): Report {
    return (note) => void this.notes.push({ file: this.#name(path), note });
  }

  #add(bundle: PlaceBundle, source: string): void {
    const key = tehsilKey(bundle);
    const before = this.#sources.get(key);
    if (before !== undefined) {
      this.#reject(
        source,
        new BadPlaceFile(
          `tehsil ${bundle.tehsil} (${bundle.district}, ${bundle.state}) was read from ${before} already; remove one of the two`,
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
