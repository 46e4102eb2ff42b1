import {
  DomainError,
  type PipelineContext,
  type PipelinePorts,
  publicAddress,
  type Scene,
  type SceneSearch,
} from '@headwater/core';
import { LULC_BANDS, lulcSeries } from '../series/series.ts';
import type { LulcJob } from './job.ts';
import type { LulcSettings } from './settings.ts';
import { onlyClouds } from './too-few-scenes.ts';

/** Scenes of one hydrological year with its margins. */
export interface YearScenes {
  readonly year: number;
  readonly scenes: readonly Scene[];
  /** Scenes that were not taken because their Item tells too much cloud. */
  readonly cloudy: number;
  /** Scene id -> why it was left out. */
  readonly skipped: Readonly<Record<string, string>>;
}

/** What the search for scenes uses. */
export interface SearchTools {
  readonly ports: Pick<PipelinePorts, 'earthObservation' | 'remedies'>;
  readonly context: Pick<PipelineContext, 'signal' | 'log' | 'progress'>;
  readonly settings: LulcSettings;
}

/**
 * Finds the scenes of every year of the job in one search, without those that their Items call hopelessly cloudy. Throws `no_scenes` naming
 * the year when it has none, `input_data` naming band and Item when none of a year's scenes can be used. Items that are no scenes are logged.
 */
export async function findScenes(
  job: LulcJob,
  { ports, context, settings }: SearchTools,
): Promise<readonly YearScenes[]> {
  const windows = job.years.map((year) => ({ year, ...lulcSeries(year) }));
  const steps = windows.flatMap((w) => w.steps);
  const [start, end] = [instant(steps[0]?.start), instant(steps.at(-1)?.end)];
  const onWait = (note: string | null): void => context.progress('find_scenes', 0, note ?? 'going on');
  const found = await ports.earthObservation.search({ bbox: job.box, start, end, signal: context.signal, onWait });
  for (const { itemHref, reason } of found.rejected.slice(0, MAX_LOGGED))
    context.log(`Left out ${lastPart(itemHref)}: ${reason}`);
  if (found.rejected.length > MAX_LOGGED)
    context.log(`... and ${found.rejected.length - MAX_LOGGED} more Items left out`);
  return windows.map(({ year, steps: yearSteps, core }) => {
    const within = (from: string | undefined, to: string | undefined) => (s: Scene) =>
      s.datetime >= instant(from) && s.datetime < instant(to);
    const all = found.scenes.filter(within(yearSteps[0]?.start, yearSteps.at(-1)?.end));
    const inCore = within(yearSteps[core[0]]?.start, yearSteps[core[1] - 1]?.end);
    if (!all.some(inCore)) throw noScenes(year, { ...job, ...ports }, found.rejected);
    const kept = all.filter(({ cloudCover }) => cloudCover === undefined || cloudCover <= settings.maxCloudCover);
    const coreScenes = kept.filter(inCore);
    if (coreScenes.length === 0) throw onlyClouds(year, all.filter(inCore).length, { ...ports, ...settings });
    const cloudy = all.length - kept.length;
    if (cloudy > 0)
      context.log(`${year}: ${cloudy} of ${all.length} scenes not read, more than ${settings.maxCloudCover} % cloud`);
    return { ...usable(year, kept, coreScenes), cloudy };
  });
}

/** Lines about single Items in one log. */
const MAX_LOGGED = 20;

const instant = (date: string | undefined): string => `${date ?? ''}T00:00:00.000Z`;

/** Why Items were left out, for an error: the first of them. */
function leftOut(rejected: SceneSearch['rejected']): string {
  const [first] = rejected;
  return first === undefined
    ? ''
    : ` ${rejected.length === 1 ? '1 document was' : `${rejected.length} documents were`} left out, the first is ${lastPart(first.itemHref)}: ${first.reason}.`;
}

function lastPart(itemHref: string): string {
  const href = publicAddress(itemHref);
  return href.slice(href.lastIndexOf('/') + 1);
}

/** Reflectance that is 0.1 too high or too low makes another index, and so another class: no value is better than a guess. */
const OFFSET_UNKNOWN =
  'it does not say whether the offset of 1000 that products since 25 January 2022 carry is still in its values; ' +
  'add s2:processing_baseline or raster:offset to the Item';

function usable(year: number, all: readonly Scene[], core: readonly Scene[]): Omit<YearScenes, 'cloudy'> {
  // A map, since an id may be `constructor`.
  const skipped = new Map<string, string>();
  for (const scene of all) {
    const lacking = LULC_BANDS.filter((band) => scene.bands[band] === undefined);
    if (lacking.length > 0) skipped.set(scene.id, `lacks band ${lacking.join(', ')}`);
    else if (scene.offsetUnknown === true) skipped.set(scene.id, OFFSET_UNKNOWN);
  }
  const scenes = all.filter(({ id }) => !skipped.has(id));
  if (core.every(({ id }) => skipped.has(id))) {
    const [first] = core;
    throw new DomainError(
      'input_data',
      `No scene of hydrological year ${year} can be used: Item ${first?.id ?? ''}: ${skipped.get(first?.id ?? '') ?? ''}. ` +
        `Give scenes with readable GeoTIFF assets ${LULC_BANDS.join(', ')} (or B02 B03 B04 B08 B11 SCL).`,
    );
  }
  return { year, scenes, skipped: Object.fromEntries(skipped) };
}

type Missing = Pick<LulcJob, 'place'> & Pick<PipelinePorts, 'remedies'>;

const noScenes = (year: number, { place, remedies }: Missing, rejected: SceneSearch['rejected']): DomainError =>
  new DomainError(
    'no_scenes',
    `No Sentinel-2 scene covers ${place.tehsil.name} in hydrological year ${year} (1 July ${year} - 30 June ${year + 1}). ` +
      `${remedies.scenes}${leftOut(rejected)}`,
    { details: { year } },
  );
