import type { BlockFunctionRef, IndexFormula, IndexSpec, MaskRule, SceneBand } from '@headwater/core/pixel-plan';
import type { PixelGrid } from '@headwater/core';
import type { ScratchFile } from '../files/scratch-files.ts';
import type { RemoteSettings } from '../remote/remote.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import type { Alignment } from './alignment.ts';
import type { AreaMap } from './area-map.ts';
import type { PaneWindow } from './pane-mask.ts';

/** Opened band file of a usable scene, with its position on the plan's grid. Plain data that can be sent to workers. */
export interface PreparedBand {
  readonly layout: TiffLayout;
  readonly alignment: Alignment;
  readonly offset: number;
  /** Digital number (DN) of nodata samples; null if every DN is data. */
  readonly nodata: number | null;
  /** Use of the samples in an index: negative samples become 0 for `ratio`, and stay unchanged for `band`. */
  readonly use: IndexFormula['kind'];
  readonly remote: boolean;
  readonly within: SceneBand['within'];
}

/** Scene whose files could all be opened. Plain data that can be sent to workers. */
export interface PreparedScene {
  readonly id: string;
  /** Solar day of acquisition (ISO date). All scenes of one day count as one observation. */
  readonly day: string;
  /** True if other usable scenes have the same day. */
  readonly shared: boolean;
  /** Steps of the plan that contain the day's first acquisition. */
  readonly steps: readonly number[];
  readonly mask: PreparedBand | null;
  readonly bands: Readonly<Record<string, PreparedBand>>;
}

/** Indices and bands of one compositing step. */
export interface PreparedStep {
  readonly indices: readonly IndexSpec[];
  /** Distinct names of the bands that these indices need. */
  readonly bands: readonly string[];
}

/** The plan as it is sent to workers. */
export interface PreparedPlan {
  readonly grid: PixelGrid;
  readonly area: AreaMap;
  /** All panes of the plan (parts of the grid in memory). */
  readonly panes: readonly PaneWindow[];
  /** Memory of a worker for additional planes of days and cached 20 m bands, bytes. */
  readonly sharedBytes: number;
  /** Usable scenes, sorted by day; scenes of one day are in order of priority. */
  readonly scenes: readonly PreparedScene[];
  readonly mask: MaskRule | null;
  readonly steps: readonly PreparedStep[];
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
  readonly block: BlockFunctionRef;
  readonly outputs: readonly ScratchFile[];
  readonly network: RemoteSettings;
}
