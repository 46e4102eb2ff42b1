import type { FileHandle } from 'node:fs/promises';
import { closeSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DomainError } from '@headwater/core';
import type { Position } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import type { PlaceFeature } from '../../places/place-features.ts';

/** Bytes that are buffered before they are written. */
const PAGE = 1024 * 1024;

/** Limits of the size of a working file and of the free space on the disk, bytes. */
export interface SpoolLimits {
  /** Largest size of the file. */
  readonly most: number;
  /** Free space that must remain. */
  readonly leaves: number;
  /** Number of written bytes after which the free space is checked again. */
  readonly checkEvery: number;
  /** Returns the free space of the folder's file system. */
  readonly free: (folder: string) => number;
}

const GB = 1e9;
/**
 * Default limits. The largest size is four times the boundaries of a country (some 8 GB). The working file is larger
 * than its source, because a position of 16 bytes in the source takes up to 40 bytes as text. The free space that must
 * remain is the same as the default limit below which the health check warns.
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

/** Writes checked features to a working file one by one, so that the features do not remain in memory. */
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

  /** Writes a list of the positions of features in the file; returns the position of the list. */
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
   * Throws `BadPlaceFile` if the file is too large, and `storage_full` if the disk is nearly full. This method is
   * called for each feature. To save time, the method reads the free space only after each `checkEvery` written bytes.
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
      throw new DomainError('storage_full', `The disk has less than ${leaves / GB} GB free; make room.`);
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
