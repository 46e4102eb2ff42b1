import { fieldError, invalidField, type RegionRequest, type ResolvePorts } from '@headwater/core';
import { resolvePlaceParams } from '@headwater/layer-kit';
import { FIRST_YEAR, lastCompleteYear } from '../series/series.ts';
import type { LulcParams, LulcRequest, LulcRunParams } from './request.ts';

/**
 * Checks a request against existing places and accounts. Throws errors that name the field and the remedy: `not_found` (state, district,
 * tehsil) and `validation` (years, account, a tehsil without boundary or with an ambiguous name). A tehsil without micro-watersheds is
 * accepted; the run of such a tehsil publishes rasters, but no vector.
 */
export async function resolveLulc(request: LulcRequest, ports: ResolvePorts): Promise<LulcParams> {
  checkYears(request, ports.now());
  const { tehsilId, eoAccountId } = await resolvePlaceParams(request, ports);
  return { tehsilId, startYear: request.startYear, endYear: request.endYear, eoAccountId };
}

/** Resolves a request for a region. The region was already checked, so only the years are checked here. */
export function resolveRegion(request: RegionRequest, { now }: Pick<ResolvePorts, 'now'>): LulcRunParams {
  checkYears(request, now());
  const [west, south, east, north] = request.region;
  return { region: [west, south, east, north], startYear: request.startYear, endYear: request.endYear };
}

/** Throws `validation` that names the year if a year is too early or has not ended, or if `startYear` is after `endYear`. */
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
