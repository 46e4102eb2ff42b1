import type { PixelGrid, PlanScene } from './pixel-plan.ts';

/** Query for scenes: lon/lat box, and the ISO instants `start` (included) and `end` (excluded). */
export interface SceneQuery {
  readonly bbox: readonly [number, number, number, number];
  readonly start: string;
  readonly end: string;
  readonly signal?: AbortSignal;
  /** Called with the reason when the search must wait, and with null when it continues; `line` is a text for the run's log. */
  readonly onWait?: (note: string | null, line?: string) => void;
}

/** Processing version of a scene. Values that are missing in its Item are absent. */
export interface SceneProcessing {
  /** Sentinel-2 processing baseline, '05.10'. */
  readonly baseline?: string;
  /** Time at which the product was generated, ISO 8601 UTC. */
  readonly at?: string;
}

/** A Sentinel-2 L2A acquisition read from a STAC Item, with the names and scales of its bands. */
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
   * True if the Item has neither an offset nor a processing baseline, although products of its date have an offset of 1000 (digital
   * number). It is then unknown whether the provider has subtracted the offset.
   */
  readonly offsetUnknown?: true;
  /** True if the Item has `headwater:synthetic: true`. The mark is passed on to every product. */
  readonly synthetic: boolean;
}

/** Scenes that a search found, and Items that it left out, with the reasons. */
export interface SceneSearch {
  readonly scenes: readonly Scene[];
  readonly rejected: readonly { readonly itemHref: string; readonly reason: string }[];
}

/** Finds scenes in a STAC API, in static catalogues, or in both. Throws `unavailable` if a source cannot be reached. */
export interface EarthObservation {
  search(query: SceneQuery): Promise<SceneSearch>;
  /**
   * Checks the source of scenes at low cost and returns its description. Throws `unavailable` if a source does not respond, and `no_scenes`
   * if there is no source.
   */
  probe?(): Promise<string>;
}
