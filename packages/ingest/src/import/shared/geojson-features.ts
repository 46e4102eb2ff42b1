import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isObject } from '@headwater/core';
import type { ImportJob } from './importer.ts';
import { badFile, checkGoesOn } from './import-deps.ts';

/** What a file of features may hold, bytes. */
export interface FeatureLimits {
  readonly file: number;
  readonly feature: number;
}

/** A feature of a collection, as JSON has it: nothing of it is checked. */
export interface ReadFeature {
  /** Counted from 1. */
  readonly number: number;
  readonly feature: unknown;
}

const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d] as const;
/** Bytes of a collection beside its features. */
const MOST_OUTSIDE = 4 * 1024 * 1024;
const FEATURES = /"features"\s*:\s*$/;
/** Names of longitude and latitude on WGS 84 in the member `crs`, which RFC 7946 took away. */
const LON_LAT = /(CRS84|EPSG:+(0:|:)?4326)$/i;

/**
 * Reads the features of a GeoJSON collection (RFC 7946) one by one, as the bytes of the file come; calls `progress` with these. Throws
 * `validation` for what is no such collection, also after the last feature, and beyond the limits.
 */
export async function* readFeatures(job: ImportJob, limits: FeatureLimits): AsyncGenerator<ReadFeature> {
  const cutter = new FeatureCutter(job, limits);
  const { size } = await stat(job.path);
  if (size > limits.file) throw badFile(job, `it has more than ${limits.file} bytes; split it.`);
  let [bytes, number] = [0, 0];
  for await (const chunk of createReadStream(job.path)) {
    if (!(chunk instanceof Uint8Array)) continue;
    checkGoesOn(job);
    bytes += chunk.byteLength;
    for (const feature of cutter.see(chunk)) yield { number: (number += 1), feature };
    job.progress?.(bytes, size);
  }
  checkCollection(cutter.outside(), number, job);
}

function checkCollection(document: unknown, count: number, job: ImportJob): void {
  const features = isObject(document) && document['type'] === 'FeatureCollection' ? document['features'] : undefined;
  if (!isObject(document) || !Array.isArray(features)) throw badFile(job, 'it is no GeoJSON FeatureCollection.');
  if (features.length !== count) throw badFile(job, 'it has something among its features that is no object.');
  const { crs } = document;
  if (crs === undefined || crs === null) return;
  const name = isObject(crs) && isObject(crs['properties']) ? crs['properties']['name'] : undefined;
  if (typeof name !== 'string' || !LON_LAT.test(name))
    throw badFile(job, 'its coordinates are not longitude and latitude; convert it with ogr2ogr -t_srs EPSG:4326.');
}

/** Cuts the features out of the bytes of a collection. What is left is JSON with a number in the place of each. */
class FeatureCutter {
  readonly #job: ImportJob;
  readonly #limits: FeatureLimits;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #outside = '';
  /** Parts of the feature that is open. */
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #depth = 0;
  #isInFeatures = false;
  #isInText = false;
  #isEscaped = false;

  constructor(job: ImportJob, limits: FeatureLimits) {
    this.#job = job;
    this.#limits = limits;
  }

  /** Takes the next bytes; gives the features that end in them. */
  see(bytes: Uint8Array): readonly unknown[] {
    const found: unknown[] = [];
    // Where what belongs together begins: a feature, or what stands outside of all.
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (this.#isInText) this.#passText(byte);
      else if (byte === QUOTE) this.#isInText = true;
      else if (byte === OBJECT || byte === LIST) {
        if (this.#depth === 1) {
          this.#keep(bytes.subarray(from, at));
          from = at;
          this.#isInFeatures = byte === LIST && FEATURES.test(this.#outside);
        } else if (this.#isFeatureEdge(byte === OBJECT)) {
          this.#keep(bytes.subarray(from, at));
          this.#outside += '0';
          from = at;
        }
        this.#depth += 1;
      } else if (byte === OBJECT_END || byte === LIST_END) {
        this.#depth -= 1;
        if (this.#isFeatureEdge(byte === OBJECT_END)) {
          this.#take(bytes.subarray(from, at + 1));
          found.push(this.#feature());
          from = at + 1;
        }
      }
    }
    if (this.#isInFeatures && this.#depth > 2) this.#take(bytes.subarray(from));
    else this.#keep(bytes.subarray(from));
    return found;
  }

  /** The collection without its features. */
  outside(): unknown {
    return this.#parsed(this.#outside);
  }

  #isFeatureEdge(isObjectSign: boolean): boolean {
    return this.#isInFeatures && this.#depth === 2 && isObjectSign;
  }

  #passText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
  }

  #keep(bytes: Uint8Array): void {
    this.#outside += this.#guarded(() => this.#decoder.decode(bytes, { stream: true }));
    if (this.#outside.length > MOST_OUTSIDE)
      throw badFile(this.#job, `it has more than ${MOST_OUTSIDE} bytes beside its features.`);
  }

  #take(bytes: Uint8Array): void {
    this.#partBytes += bytes.byteLength;
    if (this.#partBytes > this.#limits.feature)
      throw badFile(this.#job, `a feature has more than ${this.#limits.feature} bytes; simplify it.`);
    this.#parts.push(bytes);
  }

  #feature(): unknown {
    const text = new TextDecoder('utf-8', { fatal: true });
    const feature = this.#parsed(this.#guarded(() => text.decode(Buffer.concat(this.#parts))));
    [this.#parts, this.#partBytes] = [[], 0];
    return feature;
  }

  #parsed(text: string): unknown {
    return this.#guarded(() => {
      const value: unknown = JSON.parse(text);
      return value;
    });
  }

  #guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw badFile(
        this.#job,
        `it is no JSON in UTF-8 (${error instanceof Error ? error.message.slice(0, 120) : ''}).`,
      );
    }
  }
}
