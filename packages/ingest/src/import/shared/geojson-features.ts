import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isObject } from '@headwater/core';
import { parseJson } from '../../json-text.ts';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { checkCrs } from '../../places/place-features.ts';
import { FeatureScanner } from '../features/feature-scanner.ts';
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

/** Bytes of a collection beside its features. */
const MOST_OUTSIDE = 4 * 1024 * 1024;
/** Values of one feature: as many as the largest one has with eight bytes each. To parse more, such as empty lists, takes seconds. */
const MOST_VALUES = 4 * 1024 * 1024;

/**
 * Reads the features of a GeoJSON collection (RFC 7946) one by one, as the bytes of the file come; calls `progress` with these. Throws
 * `validation` for what is no such collection, also after the last feature, and beyond the limits.
 */
export async function* readFeatures(job: ImportJob, limits: FeatureLimits): AsyncGenerator<ReadFeature> {
  const scanner = new FeatureScanner();
  const { size } = await stat(job.path);
  if (size > limits.file) throw badFile(job, `it has more than ${limits.file} bytes; split it.`);
  let [bytes, number] = [0, 0];
  try {
    for await (const chunk of createReadStream(job.path)) {
      if (!(chunk instanceof Uint8Array)) continue;
      checkGoesOn(job);
      bytes += chunk.byteLength;
      for (const piece of scanner.push(chunk)) {
        if (piece.byteLength > limits.feature)
          throw badFile(job, `a feature has more than ${limits.feature} bytes; simplify it.`);
        yield { number: (number += 1), feature: jsonOf(piece, job) };
      }
      job.progress?.(bytes, size);
    }
    checkOutside(scanner, job);
  } catch (error) {
    throw error instanceof BadPlaceFile ? badFile(job, `${error.message}.`) : error;
  }
}

function checkOutside(scanner: FeatureScanner, job: ImportJob): void {
  const outside = scanner.end();
  if (outside.byteLength > MOST_OUTSIDE)
    throw badFile(job, `it has more than ${MOST_OUTSIDE} bytes beside its features.`);
  const document = jsonOf(outside, job);
  if (!isObject(document) || document['type'] !== 'FeatureCollection' || !scanner.hasList)
    throw badFile(job, 'it is no GeoJSON FeatureCollection.');
  checkCrs(document);
}

function jsonOf(bytes: Uint8Array, job: ImportJob): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), MOST_VALUES);
  } catch (error) {
    throw badFile(job, `it is no JSON in UTF-8 (${error instanceof Error ? error.message.slice(0, 120) : ''}).`);
  }
}
