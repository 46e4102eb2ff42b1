import { childOf, plainName, type WktNode } from './wkt.ts';

/** Normalised names of datums that differ from WGS 84 by less than a metre: realizations and ensembles of WGS 84, ITRF and ETRS89. */
const SAME =
  /^(d)?((wgs|worldgeodeticsystem(of)?)(19)?84|(itrf|internationalterrestrialreferenceframe)(19|20)?\d\d|(etrs|europeanterrestrialreferencesystem)(19)?89)(ensemble|transit|g\d{3,4})?$/;
/**
 * Names that programs write if only the ellipsoid is known. A datum with such a name and the ellipsoid of WGS 84 is
 * read as WGS 84. In ESRI's WKT, GDAL adds the shift to the name; the pattern matches such a name only if all numbers
 * of the shift are 0.
 */
const UNKNOWN = /^(d)?(unknown|notspecified)(basedon((?!using).)*)?(usingtowgs840+)?$/;
const ELLIPSOID = { a: 6_378_137, rf: 298.257_223 } as const;

/** The shift from a datum to WGS 84, in the notation of proj4. */
export interface DatumShift {
  /** Name of the datum in the file. */
  readonly name: string;
  /** Semi-major axis (m), inverse flattening, and parameters to WGS 84 (m, seconds of arc, ppm; position vector). */
  readonly parameters: string;
}

/**
 * The datum of a geographic CRS: `'wgs84'` for WGS 84 and datums within a metre of it, the shift if the file contains its parameters,
 * and undefined for any other datum.
 */
export function datumOf(geographic: WktNode): 'wgs84' | DatumShift | undefined {
  const datum = childOf(geographic, 'DATUM', 'GEODETICDATUM', 'TRF', 'ENSEMBLE');
  const name = datum?.values[0] ?? (geographic.values[0] ?? '').replace(/^GCS_/i, '');
  const [, a, rf] = (childOf(datum, 'SPHEROID', 'ELLIPSOID')?.values ?? []).map(Number);
  const hasEllipsoid = a !== undefined && rf !== undefined;
  // An EXTENSION names a grid file. Grid files are not supported, and the parameters alone would give wrong positions.
  // So such a datum is not read.
  if (childOf(datum, 'EXTENSION') !== undefined) return undefined;
  const shift = childOf(datum, 'TOWGS84')?.values.map(Number);
  const isOnWgs84 = hasEllipsoid && Math.abs(a - ELLIPSOID.a) < 0.5 && Math.abs(rf - ELLIPSOID.rf) < 1e-4;
  if (shift !== undefined) {
    if (!hasEllipsoid || ![3, 7].includes(shift.length) || ![a, rf, ...shift].every(Number.isFinite)) return undefined;
    if (isOnWgs84 && shift.every((value) => value === 0)) return 'wgs84';
    const figure = rf === 0 ? `+b=${a}` : `+rf=${rf}`;
    return { name, parameters: `+a=${a} ${figure} +towgs84=${shift.join(',')}` };
  }
  const plain = plainName(name);
  return (SAME.test(plain) && (isOnWgs84 || !hasEllipsoid)) || (UNKNOWN.test(plain) && isOnWgs84) ? 'wgs84' : undefined;
}
