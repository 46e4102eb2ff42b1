import type { FileHandle } from 'node:fs/promises';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Position } from 'geojson';
import type { PlaceFeature } from '../../places/place-features.ts';

/** Bytes that are held before they are written. */
const PAGE = 1024 * 1024;

/** Where a feature lies in the working file. */
export interface Spooled {
  readonly row: number;
  readonly start: number;
  readonly bytes: number;
}

/** Writes checked features to a working file one after the other, so that none of them is held. */
export class FeatureSpool {
  readonly #file: number;
  #page: Buffer[] = [];
  #pageBytes = 0;
  #written = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600);
  }

  add(properties: Readonly<Record<string, unknown>>, { polygons }: PlaceFeature, row: number): Spooled {
    const line = Buffer.from(JSON.stringify([properties, polygons]));
    const spooled = { row, start: this.#written + this.#pageBytes, bytes: line.length };
    this.#page.push(line);
    this.#pageBytes += line.length;
    if (this.#pageBytes >= PAGE) this.#flush();
    return spooled;
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
export async function readSpooled(file: FileHandle, { row, start, bytes }: Spooled): Promise<PlaceFeature> {
  const { buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, start);
  const [properties, polygons]: [Readonly<Record<string, unknown>>, Position[][][]] = JSON.parse(buffer.toString());
  return { properties: new Map(Object.entries(properties)), polygons, where: `feature ${row}` };
}
