import { DomainError, type PixelGrid } from '@headwater/core';

/** Version of the generator. Increase it when the output changes, so that a start replaces older samples. */
export const SAMPLE_VERSION = 3;
/** Seed of the reference server's sample. */
export const DEFAULT_SEED = 20_210_701;

/** Fictional place; no state, district or tehsil of India has these names. */
export const SAMPLE_PLACE = { state: 'Virtapradesh', district: 'Nirmalgarh', tehsil: 'Jalsrota' } as const;

/** Name of the sample's folders under `eo/`, `places/` and `dem/`. */
export const SAMPLE_NAME = 'headwater-sample';
/** STAC collection id of the scenes. */
export const SAMPLE_COLLECTION = 'headwater-sample-s2-l2a';

/** Hydrological years with a true class map. */
export const SAMPLE_YEARS = [2021, 2022, 2023] as const;
/**
 * Number of days with scenes before the first year and after the last year, so that the seasons of these years are
 * complete.
 */
export const MARGIN_DAYS = 60;

/** Side of one block of land in 10 m pixels. It is even, because the block is also divided into 20 m pixels. */
export const SIZE = 400;
/** Side of one block in km. */
export const BLOCK_KM = 4;
/** Side of the largest sample in km: about 7 GB of scenes. */
export const MAX_KM = 40;

/** Square of a sample: `blocks` x `blocks` land blocks. */
export interface SampleFrame {
  readonly sizeKm: number;
  readonly blocks: number;
  /** Side in 10 m pixels. */
  readonly size: number;
  /** Grid of the 10 m bands; UTM zone 44 north, from near 78.5 E 17.5 N to the south-east, aligned to the 20 m grid. */
  readonly grid10m: PixelGrid;
  readonly grid20m: PixelGrid;
}

/**
 * Frame of a sample with this side in km. Throws `validation` unless the side is a multiple of `BLOCK_KM` up to
 * `MAX_KM`.
 */
export function sampleFrame(sizeKm: number): SampleFrame {
  const blocks = sizeKm / BLOCK_KM;
  if (!Number.isInteger(blocks) || blocks < 1 || sizeKm > MAX_KM)
    throw new DomainError(
      'validation',
      `${sizeKm} is not a multiple of ${BLOCK_KM} km from ${BLOCK_KM} to ${MAX_KM}; choose for example 20`,
    );
  const size = blocks * SIZE;
  const corner = { crs: 'EPSG:32644', west: 234_600, north: 1_938_600 };
  return {
    sizeKm,
    blocks,
    size,
    grid10m: { ...corner, pixelWidth: 10, pixelHeight: 10, cols: size, rows: size },
    grid20m: { ...corner, pixelWidth: 20, pixelHeight: 20, cols: size / 2, rows: size / 2 },
  };
}

const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(SAMPLE_YEARS[0], 6, 1);

/** Day number of 1 July of a year; day 0 is 1 July of the first year. */
export function firstOfJuly(year: number): number {
  return Math.round((Date.UTC(year, 6, 1) - EPOCH) / DAY_MS);
}

/** ISO date of a day number. */
export function isoDate(day: number): string {
  return new Date(EPOCH + day * DAY_MS).toISOString().slice(0, 10);
}

/** Hydrological year that contains a day number. */
export function hydroYear(day: number): number {
  const date = new Date(EPOCH + day * DAY_MS);
  return date.getUTCMonth() >= 6 ? date.getUTCFullYear() : date.getUTCFullYear() - 1;
}
