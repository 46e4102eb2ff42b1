import type { AnyPipeline, Run } from '@headwater/core';
import { sphericalAreaHa } from '@headwater/core/geo';
import { isObject } from '@headwater/core/values';
import type { Ports } from '../../../deps.ts';
import { publisherOf } from './run-body.ts';

/** Expected work of a run, estimated from the newest successful run of the layer. */
export interface ExpectedWork {
  readonly seconds: number;
  /** Scenes to read; undefined for a layer without scenes. */
  readonly scenes: number | undefined;
  readonly bytes: number | undefined;
  /** Seconds, area, years and decoded pixels of the newest run. */
  readonly took: number;
  readonly km2: number;
  readonly years: number;
  readonly decodedPixels: number | undefined;
}

/** Pixels of a run or of several runs. */
export interface PixelWork {
  /** Decoded pixels, summed over bands. */
  readonly decodedPixels: number;
  /** Pixels of the computed grids, summed over years. */
  readonly gridPixels: number;
}

/** Seconds that do not depend on pixels: the start of threads and the publication of files. */
const START_SECONDS = 0.35;
/**
 * Speeds on two idle cores, pixels per second. `DECODED_PER_SECOND` includes the time for medians. `GRID_PER_SECOND`
 * includes the time for writing files.
 */
const DECODED_PER_SECOND = 1e9;
const GRID_PER_SECOND = 2e6;

/** Expected seconds of runs with scenes on two idle cores. `bench/` compares these seconds with real runs. */
export function secondsOfPixels({ decodedPixels, gridPixels }: PixelWork, runs = 1): number {
  return runs * START_SECONDS + decodedPixels / DECODED_PER_SECOND + gridPixels / GRID_PER_SECOND;
}

/** Expected seconds on this machine. The newest run shows the speed of the machine. */
export function expectedSeconds(work: PixelWork, then: ExpectedWork | undefined, runs: number): number {
  const assumed = secondsOfPixels(work, runs);
  if (then?.decodedPixels === undefined || !(then.seconds > 0)) return assumed;
  const { decodedPixels, took, seconds } = then;
  // `seconds` is `took`, scaled to the area and years of this request. So `took / seconds` scales the grid size of
  // this request to the grid size of the newest run.
  return (assumed * took) / secondsOfPixels({ decodedPixels, gridPixels: (work.gridPixels * took) / seconds });
}

/** A checked request, and the area that it computes. */
export interface CheckedRequest {
  readonly pipeline: AnyPipeline;
  readonly km2: number;
  readonly request: Readonly<Record<string, unknown>>;
}

const yearsOf = ({ startYear, endYear }: Readonly<Record<string, unknown>>): number =>
  typeof startYear === 'number' && typeof endYear === 'number' ? Math.max(1, endYear - startYear + 1) : 1;

/**
 * Estimates the work of a request from the newest successful run of the layer. Undefined if there is no such run, or if
 * its tehsil has no outline.
 */
export async function expectedWork(
  { pipeline, km2, request }: CheckedRequest,
  { stores }: Ports<'stores'>,
): Promise<ExpectedWork | undefined> {
  const newest = { pipeline: pipeline.name, state: 'success', isDescending: true, limit: 1, offset: 0 } as const;
  const [listed] = (await stores.operatorLists.runs(newest)).rows;
  const run = listed && (await stores.runs.get(listed.id));
  const took = run && secondsOf(run);
  const tehsilId = run?.params['tehsilId'];
  const place = typeof tehsilId === 'number' ? await stores.places.placeOfTehsil(tehsilId) : undefined;
  const geometry = place?.tehsil.geometry ?? undefined;
  if (run === undefined || took === undefined || geometry === undefined) return undefined;
  const then = { km2: sphericalAreaHa(geometry) / 100, years: yearsOf(run.params) };
  const ofYears = yearsOf(request) / then.years;
  const ofWork = (ofYears * km2) / then.km2;
  const { scenes, bytes } = await published(run, { stores });
  const decoded = run.timings['decoded_pixels'];
  return {
    seconds: took * ofWork,
    took,
    decodedPixels: decoded === undefined || decoded <= 0 ? undefined : decoded,
    ...then,
    // The number of scenes is not proportional to the area, because a larger place rarely needs more scenes.
    scenes: scenes === undefined ? undefined : Math.round(scenes * ofYears),
    bytes: bytes === 0 ? undefined : Math.round(bytes * ofWork),
  };
}

function secondsOf({ startedAt, finishedAt }: Run): number | undefined {
  if (startedAt === null || finishedAt === null) return undefined;
  return (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
}

async function published(
  run: Run,
  { stores }: Ports<'stores'>,
): Promise<{ readonly scenes: number | undefined; readonly bytes: number }> {
  const items = await stores.catalog.itemsOfRun(publisherOf(run));
  const counts = items.map(({ item }) => numberAt(item['properties'], 'headwater:scene_count'));
  const assets = items.flatMap(({ item }) => (isObject(item['assets']) ? Object.values(item['assets']) : []));
  const scenes = Math.max(...counts);
  return {
    scenes: scenes > 0 ? scenes : undefined,
    bytes: assets.reduce((sum: number, asset) => sum + numberAt(asset, 'file:size'), 0),
  };
}

function numberAt(value: unknown, name: string): number {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'number' ? found : 0;
}
