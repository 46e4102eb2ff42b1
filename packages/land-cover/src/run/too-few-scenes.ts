import { type ComputedPlace, DomainError, type PipelinePorts, type Scene, type SceneSearch } from '@headwater/core';
import { placeText } from '@headwater/core/places';
import { countOf } from '@headwater/core/values';
import { LULC_BANDS } from '../series/series.ts';
import type { LulcSettings } from './year-scenes.ts';
import { isThin, lastPart, NEEDED, type YearReading } from './year-scenes.ts';

/** Requirement for a pixel to get a class. */
const NEEDS = `clear observations in at least ${NEEDED.steps} different 16-day steps`;

/** Requirement for a run to read a year. */
export const YEAR_NEEDS = `A year needs scenes in ${NEEDED.steps} or more steps of 16 days, and the last step must be at least ${NEEDED.span - 1} steps after the first.`;

/** Text such as `4 steps of 16 days, of which the last is 3 steps after the first`. */
export function stepsText({ steps, span }: Pick<YearReading['core'], 'steps' | 'span'>): string {
  const distance = steps > 1 ? `, of which the last is ${countOf(span - 1, 'step')} after the first` : '';
  return `${countOf(steps, 'step')} of 16 days${distance}`;
}

/** Error for a year in which no pixel has enough observations, with the requirement and the remedy. */
export function cloudyYear(
  year: number,
  scenes: readonly Scene[],
  { remedies }: Pick<PipelinePorts, 'remedies'>,
): DomainError {
  const dates = new Set(scenes.map(({ datetime }) => datetime.slice(0, 10))).size;
  const found = `${countOf(scenes.length, 'scene')} ${scenes.length === 1 ? 'was' : 'were'} found, on ${countOf(dates, 'date')}`;
  return new DomainError(
    'no_scenes',
    `Hydrological year ${year}: ${found}; no pixel has ${NEEDS}, free of cloud, shadow and missing data. ${remedies.scenes}`,
    { details: { year } },
  );
}

interface RefusalContext
  extends LulcSettings, Pick<PipelinePorts, 'remedies'>, Pick<ComputedPlace, 'place' | 'region'> {
  readonly rejected: SceneSearch['rejected'];
}

/**
 * Throws one error for all years with too few scenes (`isThin`). The code is `input_data` if a year has faulty Items
 * and no readable Item, otherwise `no_scenes`.
 */
export function refuseYearsWithFewScenes(years: readonly YearReading[], context: RefusalContext): void {
  const yearsWithFewScenes = years.filter(isThin);
  const [first] = yearsWithFewScenes;
  if (first === undefined) return;
  const isFaulty = yearsWithFewScenes.some(hasOnlyFaults);
  const bands = `Give scenes with readable GeoTIFF assets ${LULC_BANDS.join(', ')} (or B02 B03 B04 B08 B11 SCL).`;
  const remedies = [
    ...(isFaulty ? [bands] : []),
    ...(yearsWithFewScenes.some(hasOnlyClouds)
      ? ['Raise the limit of cloud cover in the configuration of the service, or provide other scenes.']
      : []),
    ...(yearsWithFewScenes.every(hasOnlyFaults) ? [] : [context.remedies.scenes]),
  ];
  const sentences = [
    ...yearsWithFewScenes.map((year) => sentence(year, context)),
    ...(yearsWithFewScenes.every(hasOnlyFaults) ? [] : [YEAR_NEEDS]),
    ...remedies,
    ...leftOut(context.rejected),
  ];
  const details = { year: first.year, years: yearsWithFewScenes.map(({ year }) => year) };
  throw new DomainError(isFaulty ? 'input_data' : 'no_scenes', sentences.join(' '), { details });
}

const hasOnlyClouds = ({ core }: YearReading): boolean => core.found > 0 && core.cloudy === core.found;

const hasOnlyFaults = ({ core }: YearReading): boolean => core.firstFault !== undefined && core.read === 0;

function sentence(reading: YearReading, { maxCloudCover, ...where }: RefusalContext): string {
  const { year, core } = reading;
  if (core.found === 0)
    return `No Sentinel-2 scene covers ${placeText(where)} in hydrological year ${year} (1 July ${year} - 30 June ${year + 1}).`;
  const cloud = `more than ${maxCloudCover} % cloud (eo:cloud_cover)`;
  if (hasOnlyClouds(reading))
    return core.found === 1
      ? `The only scene of hydrological year ${year} has ${cloud}.`
      : `All ${countOf(core.found, 'scene')} of hydrological year ${year} have ${cloud}.`;
  const fault = core.firstFault === undefined ? '' : `Item ${core.firstFault.id}: ${core.firstFault.reason}`;
  if (hasOnlyFaults(reading)) return `No scene of hydrological year ${year} can be used: ${fault}.`;
  const others = [
    ...(core.cloudy > 0 ? [`${core.cloudy} more with ${cloud}`] : []),
    ...(fault === ''
      ? []
      : [`${core.found - core.cloudy - core.read} more that cannot be used, the first is ${fault}`]),
  ];
  const excluded = others.length === 0 ? '' : ` (not counting ${others.join(' and ')})`;
  return (
    `Hydrological year ${year} has ${countOf(core.read, 'scene')} to read, on ${countOf(core.dates, 'date')} ` +
    `in ${stepsText(core)}${excluded}.`
  );
}

function leftOut(rejected: SceneSearch['rejected']): readonly string[] {
  const [first] = rejected;
  if (first === undefined) return [];
  const documents = rejected.length === 1 ? '1 document was' : `${rejected.length} documents were`;
  return [`${documents} left out, the first is ${lastPart(first.itemHref)}: ${first.reason}.`];
}
