import type { PixelGrid, PlanScene } from './pixel-plan.ts';

/** Query to the scene catalogue: lon/lat box and [start, end) as ISO instants. */
export interface SceneQuery {
  readonly bbox: readonly [number, number, number, number];
  readonly start: string;
  readonly end: string;
  readonly signal?: AbortSignal;
  /** Called with the reason when the search has to wait, and with null when it continues; `line` is a line for the run's log. */
  readonly onWait?: (note: string | null, line?: string) => void;
}

/** Processing version of a scene. Values that its Item lacks are absent. */
export interface SceneProcessing {
  /** Sentinel-2 processing baseline, '05.10'. */
  readonly baseline?: string;
  /** ISO 8601 instant (UTC) at which the product was made. */
  readonly at?: string;
}

/** A Sentinel-2 L2A acquisition read from a STAC Item, with its bands recognised and scaled. */
export interface Scene extends PlanScene {
  /** Address (URL or path) of the Item, for `derived_from` links and messages. */
  readonly itemHref: string;
  readonly collection: string;
  /** Native grid of the 10 m bands, from `proj:*` of the Item. Absent if the Item has none; the grid is then read from the file. */
  readonly grid?: PixelGrid;
  readonly crs: string;
  /** 0-100; absent if the Item has no cloud cover. */
  readonly cloudCover?: number;
  /** Distinguishes products of one acquisition. */
  readonly processing: SceneProcessing;
  readonly bbox: readonly [number, number, number, number];
  /**
   * Set if the Item has neither an offset nor a processing baseline although products of its day carry an offset of 1000 DN. It is unknown
   * whether the provider has subtracted it.
   */
  readonly offsetUnknown?: true;
  /** True if the Item has `headwater:synthetic: true`; passed on to every product. */
  readonly synthetic: boolean;
}

/** Scenes that a search found, and Items that it had to leave out, with reasons. */
export interface SceneSearch {
  readonly scenes: readonly Scene[];
  readonly rejected: readonly { readonly itemHref: string; readonly reason: string }[];
}

/** Finds scenes in a STAC API, in static catalogues, or in both. Throws `unavailable` when a source cannot be reached. */
export interface EarthObservation {
  search(query: SceneQuery): Promise<SceneSearch>;
  /**
   * Describes the source of scenes after a cheap check; throws `unavailable` when a source does not answer, `no_scenes` when there is none.
   */
  probe?(): Promise<string>;
}
