import type { MapColumn, MapLayer } from '@headwater/core/ports';
import type { FeatureTable, MapFeature } from '../features/feature-table.ts';

/** Formats of features: GeoJSON, GML 2.1.2 (WFS 1.0.0), 3.1.1 (WFS 1.1.0) and 3.2 (WFS 2.0.0), CSV, and zipped Shapefiles. */
export type FeatureFormat = 'geojson' | 'gml2' | 'gml31' | 'gml32' | 'csv' | 'shapefile';

/**
 * Coordinate systems of responses. `EPSG:3857` is in metres; latitudes beyond 85.0511 degrees are replaced by 85.0511 degrees. `EPSG:326zz` and
 * `EPSG:327zz` are UTM zones, in metres.
 */
export type FeatureSrs = 'EPSG:4326' | 'CRS:84' | 'EPSG:3857' | `EPSG:32${string}`;

/** Features to write, and the facts that a response states about these features. */
export interface FeatureResponse {
  readonly layer: MapLayer;
  readonly table: Pick<FeatureTable, 'columns' | 'geometryType'>;
  /** Features of the response, in the order of the response. */
  readonly features: readonly MapFeature[];
  /** Columns of the response. */
  readonly columns: readonly MapColumn[];
  /** WFS version that is named in the addresses of schemas. */
  readonly version: string;
  readonly srs: FeatureSrs;
  /** Order of the coordinates in GML; all other formats are `xy`. */
  readonly axis: 'xy' | 'yx';
  /** Number of features that match the request, including features that this response does not contain. */
  readonly numberMatched: number;
  readonly timeStamp: Date;
  /** Public address of the map server, as in `MapServerParts`. */
  readonly url: string;
  /** True if the request wants only the number of features. Then `features` is empty. */
  readonly isHits?: boolean;
}

/** A response body. A large body is a stream, so that only one piece at a time is in memory. */
export interface EncodedFeatures {
  readonly contentType: string;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array>;
  /** File name that a browser proposes; only for formats that are downloaded. */
  readonly fileName?: string;
}

/** Size of the pieces of a stream, characters or bytes. Most texts are short, so the texts of several features are joined to one piece. */
const PIECE = 64 * 1024;

/** Makes a body of these texts: one text if the body is short, otherwise a stream that makes each piece when the piece is read. */
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

/** Stream of these pieces; each piece is made when the piece is read. */
export function streamOf(pieces: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Text of a value, for a text column or for a cell of a text format. Objects and lists are written as JSON. */
export function cellText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Value of a feature; undefined if the value is missing or null. */
export function valueOf({ properties }: MapFeature, name: string): unknown {
  return Object.hasOwn(properties, name) ? (properties[name] ?? undefined) : undefined;
}
