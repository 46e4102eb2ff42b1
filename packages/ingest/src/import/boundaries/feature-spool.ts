import type { FileHandle } from 'node:fs/promises';
import { closeSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DomainError } from '@headwater/core';
import type { Position } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import type { PlaceFeature } from '../../places/place-features.ts';

/** Bytes that are held before they are written. */
const PAGE = 1024 * 1024;

/** What a working file may take of the disk, bytes. */
export interface SpoolLimits {
  readonly most: number;
  /** Free space that it leaves. */
  readonly leaves: number;
  /** Free space is looked at each time that so much was written. */
  readonly look: number;
  /** Free space where a folder lies. */
  readonly free: (folder: string) => number;
}

const GB = 1e9;
/**
 * Four times the boundaries of a country, some 8 GB: a position of 16 bytes has up to 40 as text. What is left free is that below which
 * health warns by default.
 */
const LIMITS: SpoolLimits = {
  most: 32 * GB,
  leaves: GB,
  look: 64 * PAGE,
  free: (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
};

/** Where a feature lies in the working file. */
export interface Spooled {
  readonly row: number;
  readonly start: number;
  readonly bytes: number;
}

/** Where a list of features lies in the working file. */
export interface SpooledIndex {
  readonly start: number;
  readonly bytes: number;
}

/** Writes checked features to a working file one after the other, so that none of them is held. */
export class FeatureSpool {
  readonly #file: number;
  readonly #folder: string;
  readonly #limits: SpoolLimits;
  #page: Buffer[] = [];
  #pageBytes = 0;
  #written = 0;
  #nextLook: number;

  constructor(path: string, limits: SpoolLimits = LIMITS) {
    [this.#folder, this.#limits, this.#nextLook] = [dirname(path), limits, limits.look];
    this.#file = openSync(path, 'wx', 0o600);
  }

  add(properties: Readonly<Record<string, unknown>>, { polygons }: PlaceFeature, row: number): Spooled {
    return { row, ...this.#put(JSON.stringify([properties, polygons])) };
  }

  /** Writes down where features lie. */
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

  /** Throws `BadPlaceFile` where it has grown too large, `storage_full` where the disk is nearly full. Made to be asked for each feature. */
  checkRoom(): void {
    const { most, leaves, look, free } = this.#limits;
    const bytes = this.#written + this.#pageBytes;
    if (bytes > most)
      throw new BadPlaceFile(
        `its features take more than ${most / GB} GB of the disk while they are checked; split the file`,
      );
    if (bytes < this.#nextLook) return;
    this.#nextLook = bytes + look;
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

/** A feature of the working file. */
export async function readSpooled(file: FileHandle, { row, ...at }: Spooled): Promise<PlaceFeature> {
  const [properties, polygons]: [Readonly<Record<string, unknown>>, Position[][][]] = JSON.parse(
    await textAt(file, at),
  );
  return { properties: new Map(Object.entries(properties)), polygons, where: `feature ${row}` };
}

/** A list of features of the working file. */
export async function readIndex(file: FileHandle, index: SpooledIndex): Promise<readonly Spooled[]> {
  const lines: readonly [number, number, number][] = JSON.parse(await textAt(file, index));
  return lines.map(([row, start, bytes]) => ({ row, start, bytes }));
}

async function textAt(file: FileHandle, { start, bytes }: SpooledIndex): Promise<string> {
  const { buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, start);
  return buffer.toString();
}
