import { countOf, DomainError, type PipelinePorts, type Scene } from '@headwater/core';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';

/** What a year has to have for a pixel to get a class. */
const NEEDED = `clear observations in at least ${T.minClearSteps} different 16-day steps`;

/** Failure of a year in which no pixel was observed well enough: what was found, what is needed, what to do. */
export function cloudyYear(
  year: number,
  scenes: readonly Scene[],
  { remedies }: Pick<PipelinePorts, 'remedies'>,
): DomainError {
  const dates = new Set(scenes.map(({ datetime }) => datetime.slice(0, 10))).size;
  const found = `${countOf(scenes.length, 'scene')} ${scenes.length === 1 ? 'was' : 'were'} found, on ${countOf(dates, 'date')}`;
  return new DomainError(
    'no_scenes',
    `Hydrological year ${year}: ${found}; no pixel has ${NEEDED}, free of cloud, shadow and missing data. ${remedies.scenes}`,
    { details: { year } },
  );
}

/** Failure of a year whose scenes all tell more cloud than is read; `scenes` of them. */
export function onlyClouds(
  year: number,
  scenes: number,
  { remedies, maxCloudCover }: Pick<PipelinePorts, 'remedies'> & { readonly maxCloudCover: number },
): DomainError {
  const all = scenes === 1 ? 'The only scene' : `All ${countOf(scenes, 'scene')}`;
  return new DomainError(
    'no_scenes',
    `${all} of hydrological year ${year} ${scenes === 1 ? 'has' : 'have'} more than ${maxCloudCover} % cloud (eo:cloud_cover); ` +
      `a pixel needs ${NEEDED}. Allow more cloud where the service is composed, or bring others. ${remedies.scenes}`,
    { details: { year } },
  );
}
