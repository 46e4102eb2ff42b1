import { parseArgs } from 'node:util';
import { DomainError, messageOf } from '@headwater/core/errors';

/** Options of the command. */
export interface Options {
  /** Path or URL of a class raster or of a STAC Item. */
  readonly map: string;
  /** Path of GeoJSON, CSV or GeoTIFF. */
  readonly reference: string;
  readonly legend: string;
  readonly out: string;
  readonly property: string;
  /** `majority`: a polygon is one sample. `pixels`: each pixel of a polygon is one sample. */
  readonly polygons: 'majority' | 'pixels';
  /** Year of the labels; labels of other years are ignored. */
  readonly year: number | undefined;
  /** True if the reference is another map, not observations. */
  readonly referenceIsMap: boolean;
  /** True if map and reference come from one synthetic landscape. */
  readonly synthetic: boolean;
}

export const USAGE = `usage: npm run validate -- --map PATH|URL --reference FILE --legend FILE --out FOLDER
  --map              class raster (GeoTIFF), or a published STAC Item: path or URL
  --reference        labels (.geojson, .json, .csv) or a class raster (.tif)
  --legend           JSON: classes, each with its values in the map and its labels
  --out              folder for report.html and result.json
  --property NAME    property or column with the label (default: label)
  --polygons WAY     majority: a polygon is one sample (default); pixels: each pixel of a polygon is one sample
  --year YEAR        use only labels of this year and labels without a year
  --reference-is-map the labels were taken from another map: agreement, not accuracy
  --synthetic        one program generated map and reference: consistency, not accuracy`;

/** Parses the command line. Throws `validation` with the name of the option. */
export function readOptions(args: readonly string[]): Options {
  const values = valuesOf(args);
  const polygons = values.polygons ?? 'majority';
  if (polygons !== 'majority' && polygons !== 'pixels')
    throw bad('--polygons', `must be majority or pixels, not ${polygons}`);
  return {
    map: need('--map', values.map),
    reference: need('--reference', values.reference),
    legend: need('--legend', values.legend),
    out: need('--out', values.out),
    property: values.property ?? 'label',
    polygons,
    year: values.year === undefined ? undefined : yearOf(values.year),
    referenceIsMap: values['reference-is-map'] === true,
    synthetic: values.synthetic === true,
  };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        map: text,
        reference: text,
        legend: text,
        out: text,
        property: text,
        polygons: text,
        year: text,
        'reference-is-map': flag,
        synthetic: flag,
      },
    }).values;
  } catch (cause) {
    throw new DomainError('validation', `${messageOf(cause)}\n${USAGE}`, {
      cause,
    });
  }
}

function need(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw bad(name, 'is required');
  return value;
}

function yearOf(text: string): number {
  if (!/^\d{4}$/.test(text)) throw bad('--year', `must be a year such as 2021, not ${text}`);
  return Number(text);
}

function bad(name: string, problem: string): DomainError {
  return new DomainError('validation', `${name} ${problem}\n${USAGE}`);
}
