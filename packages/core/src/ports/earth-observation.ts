import type { PixelGrid, PlanScene } from './pixel-plan.ts';

/** A question to the scene catalogue: lon/lat box, [start, end) ISO instants. */
export interface SceneQuery {
  readonly bbox: readonly [number, number, number, number];
  readonly start: string;
  readonly end: string;
  readonly signal?: AbortSignal;
  /** Told in words what is waited for; null when the search goes on. */
  readonly onWait?: (note: string | null) => void;
}

/** How new the processing of a scene is; what its Item does not tell is absent. */
export interface SceneProcessing {
  /** Sentinel-2 processing baseline, '05.10'. */
  readonly baseline?: string;
  /** ISO 8601 instant (UTC) at which the product was made. */
  readonly at?: string;
}

/** A Sentinel-2 L2A acquisition as read from a STAC Item, bands recognised and scaled. */
export interface Scene extends PlanScene {
  /** Address (URL or path) of the Item, for `derived_from` links and messages. */
  readonly itemHref: string;
  readonly collection: string;
  /** Native grid of the 10 m bands, from `proj:*` (or read from the file when the Item lacks it: then absent). */
  readonly grid?: PixelGrid;
  readonly crs: string;
  /** 0-100 where the Item tells. */
  readonly cloudCover?: number;
  /** Tells apart products of one acquisition. */
  readonly processing: SceneProcessing;
  readonly bbox: readonly [number, number, number, number];
  /**
   * Set where the Item tells neither offset nor processing baseline although products of its day carry an offset of 1000 DN:
   * nobody knows whether the provider took it off.
   */
  readonly offsetUnknown?: true;
  /** Said by the Item (`headwater:synthetic: true`); carried to every product. */
  readonly synthetic: boolean;
}

/** What a search found, and Items that it had to leave out, with reasons. */
export interface SceneSearch {
  readonly scenes: readonly Scene[];
  readonly rejected: readonly { readonly itemHref: string; readonly reason: string }[];
}

/** Finds scenes: a STAC API, static catalogues, or both. Throws `unavailable` when a source cannot be reached. */
export interface EarthObservation {
  search(query: SceneQuery): Promise<SceneSearch>;
  /** Says cheaply where scenes come from; throws `unavailable` when a source is away, `no_scenes` where there is none. */
  probe?(): Promise<string>;
}
