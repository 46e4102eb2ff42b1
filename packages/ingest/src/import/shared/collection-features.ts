import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FeatureScanner, type ScanFault } from '@headwater/core/geo';
import { isObject } from '@headwater/core/values';
import { parseJson } from '../../json-text.ts';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { checkCrs } from '../../places/place-features.ts';
import { type ImportRequest, badFile, throwIfStopped } from './import-deps.ts';
import { limitText } from './numbers.ts';

/** Maximum bytes of a file and of a feature. */
export interface FeatureLimits {
  readonly file: number;
  readonly feature: number;
}

/** Unchecked feature. */
export interface ReadFeature {
  /** Number in the file, from 1. */
  readonly number: number;
  readonly feature: unknown;
  /** Reason why the feature cannot be read. */
  readonly problem?: string;
}

const MOST_OUTSIDE = 4 * 1024 * 1024;
/**
 * Maximum number of values in a feature. A feature of 32 MiB has this number if each value needs eight bytes. More
 * values, such as empty lists, would take seconds to parse.
 */
const MOST_VALUES = 4 * 1024 * 1024;

/**
 * Reads the features of a GeoJSON FeatureCollection (RFC 7946) one by one. Throws `validation`, perhaps after the last
 * feature, so store nothing before the end.
 */
export async function* readFeatures(request: ImportRequest, limits: FeatureLimits): AsyncGenerator<ReadFeature> {
  const refusals = refusalsOf(limits);
  const scanner = new FeatureScanner({
    feature: limits.feature,
    outside: MOST_OUTSIDE,
    refusal: (fault) => badFile(request, refusals[fault]),
  });
  const { size } = await stat(request.path);
  if (size > limits.file) throw badFile(request, `it has more than ${limitText(limits.file)}; split it.`);
  let [bytes, number] = [0, 0];
  for await (const chunk of createReadStream(request.path)) {
    if (!(chunk instanceof Uint8Array)) continue;
    throwIfStopped(request);
    bytes += chunk.byteLength;
    for (const feature of scanner.push(chunk)) yield { number: (number += 1), feature: parsed(feature, request) };
    request.progress?.(bytes, size);
  }
  checkCollection(parsed(scanner.end(), request), scanner.hasList, request);
}

const refusalsOf = ({ feature }: FeatureLimits): Readonly<Record<ScanFault, string>> => ({
  'feature size': `a feature has more than ${limitText(feature)}; simplify it.`,
  'outside size': `it has more than ${limitText(MOST_OUTSIDE)} outside of its features; remove them.`,
  'no objects': 'its list of features has an entry that is not an object; remove it.',
  'two lists': 'it has two lists of features; put all of them into one.',
  'cut off': 'it is not complete: it ends in the middle; copy it again.',
});

function checkCollection(document: unknown, hasList: boolean, request: ImportRequest): void {
  if (!isObject(document) || document['type'] !== 'FeatureCollection' || !hasList)
    throw badFile(
      request,
      'it is not a GeoJSON FeatureCollection; write it again (ogr2ogr -f GeoJSON out.geojson IN).',
    );
  try {
    checkCrs(document);
  } catch (error) {
    throw error instanceof BadPlaceFile ? badFile(request, `${error.message}.`) : error;
  }
}

function parsed(bytes: Uint8Array, request: ImportRequest): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), MOST_VALUES);
  } catch (error) {
    throw badFile(
      request,
      `it is not JSON in UTF-8 (${error instanceof Error ? error.message.slice(0, 120) : ''}); write it again.`,
    );
  }
}
