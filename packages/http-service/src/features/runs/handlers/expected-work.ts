import type { AnyPipeline, Run } from '@headwater/core';
import { sphericalAreaHa } from '@headwater/core/geo';
import { isObject } from '@headwater/core/values';
import type { Ports } from '../../../deps.ts';
import { publisherOf } from './run-body.ts';

/** Expected work of a run, by the newest run of the layer. */
export interface ExpectedWork {
  readonly seconds: number;
  /** Scenes to read; undefined for a layer without scenes. */
  readonly scenes: number | undefined;
  /** Size of the published files. */
  readonly bytes: number | undefined;
  /** Seconds, area and years of the newest run. */
  readonly took: number;
  readonly km2: number;
  readonly years: number;
  /** Pixels that a second of the newest run decoded; undefined if that is unknown. */
  readonly pixelsPerSecond: number | undefined;
}

/** A request that was checked. */
export interface CheckedRequest {
  readonly pipeline: AnyPipeline;
  /** Area of its place. */
  readonly km2: number;
  readonly request: Readonly<Record<string, unknown>>;
}

const yearsOf = ({ startYear, endYear }: Readonly<Record<string, unknown>>): number =>
  typeof startYear === 'number' && typeof endYear === 'number' ? Math.max(1, endYear - startYear + 1) : 1;

/** Estimates the work of a request from the newest successful run of the layer; undefined if there is none. */
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
    pixelsPerSecond: decoded === undefined || decoded <= 0 || took <= 0 ? undefined : decoded / took,
    ...then,
    // A larger place rarely needs more scenes.
    scenes: scenes === undefined ? undefined : Math.round(scenes * ofYears),
    bytes: bytes === 0 ? undefined : Math.round(bytes * ofWork),
  };
}

function secondsOf({ startedAt, finishedAt }: Run): number | undefined {
  if (startedAt === null || finishedAt === null) return undefined;
  return (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
}

/** Scenes that a run read, undefined if it read none, and bytes that it published. */
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
