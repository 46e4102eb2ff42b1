import type { RepairedRow } from '@headwater/core/ports';
import type { Geometry } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';

/** A feature as its file has it; nothing of it is checked yet. */
export interface RawFeature {
  /** Layer or file inside the file. */
  readonly source: string;
  /** Counted from 1. */
  readonly row: number;
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly geometry: unknown;
}

/** A feature that cannot be made out, while those after it can. */
export interface BadFeature extends Pick<RawFeature, 'source' | 'row'> {
  readonly problem: string;
}

/** Request to read a file of features. */
export interface FeatureReading {
  /** Absolute path. */
  readonly path: string;
  /** Its name: its ending is the format, and messages name it. */
  readonly fileName: string;
  /** The layer to read where a file holds several: one of these names. */
  readonly layers: readonly string[];
  /** Called with a repair that concerns the file from a row on, such as an encoding that is not known. */
  readonly repair: (repair: RepairedRow) => void;
  /** Called with the bytes that are read; of a database those of its geometries, which are the most of it. */
  readonly progress: (done: number, total: number) => void;
}

/** The features of a file in its order. Throws `BadPlaceFile` where the file is broken as a whole. */
export type FeatureReader = (reading: FeatureReading) => AsyncIterable<RawFeature | BadFeature>;

/** Bytes of one feature at most: a boundary of two million positions. */
export const MAX_FEATURE_BYTES = 64 * 1024 * 1024;

/** A polygon of a binary format, or the sentence why there is none. */
export type GeometryOrProblem = { readonly geometry: Geometry } | { readonly problem: string };

/** Runs `read` and gives what it throws as `BadPlaceFile` as a problem. */
export function orProblem(read: () => Geometry): GeometryOrProblem {
  try {
    return { geometry: read() };
  } catch (error) {
    if (error instanceof BadPlaceFile) return { problem: error.message };
    throw error;
  }
}
