import { type ComputedPlace, loadPlace, type PipelineContext, type PipelinePorts } from '@headwater/core';
import { regionPlace } from '@headwater/core/places';
import type { LulcParams, LulcRunParams } from '../request/request.ts';
import type { LulcSettings } from './year-scenes.ts';
import { refuseYearsWithFewScenes } from './too-few-scenes.ts';
import { lastPart, periodOf, readYear, type YearScenes } from './year-scenes.ts';

/** Place and years of a run. Without micro-watersheds the run makes no vector. */
export interface LulcJob extends ComputedPlace {
  /** Hydrological years, ascending. */
  readonly years: readonly number[];
}

/** Reads place and years. Throws the errors of `loadPlace`. */
export async function loadJob(
  params: LulcRunParams,
  ports: Pick<PipelinePorts, 'places' | 'remedies'>,
): Promise<LulcJob> {
  const place = 'region' in params ? await regionPlace(params.region) : await loadPlace(params.tehsilId, ports);
  return { ...place, years: yearsOf(params) };
}

/** Hydrological years, ascending. */
export const yearsOf = ({ startYear, endYear }: Pick<LulcParams, 'startYear' | 'endYear'>): readonly number[] =>
  Array.from({ length: endYear - startYear + 1 }, (_, i) => startYear + i);

/** Ports, context and settings for the search for scenes. */
export interface SearchTools {
  readonly ports: Pick<PipelinePorts, 'earthObservation' | 'remedies'>;
  readonly context: Pick<PipelineContext, 'signal' | 'log' | 'progress'>;
  readonly settings: LulcSettings;
}

/**
 * Finds the scenes of all years in one search, without too cloudy scenes. Throws `no_scenes` or `input_data` for years
 * with too few scenes, before pixels are read.
 */
export async function findScenes(
  job: LulcJob,
  { ports, context, settings }: SearchTools,
): Promise<readonly YearScenes[]> {
  const onWait = (note: string | null, line?: string): void => {
    context.progress('find_scenes', 0, note ?? 'continuing');
    if (line !== undefined) context.log(line);
  };
  const query = { bbox: job.box, ...periodOf(job.years), signal: context.signal, onWait };
  const found = await ports.earthObservation.search(query);
  for (const { itemHref, reason } of found.rejected.slice(0, MAX_LOGGED))
    context.log(`Left out ${lastPart(itemHref)}: ${reason}`);
  if (found.rejected.length > MAX_LOGGED)
    context.log(`... and ${found.rejected.length - MAX_LOGGED} more Items left out`);
  const years = job.years.map((year) => readYear(year, found.scenes, { ...settings, box: job.box }));
  refuseYearsWithFewScenes(years, { ...job, ...ports, ...settings, rejected: found.rejected });
  for (const { year, scenes, skipped, cloudy } of years) {
    const count = scenes.length + Object.keys(skipped).length + cloudy;
    if (cloudy > 0)
      context.log(`${year}: ${cloudy} of ${count} scenes not read, more than ${settings.maxCloudCover} % cloud`);
  }
  return years;
}

const MAX_LOGGED = 20;
