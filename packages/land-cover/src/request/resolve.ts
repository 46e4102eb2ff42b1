import { fieldError, invalidField, type RegionRequest, type ResolvePorts } from '@headwater/core';
import { resolvePlaceParams } from '@headwater/layer-kit';
import { FIRST_YEAR, lastCompleteYear } from '../series/series.ts';
import type { LulcParams, LulcRequest, LulcRunParams } from './request.ts';

/**
 * Checks a request against places and accounts. Throws `not_found` (state, district, tehsil) or `validation` (years,
 * account, missing boundary, ambiguous name), with field and remedy.
 */
export async function resolveLulc(request: LulcRequest, ports: ResolvePorts): Promise<LulcParams> {
  checkYears(request, ports.now());
  const { tehsilId, eoAccountId } = await resolvePlaceParams(request, ports);
  return { tehsilId, startYear: request.startYear, endYear: request.endYear, eoAccountId };
}

/** Resolves a request for a region. Checks only the years, because the rest was already checked. */
export function resolveRegion(request: RegionRequest, { now }: Pick<ResolvePorts, 'now'>): LulcRunParams {
  checkYears(request, now());
  const [west, south, east, north] = request.region;
  return { region: [west, south, east, north], startYear: request.startYear, endYear: request.endYear };
}

/** Throws `validation` with the year if a year is too early or has not ended, or if the years are reversed. */
export function checkYears({ startYear, endYear }: Pick<LulcRequest, 'startYear' | 'endYear'>, now: Date): void {
  const lastComplete = lastCompleteYear(now);
  for (const [field, year] of [
    ['startYear', startYear],
    ['endYear', endYear],
  ] as const) {
    if (year < FIRST_YEAR)
      throw invalidField(field, `${year} is too early; Sentinel-2 covers hydrological years from ${FIRST_YEAR} on`);
    if (year > lastComplete) {
      throw invalidField(
        field,
        `hydrological year ${year} (1 July ${year} - 30 June ${year + 1}) is not over yet; the last complete year is ${lastComplete}`,
      );
    }
  }
  if (startYear > endYear) {
    const message = `${startYear} is after endYear ${endYear}; exchange them`;
    throw fieldError('validation', { startYear: [{ rule: 'invalid', message, mentions: ['endYear'] }] });
  }
}
