import { mayHold } from '../media-types.ts';
import { StacError } from '../errors.ts';
import type { Band, Statistics } from '../types.ts';
import type { NumericBandInput, StatisticsInput } from './inputs.ts';
import { filledText } from './links.ts';

/**
 * Builds the `bands` of an asset. Throws `StacError` for a repeated name, a no-data value outside of the data type and
 * contradictory statistics.
 */
export function bandObjects(bands: readonly NumericBandInput[]): Band[] {
  const seen = new Set<string>();
  return bands.map((input) => {
    if (seen.has(input.name)) throw new StacError(`bands: ${JSON.stringify(input.name)} is repeated; keep one`);
    seen.add(input.name);
    return bandObject(input);
  });
}

function bandObject({ name, description, dataType, nodata, unit, statistics }: NumericBandInput): Band {
  const where = `bands[${name}]`;
  if (nodata !== undefined && !mayHold(dataType, nodata))
    throw new StacError(`${where}.nodata: ${String(nodata)} is not a value of ${dataType}; give the pixels' value`);
  return {
    name: filledText(name, 'bands.name'),
    ...(description === undefined ? {} : { description: filledText(description, `${where}.description`) }),
    data_type: dataType,
    ...(nodata === undefined ? {} : { nodata: nodataOf(nodata) }),
    ...(unit === undefined ? {} : { unit: filledText(unit, `${where}.unit`) }),
    ...(statistics === undefined ? {} : { statistics: statisticsOf(statistics, where) }),
  };
}

/** Writes NaN and infinity as the texts `nan`, `inf` and `-inf`, since JSON has no numbers for them. */
function nodataOf(nodata: number): NonNullable<Band['nodata']> {
  if (Number.isNaN(nodata)) return 'nan';
  if (Number.isFinite(nodata)) return nodata;
  return nodata > 0 ? 'inf' : '-inf';
}

function statisticsOf(
  { minimum, maximum, mean, stddev, count, validPercent }: StatisticsInput,
  where: string,
): Statistics {
  const optional = Object.entries({ mean, stddev, count, validPercent }).filter(([, value]) => value !== undefined);
  for (const [key, value] of [...Object.entries({ minimum, maximum }), ...optional]) {
    if (!Number.isFinite(value))
      throw new StacError(
        `${where}.statistics.${key}: ${String(value)} is not a finite number; leave statistics out if no pixel has data`,
      );
  }
  if (minimum > maximum)
    throw new StacError(`${where}.statistics: minimum ${minimum} is above maximum ${maximum}; exchange them`);
  return {
    minimum,
    maximum,
    ...(mean === undefined ? {} : { mean }),
    ...(stddev === undefined ? {} : { stddev }),
    ...(count === undefined ? {} : { count }),
    ...(validPercent === undefined ? {} : { valid_percent: validPercent }),
  };
}
