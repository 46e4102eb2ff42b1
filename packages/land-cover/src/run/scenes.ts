import { DomainError, type PipelineContext, type PipelinePorts, type Scene, type SceneSearch } from '@headwater/core';
import { LULC_BANDS, lulcSeries } from '../series/series.ts';
import type { LulcJob } from './job.ts';

/** Scenes of one hydrological year with its margins. */
export interface YearScenes {
  readonly year: number;
  readonly scenes: readonly Scene[];
  /** Scene id -> why it was left out. */
  readonly skipped: Readonly<Record<string, string>>;
}

/**
 * Finds the scenes of every year of the job in one search. Throws `no_scenes` naming the year when it has none, `input_data` naming band and
 * Item when none of a year's scenes has all bands. Items that are no scenes are logged.
 */
export async function findScenes(
  job: LulcJob,
  ports: Pick<PipelinePorts, 'earthObservation' | 'remedies'>,
  context: Pick<PipelineContext, 'signal' | 'log'>,
): Promise<readonly YearScenes[]> {
  const windows = job.years.map((year) => ({ year, ...lulcSeries(year) }));
  const steps = windows.flatMap((w) => w.steps);
  const [start, end] = [instant(steps[0]?.start), instant(steps.at(-1)?.end)];
  const found = await ports.earthObservation.search({ bbox: job.box, start, end, signal: context.signal });
  for (const { itemHref, reason } of found.rejected.slice(0, MAX_LOGGED))
    context.log(`Left out ${lastPart(itemHref)}: ${reason}`);
  if (found.rejected.length > MAX_LOGGED)
    context.log(`... and ${found.rejected.length - MAX_LOGGED} more Items left out`);
  return windows.map(({ year, steps: yearSteps, core }) => {
    const within = (from: string | undefined, to: string | undefined) => (s: Scene) =>
      s.datetime >= instant(from) && s.datetime < instant(to);
    const all = found.scenes.filter(within(yearSteps[0]?.start, yearSteps.at(-1)?.end));
    const coreScenes = all.filter(within(yearSteps[core[0]]?.start, yearSteps[core[1] - 1]?.end));
    if (coreScenes.length === 0) throw noScenes(year, { ...job, ...ports }, found.rejected);
    return usable(year, all, coreScenes);
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
    : ` ${rejected.length} documents were left out, the first is ${lastPart(first.itemHref)}: ${first.reason}.`;
}

const lastPart = (href: string): string => href.slice(href.lastIndexOf('/') + 1);

function usable(year: number, all: readonly Scene[], core: readonly Scene[]): YearScenes {
  const skipped: Record<string, string> = {};
  for (const scene of all) {
    const lacking = LULC_BANDS.filter((band) => scene.bands[band] === undefined);
    if (lacking.length > 0) skipped[scene.id] = `lacks band ${lacking.join(', ')}`;
  }
  const scenes = all.filter((scene) => skipped[scene.id] === undefined);
  if (!core.some((scene) => skipped[scene.id] === undefined)) {
    const [first] = core;
    throw new DomainError(
      'input_data',
      `No scene of hydrological year ${year} has all bands: Item ${first?.id ?? ''} ${skipped[first?.id ?? ''] ?? ''}. ` +
        `Give scenes with readable GeoTIFF assets ${LULC_BANDS.join(', ')} (or B02 B03 B04 B08 B11 SCL).`,
    );
  }
  return { year, scenes, skipped };
}

type Missing = Pick<LulcJob, 'place'> & Pick<PipelinePorts, 'remedies'>;

const noScenes = (year: number, { place, remedies }: Missing, rejected: SceneSearch['rejected']): DomainError =>
  new DomainError(
    'no_scenes',
    `No Sentinel-2 scene covers ${place.tehsil.name} in hydrological year ${year} (1 July ${year} - 30 June ${year + 1}). ` +
      `${remedies.scenes}${leftOut(rejected)}`,
    { details: { year } },
  );
