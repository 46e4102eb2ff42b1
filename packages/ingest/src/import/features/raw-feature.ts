import type { RepairedRow } from '@headwater/core/ports';
import type { Geometry } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';

/** A feature of a file before it is checked. */
export interface RawFeature {
  /** Name of the layer, or of the member of the zip file, that contains the feature. */
  readonly source: string;
  /** Row number in the file, from 1. */
  readonly row: number;
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly geometry: unknown;
}

/** A feature that cannot be read; features after it can still be read. */
export interface BadFeature extends Pick<RawFeature, 'source' | 'row'> {
  readonly problem: string;
}

/** Request to read a file of features. */
export interface FeatureReading {
  /** Absolute path of the file. */
  readonly path: string;
  /** File name for messages; its ending shows the format. */
  readonly fileName: string;
  /** Possible names of the layer to read, if a file has several layers. */
  readonly layers: readonly string[];
  /** Called with a repair that applies to all rows from one row on, such as an assumed encoding. */
  readonly repair: (repair: RepairedRow) => void;
  /**
   * Called with the number of bytes read so far. In a GeoPackage only the bytes of geometries are counted, because geometries are the largest
   * part of the file.
   */
  readonly progress: (done: number, total: number) => void;
}

/** Reads the features of a file in the order of the file. Throws `BadPlaceFile` if the whole file cannot be read. */
export type FeatureReader = (reading: FeatureReading) => AsyncIterable<RawFeature | BadFeature>;

/** Maximum size of one feature, bytes. A boundary of this size has about two million positions. */
export const MAX_FEATURE_BYTES = 64 * 1024 * 1024;

/** A polygon of a binary format, or the reason why it cannot be read. */
export type GeometryOrProblem = { readonly geometry: Geometry } | { readonly problem: string };

/** Runs `read`. If `read` throws `BadPlaceFile`, returns its message as the problem. */
export function orProblem(read: () => Geometry): GeometryOrProblem {
  try {
    return { geometry: read() };
  } catch (error) {
    if (error instanceof BadPlaceFile) return { problem: error.message };
    throw error;
  }
}
