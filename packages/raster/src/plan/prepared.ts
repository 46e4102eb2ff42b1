import type { BlockFunctionRef, IndexFormula, IndexSpec, MaskRule, SceneBand } from '@headwater/core/pixel-plan';
import type { PixelGrid } from '@headwater/core';
import type { ScratchFile } from '../files/scratch-files.ts';
import type { NetworkSettings } from '@headwater/net';
import type { TiffLayout } from '../tiff/layout.ts';
import type { Alignment } from './alignment.ts';
import type { AreaMap } from './area-map.ts';
import type { PaneWindow } from './pane-mask.ts';

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
  /** Folders that a local file must lie in. */
  readonly within: SceneBand['within'];
}

/** A scene whose files could all be opened; plain data that workers get. */
export interface PreparedScene {
  readonly id: string;
  /** Solar day of acquisition (ISO date): scenes of one day are one observation. */
  readonly day: string;
  /** True where other usable scenes share its day. */
  readonly shared: boolean;
  /** Steps of the plan whose window holds the day's first acquisition. */
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
  readonly area: AreaMap;
  /** Every pane of the plan. */
  readonly panes: readonly PaneWindow[];
  /** Bytes that one worker may spend on 20 m bands which several panes of a section need. */
  readonly sharedBytes: number;
  /** By day, those of one day in the order in which they are asked. */
  readonly scenes: readonly PreparedScene[];
  readonly mask: MaskRule | null;
  readonly steps: readonly PreparedStep[];
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
  readonly block: BlockFunctionRef;
  /** In the plan's order. */
  readonly outputs: readonly ScratchFile[];
  /** How long workers wait for servers. */
  readonly network: Partial<NetworkSettings>;
}
