import type { FileHandle } from 'node:fs/promises';
import { closeSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DomainError } from '@headwater/core';
import type { Position } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import type { PlaceFeature } from '../../places/place-features.ts';

const PAGE = 1024 * 1024;

/** Limits of a working file, bytes. */
export interface SpoolLimits {
  readonly most: number;
  /** Free space that must remain. */
  readonly leaves: number;
  /** Written bytes between two checks of the free space. */
  readonly checkEvery: number;
  /** Free space of the folder's file system. */
  readonly free: (folder: string) => number;
}

const GB = 1e9;
/**
 * Default limits. The boundaries of a country take 8 GB in a binary file. The working file may take four times as much,
 * because positions are longer as text.
 */
const LIMITS: SpoolLimits = {
  most: 32 * GB,
  leaves: GB,
  checkEvery: 64 * PAGE,
  free: (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
};

/** Position of a feature in the working file. */
export interface Spooled {
  readonly row: number;
  readonly start: number;
  readonly bytes: number;
}

/** Position of a list of features in the working file. */
export interface SpooledIndex {
  readonly start: number;
  readonly bytes: number;
}

/** Writes checked features to a working file, so that they do not remain in memory. */
export class FeatureSpool {
  readonly #file: number;
  readonly #folder: string;
  readonly #limits: SpoolLimits;
  #page: Buffer[] = [];
  #pageBytes = 0;
  #written = 0;
  #nextCheck: number;

  constructor(path: string, limits: SpoolLimits = LIMITS) {
    [this.#folder, this.#limits, this.#nextCheck] = [dirname(path), limits, limits.checkEvery];
    this.#file = openSync(path, 'wx', 0o600);
  }

  add(properties: Readonly<Record<string, unknown>>, { polygons }: PlaceFeature, row: number): Spooled {
    return { row, ...this.#put(JSON.stringify([properties, polygons])) };
  }

  /** Writes a list of positions; returns the position of the list. */
  addIndex(features: readonly Spooled[]): SpooledIndex {
    return this.#put(JSON.stringify(features.map(({ row, start, bytes }) => [row, start, bytes])));
  }

  #put(text: string): SpooledIndex {
    const line = Buffer.from(text);
    const at = { start: this.#written + this.#pageBytes, bytes: line.length };
    this.#page.push(line);
    this.#pageBytes += line.length;
    if (this.#pageBytes >= PAGE) this.#flush();
    return at;
  }

  /**
   * Throws `BadPlaceFile` for a too large working file, `storage_full` for a nearly full disk. The free space is
   * read after each `checkEvery` bytes.
   */
  checkRoom(): void {
    const { most, leaves, checkEvery, free } = this.#limits;
    const bytes = this.#written + this.#pageBytes;
    if (bytes > most)
      throw new BadPlaceFile(
        `its features take more than ${most / GB} GB of the disk during the check; split the file`,
      );
    if (bytes < this.#nextCheck) return;
    this.#nextCheck = bytes + checkEvery;
    if (free(this.#folder) < leaves)
      throw new DomainError(
        'storage_full',
        `The disk of the folder for temporary files has less than ${leaves / GB} GB free; free space on it.`,
      );
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    const page = Buffer.concat(this.#page);
    for (let at = 0; at < page.length;) at += writeSync(this.#file, page, at);
    this.#written += page.length;
    [this.#page, this.#pageBytes] = [[], 0];
  }
}

/** Reads a feature from the working file. */
export async function readSpooled(file: FileHandle, { row, ...at }: Spooled): Promise<PlaceFeature> {
  const [properties, polygons]: [Readonly<Record<string, unknown>>, Position[][][]] = JSON.parse(
    await textAt(file, at),
  );
  return { properties: new Map(Object.entries(properties)), polygons, where: `feature ${row}` };
}

/** Reads a list of features from the working file. */
export async function readIndex(file: FileHandle, index: SpooledIndex): Promise<readonly Spooled[]> {
  const lines: readonly [number, number, number][] = JSON.parse(await textAt(file, index));
  return lines.map(([row, start, bytes]) => ({ row, start, bytes }));
}

async function textAt(file: FileHandle, { start, bytes }: SpooledIndex): Promise<string> {
  const { buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, start);
  return buffer.toString();
}
