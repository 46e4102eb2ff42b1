import { invalidField, type DomainError } from '../../errors.ts';
import { findPlace } from '../../places/find-place.ts';
import type { Place } from '../../ports/places.ts';
import { hydroYearStart } from '../lulc-series.ts';
import type { LulcParams, ResolvePorts } from '../pipeline.ts';
import type { LulcRequest } from './lulc-request.ts';

/** First hydrological year with Sentinel-2 data from both seasons. */
const FIRST_YEAR = 2016;

/**
 * Checks a request against what exists. Throws `not_found` (state, district, block) and `validation` (years, account, a tehsil without
 * boundary or micro-watersheds) errors that name the wire field and the remedy.
 */
export async function resolveLulc(request: LulcRequest, ports: ResolvePorts): Promise<LulcParams> {
  checkYears(request, ports.now());
  await checkAccount(request.eoAccountId, ports);
  const place = await findPlace(ports.places, { ...request, tehsil: request.block });
  const { tehsil } = place;
  if (tehsil.geometry === null) throw missing(place, 'boundary');
  if ((await ports.places.mwsOf(tehsil.id)).length === 0) throw missing(place, 'micro-watershed (MWS) polygons');
  return {
    tehsilId: tehsil.id,
    startYear: request.startYear,
    endYear: request.endYear,
    eoAccountId: request.eoAccountId,
  };
}

function checkYears({ startYear, endYear }: LulcRequest, now: Date): void {
  const lastComplete =
    now.getTime() >= hydroYearStart(now.getUTCFullYear()) ? now.getUTCFullYear() - 1 : now.getUTCFullYear() - 2;
  for (const [field, year] of [
    ['start_year', startYear],
    ['end_year', endYear],
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
  if (startYear > endYear) throw invalidField('start_year', `${startYear} is after end_year ${endYear}; exchange them`);
}

async function checkAccount(id: number, { eoAccounts }: ResolvePorts): Promise<void> {
  const account = await eoAccounts.byId(id);
  if (account === undefined || !account.isVisible) {
    throw invalidField(
      'eo_account_id',
      `account ${id} does not exist; GET /api/v1/eoaccounts/ lists those you may name`,
    );
  }
}

const missing = ({ tehsil }: Place, what: string): DomainError =>
  invalidField(
    'block',
    `${tehsil.name} has no ${what}; put them into DATA_DIR/places as GeoJSON (layout in the documentation) and restart`,
  );
