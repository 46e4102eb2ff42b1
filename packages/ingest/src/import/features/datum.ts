import { childOf, plainName, type WktNode } from './wkt.ts';

/**
 * Names of WGS 84, ITRF and ETRS89, also of their realizations and ensembles. All of them are within a metre of WGS 84.
 */
const SAME =
  /^(d)?((wgs|worldgeodeticsystem(of)?)(19)?84|(itrf|internationalterrestrialreferenceframe)(19|20)?\d\d|(etrs|europeanterrestrialreferencesystem)(19)?89)(ensemble|transit|g\d{3,4})?$/;
/**
 * Names of an unknown datum, which is read as WGS 84 if it has the ellipsoid of WGS 84. In ESRI's WKT, GDAL appends
 * the shift to WGS 84 to the name; only a shift of zeros is accepted.
 */
const UNKNOWN = /^(d)?(unknown|notspecified)(basedon((?!using).)*)?(usingtowgs840+)?$/;
const ELLIPSOID = { a: 6_378_137, rf: 298.257_223 } as const;

/** Shift from a datum to WGS 84, for proj4. */
export interface DatumShift {
  /** Name of the datum in the file. */
  readonly name: string;
  /**
   * Options of proj4: the ellipsoid (semi-major axis in m, inverse flattening), and the parameters to WGS 84 (m,
   * seconds of arc, ppm; position vector).
   */
  readonly parameters: string;
}

/**
 * Datum of a geographic CRS: `'wgs84'` for a datum that is read as WGS 84, or a shift with parameters; undefined
 * for other datums.
 */
export function datumOf(geographic: WktNode): 'wgs84' | DatumShift | undefined {
  const datum = childOf(geographic, 'DATUM', 'GEODETICDATUM', 'TRF', 'ENSEMBLE');
  const name = datum?.values[0] ?? (geographic.values[0] ?? '').replace(/^GCS_/i, '');
  const [, a, rf] = (childOf(datum, 'SPHEROID', 'ELLIPSOID')?.values ?? []).map(Number);
  const hasEllipsoid = a !== undefined && rf !== undefined;
  // An EXTENSION names a grid file, which is not read. Without it the positions would be wrong, so the datum is not
  // supported.
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
