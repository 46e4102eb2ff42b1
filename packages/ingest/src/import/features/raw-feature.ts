import type { RepairedRow } from '@headwater/core/ports';
import type { Geometry } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';

/** Unchecked feature of a file. */
export interface RawFeature {
  /** Layer, or member of the zip file, that contains the feature. */
  readonly source: string;
  /** Row number in the file, from 1. */
  readonly row: number;
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly geometry: unknown;
}

/** Feature that cannot be read. The features after it can still be read. */
export interface BadFeature extends Pick<RawFeature, 'source' | 'row'> {
  readonly problem: string;
}

/** Request to read a file of features. */
export interface FeatureReading {
  readonly path: string;
  /** File name for messages; its ending shows the format. */
  readonly fileName: string;
  /** Possible names of the layer in a file with several layers. */
  readonly layers: readonly string[];
  /** Called with a repair that affects all rows from one row on, such as an assumed encoding. */
  readonly repair: (repair: RepairedRow) => void;
  /** Called with the number of read bytes. In a GeoPackage, only the bytes of geometries are counted. */
  readonly progress: (done: number, total: number) => void;
}

/** Reads the features in the order of the file. Throws `BadPlaceFile` for an unreadable file. */
export type FeatureReader = (reading: FeatureReading) => AsyncIterable<RawFeature | BadFeature>;

/** Maximum size of a feature, bytes. A boundary of this size has about two million positions. */
export const MAX_FEATURE_BYTES = 64 * 1024 * 1024;

/** Geometry of a binary format, or the reason why it cannot be read. */
export type GeometryOrProblem = { readonly geometry: Geometry } | { readonly problem: string };

/** Calls `read`; if it throws a `BadPlaceFile`, returns the message as the problem. */
export function orProblem(read: () => Geometry): GeometryOrProblem {
  try {
    return { geometry: read() };
  } catch (error) {
    if (error instanceof BadPlaceFile) return { problem: error.message };
    throw error;
  }
}
