import { fieldError, invalidField, type RegionRequest, type ResolvePorts } from '@headwater/core';
import { resolvePlaceParams } from '@headwater/layer-kit';
import { FIRST_YEAR, lastCompleteYear } from '../series/series.ts';
import type { LulcParams, LulcRequest, LulcRunParams } from './request.ts';

/**
 * Checks a request against existing places and accounts.
 * Throws `not_found` (state, district, tehsil) and `validation` errors (years, account, a tehsil without boundary or with an ambiguous
 * name) that name the field and the remedy. Without micro-watersheds there are rasters and no vector.
 */
export async function resolveLulc(request: LulcRequest, ports: ResolvePorts): Promise<LulcParams> {
  checkYears(request, ports.now());
  const { tehsilId, eoAccountId } = await resolvePlaceParams(request, ports);
  return { tehsilId, startYear: request.startYear, endYear: request.endYear, eoAccountId };
}

/** Resolves the request for a region that was checked before; only its years can be invalid. */
export function resolveRegion(request: RegionRequest, { now }: Pick<ResolvePorts, 'now'>): LulcRunParams {
  checkYears(request, now());
  const [west, south, east, north] = request.region;
  return { region: [west, south, east, north], startYear: request.startYear, endYear: request.endYear };
}

/** Throws `validation` and names the year that is too early, not over yet, or after the other one. */
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
        `hydrological year ${year} (1 July ${year} - 30 June ${year + 1}) is not over yet; the last complete one is ${lastComplete}`,
      );
    }
  }
  if (startYear > endYear) {
    const message = `${startYear} is after endYear ${endYear}; exchange them`;
    throw fieldError('validation', { startYear: [{ rule: 'invalid', message, mentions: ['endYear'] }] });
  }
}
