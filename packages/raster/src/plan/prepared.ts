import type { BlockFunctionRef, IndexSpec, MaskRule, PixelGrid } from '@headwater/core';
import type { TiffLayout } from '../tiff/layout.ts';
import type { Alignment } from './alignment.ts';

/** One band file of a usable scene, opened and related to the plan's grid; plain data. */
export interface PreparedBand {
  readonly layout: TiffLayout;
  readonly alignment: Alignment;
  readonly offset: number;
  /** DN without data as the samples hold it; null = every DN is data. */
  readonly nodata: number | null;
}

/** A scene whose files could all be opened; plain data that workers get. */
export interface PreparedScene {
  readonly id: string;
  /** UTC day of acquisition (ISO date): scenes of one day count as one observation. */
  readonly day: string;
  /** Steps of the plan whose window holds the acquisition. */
  readonly steps: readonly number[];
  readonly mask: PreparedBand | null;
  readonly bands: Readonly<Record<string, PreparedBand>>;
}

/** The plan as workers see it. */
export interface PreparedPlan {
  readonly grid: PixelGrid;
  readonly scenes: readonly PreparedScene[];
  readonly mask: MaskRule | null;
  readonly stepCount: number;
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
  readonly block: BlockFunctionRef;
  /** Output name and absolute path of its raw scratch file, in the plan's order. */
  readonly outputs: readonly { readonly name: string; readonly path: string }[];
}

/** Clear pixels of one scene, 1 bit each, lowest bit first, rows of `stride` bytes (even). */
export interface SceneMask {
  readonly bits: SharedArrayBuffer;
  readonly stride: number;
  readonly cols: number;
  readonly rows: number;
  /** Grid pixel (x, y) is mask pixel ((x + col) >> shift, (y + row) >> shift). */
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/** Names of the bands that an index reads. */
export function bandsOf(index: IndexSpec): readonly string[] {
  return index.formula.kind === 'band' ? [index.formula.band] : [...index.formula.plus, ...index.formula.minus];
}

/** Indices that are wanted for a step. */
export function indicesAt(indices: readonly IndexSpec[], step: number): IndexSpec[] {
  return indices.filter((index) => index.from <= step && step < index.to);
}
