import type { BlockFunctionRef, IndexFormula, IndexSpec, MaskRule, PixelGrid } from '@headwater/core';
import type { NetworkSettings } from '../network/index.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import type { Alignment } from './alignment.ts';

/** One band file of a usable scene, opened and related to the plan's grid; plain data. */
export interface PreparedBand {
  readonly layout: TiffLayout;
  readonly alignment: Alignment;
  readonly offset: number;
  /** DN without data as the samples hold it; null = every DN is data. */
  readonly nodata: number | null;
  /** How an index takes the samples: `ratio` wants unsigned DNs, `band` the samples as they are. */
  readonly use: IndexFormula['kind'];
  /** True where it is read over a network. */
  readonly remote: boolean;
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

/** What is wanted of one compositing step. */
export interface PreparedStep {
  readonly indices: readonly IndexSpec[];
  /** Names of the bands that these indices read, each once. */
  readonly bands: readonly string[];
}

/** The plan as workers see it. */
export interface PreparedPlan {
  readonly grid: PixelGrid;
  readonly scenes: readonly PreparedScene[];
  readonly mask: MaskRule | null;
  readonly steps: readonly PreparedStep[];
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
  readonly block: BlockFunctionRef;
  /** Output name and absolute path of its raw scratch file, in the plan's order. */
  readonly outputs: readonly { readonly name: string; readonly path: string }[];
  /** How long workers wait for servers. */
  readonly network: Partial<NetworkSettings>;
}
