import type { PlaceSlugs } from '@headwater/core';

/** First and last hydrological year. */
export interface Years {
  readonly startYear: number;
  readonly endYear: number;
}

/** The pipeline that makes yearly rasters of land cover, classes 0 to 12 as published, as far as layers made of them need to know it. */
export interface LandCoverMaker {
  /** Name of the pipeline; its request takes a place, an account and `Years`. */
  readonly pipeline: string;
  readonly workspace: string;
  /** Name of the layer of a hydrological year. */
  readonly layerName: (slugs: PlaceSlugs, year: number) => string;
  /** Throws `validation` for years of which it can make none, naming the field. */
  readonly checkYears: (years: Years, now: Date) => void;
}
