import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseJson } from '../../json-text.ts';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { checkCrs, FEATURE } from '../../places/place-features.ts';
import { isObject } from '@headwater/core';
import { FeatureScanner } from './feature-scanner.ts';
import { type BadFeature, type FeatureReader, MAX_FEATURE_BYTES, type RawFeature } from './raw-feature.ts';

/** Values of one feature at most: three signs for each position of the largest one. */
const MAX_VALUES = MAX_FEATURE_BYTES / 8;
const DECODER = new TextDecoder('utf-8', { fatal: true });

/** A FeatureCollection feature by feature, or a single Feature. */
export const readGeojson: FeatureReader = async function* ({ path, fileName, progress }) {
  const { size } = await stat(path);
  const scanner = new FeatureScanner();
  let [row, done] = [0, 0];
  for await (const bytes of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    for (const piece of scanner.push(bytes)) {
      row += 1;
      yield featureOf(jsonOf(piece, `feature ${row}`), fileName, row);
    }
    done += bytes.length;
    progress(done, size);
  }
  const outer = jsonOf(scanner.end(), 'the file');
  checkCrs(outer);
  if (scanner.hasList) {
    if (!isObject(outer) || outer['type'] !== 'FeatureCollection') throw notGeojson();
  } else if (FEATURE.safeParse(outer).success) yield featureOf(outer, fileName, 1);
  else throw notGeojson();
};

const notGeojson = (): BadPlaceFile =>
  new BadPlaceFile(
    'this is not a GeoJSON Feature or FeatureCollection; ogr2ogr -f GeoJSON makes one of any other format',
  );

/** The value of JSON bytes; `what` begins the message of a `BadPlaceFile`. */
function jsonOf(bytes: Uint8Array, what: string): unknown {
  try {
    return parseJson(DECODER.decode(bytes), MAX_VALUES);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    throw new BadPlaceFile(`${what} is not JSON (${reason}); write the file anew`);
  }
}

/** A parsed feature of a file, or why it is none. */
export function featureOf(value: unknown, source: string, row: number): RawFeature | BadFeature {
  const feature = FEATURE.safeParse(value);
  if (!feature.success)
    return { source, row, problem: 'this is not a GeoJSON Feature with properties and a geometry; write it anew' };
  const { properties, geometry } = feature.data;
  return { source, row, properties, geometry };
}
