import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { csvLabels, geojsonLabels, type ReferenceLabel } from '@headwater/accuracy';
import { DomainError } from '@headwater/core/errors';
import { openRaster, type RasterFile } from '@headwater/raster';
import type { Options } from './options.ts';
import { checkThere, parseDocument, readText } from './read-json.ts';

/** What a map is held against: labels of places, or a raster. */
export type Reference =
  | {
      readonly kind: 'labels';
      readonly labels: readonly ReferenceLabel[];
      /** Years that the labels name, ascending. */
      readonly years: readonly number[];
      /** Labels of years that were not asked for. */
      readonly otherYears: number;
    }
  | { readonly kind: 'raster'; readonly file: RasterFile };

/** Reads the reference by the ending of its name. Throws `validation` and `input_data` that name file, place and remedy. */
export async function readReference({ reference: path, property, year }: Options): Promise<Reference> {
  const ending = extname(path).toLowerCase();
  if (ending === '.tif' || ending === '.tiff') return readRaster(path);
  if (ending === '.csv') return ofYear(csvLabels(await readText(path), { label: property }), year);
  if (ending === '.geojson' || ending === '.json')
    return ofYear(geojsonLabels(parseDocument(await readText(path), path), { label: property }), year);
  throw new DomainError(
    'validation',
    `reference: ${path} ends in ${ending === '' ? 'nothing' : ending}; give labels as .geojson or .csv, or a raster as .tif`,
  );
}

async function readRaster(path: string): Promise<Reference> {
  checkThere(path);
  return { kind: 'raster', file: await openRaster(path) };
}

/** True for the true map of the synthetic sample: its marker lies beside it. */
export function isSampleTruth(path: string): boolean {
  return existsSync(join(dirname(path), 'sample.json'));
}

function ofYear(all: readonly ReferenceLabel[], wanted: number | undefined): Reference {
  // A label without a year speaks of every year.
  const labels = all.filter(({ year }) => wanted === undefined || year === undefined || year === wanted);
  const years = [...new Set(labels.flatMap(({ year }) => (year === undefined ? [] : [year])))].sort((a, b) => a - b);
  if (labels.length === 0)
    throw new DomainError(
      'validation',
      `--year ${wanted}: none of the ${all.length} labels is of it; leave it out or give another`,
    );
  return { kind: 'labels', labels, years, otherYears: all.length - labels.length };
}
