import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseJson } from '../../json-text.ts';
import { BadPlaceFile, TooMuch } from '../../places/bad-place-file.ts';
import { checkCrs, FEATURE } from '../../places/place-features.ts';
import { FeatureScanner, type ScanFault } from '@headwater/core/geo';
import { isObject } from '@headwater/core/values';
import { type BadFeature, type FeatureReader, MAX_FEATURE_BYTES, type RawFeature } from './raw-feature.ts';

/**
 * Maximum number of values in a feature, which `parseJson` counts as commas, colons and opening brackets. A feature of
 * `MAX_FEATURE_BYTES` has about six million of these characters: three per position.
 */
const MAX_VALUES = MAX_FEATURE_BYTES / 8;
const DECODER = new TextDecoder('utf-8', { fatal: true });

/** Reads a FeatureCollection feature by feature, or a single Feature. */
export const readGeojson: FeatureReader = async function* ({ path, fileName, progress }) {
  const { size } = await stat(path);
  const scanner = new FeatureScanner(RULES);
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

const FAULTS: Readonly<Record<ScanFault, () => BadPlaceFile>> = {
  'feature size': () => new TooMuch('a feature has more than 64 MB; simplify it'),
  'outside size': () =>
    new TooMuch('the file has more than 64 MB outside of its features; this is not a GeoJSON FeatureCollection'),
  'no objects': () =>
    new BadPlaceFile('the list of features has something other than Features in it; write the file again'),
  'two lists': () => new BadPlaceFile('the file has two lists of features; put all of them into one'),
  'cut off': () => new BadPlaceFile('the file ends in the middle: it is not complete; copy it again'),
};
const RULES = {
  feature: MAX_FEATURE_BYTES,
  outside: MAX_FEATURE_BYTES,
  refusal: (fault: ScanFault): BadPlaceFile => FAULTS[fault](),
};

const notGeojson = (): BadPlaceFile =>
  new BadPlaceFile(
    'this is not a GeoJSON Feature or FeatureCollection; convert the file: ogr2ogr -f GeoJSON out.geojson IN',
  );

function jsonOf(bytes: Uint8Array, what: string): unknown {
  try {
    return parseJson(DECODER.decode(bytes), MAX_VALUES);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    throw new BadPlaceFile(`${what} is not JSON (${reason}); write the file again`);
  }
}

/** Returns the feature, or the reason why the value is not a feature. */
export function featureOf(value: unknown, source: string, row: number): RawFeature | BadFeature {
  const feature = FEATURE.safeParse(value);
  if (!feature.success)
    return {
      source,
      row,
      problem: 'this is not a GeoJSON Feature; give it the members type ("Feature"), properties and geometry',
    };
  const { properties, geometry } = feature.data;
  try {
    checkCrs(value, geometry);
  } catch (error) {
    if (error instanceof BadPlaceFile) return { source, row, problem: error.message };
    throw error;
  }
  return { source, row, properties, geometry };
}
