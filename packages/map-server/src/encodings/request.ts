import type { MapColumn, MapLayer } from '@headwater/core/ports';
import type { FeatureTable, MapFeature } from '../features/feature-table.ts';

/** Format of a response: GeoJSON, GML 2.1.2 (WFS 1.0.0), 3.1.1 (WFS 1.1.0), 3.2 (WFS 2.0.0), CSV, zipped Shapefiles. */
export type FeatureFormat = 'geojson' | 'gml2' | 'gml31' | 'gml32' | 'csv' | 'shapefile';

/**
 * Coordinate systems of responses. `EPSG:3857` (m) is limited to latitudes of 85.0511 degrees. `EPSG:326zz` and
 * `EPSG:327zz` are UTM zones (m).
 */
export type FeatureSrs = 'EPSG:4326' | 'CRS:84' | 'EPSG:3857' | `EPSG:32${string}`;

/** Features to write, with the facts of the response. */
export interface FeatureResponse {
  readonly layer: MapLayer;
  readonly table: Pick<FeatureTable, 'columns' | 'geometryType'>;
  readonly features: readonly MapFeature[];
  readonly columns: readonly MapColumn[];
  /** WFS version in addresses of schemas. */
  readonly version: string;
  readonly srs: FeatureSrs;
  /** Order of `EPSG:4326` coordinates in GML. Other coordinate systems and formats are always `xy`. */
  readonly axis: 'xy' | 'yx';
  /** Number of matching features, including features that are not in this response. */
  readonly numberMatched: number;
  readonly timeStamp: Date;
  /** Public address of the map server. */
  readonly url: string;
  /** True if only the number is requested; `features` is then empty. */
  readonly isHits?: boolean;
}

/** A response body. A large body is a stream, so that it is never in memory as a whole. */
export interface EncodedFeatures {
  readonly contentType: string;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array>;
  /** Proposed name of a download. */
  readonly fileName?: string;
}

/** Minimum length of a piece (except the last), characters. Shorter texts are joined. */
const PIECE = 64 * 1024;

/** Makes a body of texts: a text if short, otherwise a stream of pieces that are made on demand. */
export function textBody(texts: Iterable<string>): string | ReadableStream<Uint8Array> {
  const pieces = joined(texts);
  const first = pieces.next();
  if (first.done === true) return '';
  const second = pieces.next();
  if (second.done === true) return first.value;
  const encoder = new TextEncoder();
  const rest = (function* () {
    yield encoder.encode(first.value);
    yield encoder.encode(second.value);
    for (const piece of pieces) yield encoder.encode(piece);
  })();
  return streamOf(rest);
}

function* joined(texts: Iterable<string>): Generator<string, undefined> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Stream of pieces that are made on demand. */
export function streamOf(pieces: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Text of a value. Objects and lists are JSON. */
export function cellText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Value of a feature in the column `name`; undefined for a missing value or null. */
export function valueOf({ properties }: MapFeature, name: string): unknown {
  return Object.hasOwn(properties, name) ? (properties[name] ?? undefined) : undefined;
}
