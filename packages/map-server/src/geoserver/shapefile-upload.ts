import type { MapColumn, MapLayer } from '@headwater/core/ports';
import { xmlText } from '@headwater/core/xml';
import { cutNames } from '../encodings/dbf.ts';
import { encodeFeatures } from '../encodings/index.ts';
import { cellText, valueOf } from '../encodings/request.ts';
import type { FeatureTable } from '../features/feature-table.ts';
import type { UploadFile } from './rest-client.ts';

/** Limits of a Shapefile; texts in bytes. */
const MOST_COLUMNS = 255;
const MOST_TEXT_BYTES = 254;

/** Shapefile of a vector layer for the upload to a GeoServer. */
export interface ShapefileUpload {
  /** Zipped Shapefile. */
  readonly data: UploadFile;
  /** Full names of the columns whose names are cut, by cut name. */
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Makes the zipped Shapefile of a layer. Column names are cut to ten bytes; columns with long texts, and columns beyond
 * the limit, are left out. WFS requests are not sent to the GeoServer, so they return all columns with full names.
 */
export async function shapefileUpload(layer: MapLayer, table: FeatureTable, url: string): Promise<ShapefileUpload> {
  const { features } = table;
  const columns = table.columns.filter((column) => fits(column, table)).slice(0, MOST_COLUMNS);
  const { body } = encodeFeatures('shapefile', {
    layer,
    table,
    features,
    columns,
    version: '1.0.0',
    srs: 'EPSG:4326',
    axis: 'xy',
    numberMatched: features.length,
    timeStamp: new Date(),
    url,
  });
  const bytes =
    body instanceof ReadableStream
      ? await new Response(body).blob()
      : new Blob([typeof body === 'string' ? body : new Uint8Array(body)]);
  const names = columns.map(({ name }) => name);
  const cut = cutNames(names);
  const renamed = new Map(names.flatMap((name, at) => (cut[at] === name ? [] : [[cut[at]!, name] as const])));
  return { data: { length: bytes.size, stream: () => bytes.stream() }, renamed };
}

function fits({ name, type }: MapColumn, { features }: FeatureTable): boolean {
  if (type !== 'string') return true;
  return features.every((feature) => {
    const value = valueOf(feature, name);
    return value === undefined || Buffer.byteLength(cellText(value)) <= MOST_TEXT_BYTES;
  });
}

/** Replaces column names in a style by cut names. */
export function withCutNames(sld: string, renamed: ShapefileUpload['renamed']): string {
  const cut = new Map<string, string>([...renamed].map(([short, name]) => [xmlText(name), xmlText(short)]));
  return sld.replaceAll(/(?<=<(?:\w+:)?PropertyName>)[^<]*/g, (name) => cut.get(name) ?? name);
}

/** Line of the abstract with the cut names; empty if there are none. */
export const renamedLine = (renamed: ShapefileUpload['renamed']): string =>
  renamed.size === 0
    ? ''
    : `\nColumns with shortened names: ${[...renamed].map(([short, name]) => `${short} = ${name}`).join(', ')}.`;
