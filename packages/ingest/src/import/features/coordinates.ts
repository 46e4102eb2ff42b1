import { fromUtm, utmZone } from '@headwater/core/geo';
import proj4 from 'proj4';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { datumOf } from './datum.ts';
import { hasPlainDirections, metresOf, otherAngleUnit, projectionOf } from './projection.ts';
import { childOf, parseWkt, type WktNode } from './wkt.ts';

/** Converts a position of a file to longitude and latitude on WGS 84, degrees. */
export type ToLonLat = (x: number, y: number) => readonly [number, number];

/** Conversion of a file's positions. The input order is always east, north. */
export interface FilePositions {
  readonly toLonLat: ToLonLat;
  /** Name of the original datum, if it differs from WGS 84. */
  readonly movedFrom?: string;
  /** True if the file names no CRS, so that WGS 84 is assumed. */
  readonly isAssumed?: boolean;
}

const SAME: ToLonLat = (x, y) => [x, y];
const IN_DEGREES: FilePositions = { toLonLat: SAME };
/** Positions of a file without CRS, read as longitude and latitude. The readers check their range. */
export const UNNAMED: FilePositions = { toLonLat: SAME, isAssumed: true };
const WGS84 = '+proj=longlat +datum=WGS84 +no_defs';
const UTM = /^WGS[ _]?(?:19)?84[ _/]+UTM[ _]zone[ _](\d{1,2})([NS])$/i;
const GEOGRAPHIC = ['GEOGCS', 'GEOGCRS', 'GEOGRAPHICCRS', 'GEODCRS', 'GEODETICCRS', 'BASEGEOGCRS', 'BASEGEODCRS'];
const PROJECTED = ['PROJCS', 'PROJCRS', 'PROJECTEDCRS'];

/** Conversion for the EPSG code of WGS 84 or of a UTM zone on WGS 84; undefined for other codes. */
export function lonLatOfEpsg(code: number): ToLonLat | undefined {
  // EPSG:4979 is WGS 84 with heights, which are dropped.
  if (code === 4326 || code === 4979) return SAME;
  const zone = utmZone(`EPSG:${code}`);
  return zone === undefined ? undefined : (x, y) => fromUtm(zone, x, y);
}

/**
 * Conversion for a WKT definition in degrees or in a projection of `projection.ts`. Its datum must be WGS
 * 84, or have parameters to WGS 84. Throws `BadPlaceFile` for other CRSs.
 */
export function lonLatOfWkt(wkt: string, file: string): FilePositions {
  const root = parseWkt(wkt);
  // The first child of a compound CRS is horizontal; the vertical CRS is ignored.
  const crs = childOf(root, ...GEOGRAPHIC, ...PROJECTED);
  const horizontal = root !== undefined && /^COMP(D_CS|OUNDCRS)$/.test(root.keyword) ? crs : root;
  const read = horizontal === undefined ? undefined : positionsOf(horizontal, file);
  if (read !== undefined) return read;
  throw notRead(
    `its CRS is ${named(horizontal)}; supported are degrees and common projections, on WGS 84 or with parameters to WGS 84 in the file`,
    file,
  );
}

/** Sentences for the report if the datum was converted, or if WGS 84 was assumed; otherwise empty. */
export function positionNotes({ movedFrom, isAssumed = false }: FilePositions): readonly string[] {
  const remedy = 'if they are on another datum, write the file again with its CRS';
  if (isAssumed) return [`The file names no CRS, so all positions are assumed to be on WGS 84; ${remedy}`];
  if (movedFrom === undefined) return [];
  const datum = JSON.stringify(movedFrom.slice(0, 60));
  return [`All positions are converted from the datum ${datum} to WGS 84 by the parameters in the file`];
}

const named = (node: WktNode | undefined): string => `"${(node?.values[0] ?? 'not named').slice(0, 60)}"`;

const notRead = (what: string, file: string): BadPlaceFile =>
  new BadPlaceFile(`${what}; convert the file: ogr2ogr -t_srs EPSG:4326 out.gpkg ${file}`);

function positionsOf(crs: WktNode, file: string): FilePositions | undefined {
  const isProjected = PROJECTED.includes(crs.keyword);
  const geographic = isProjected ? childOf(crs, ...GEOGRAPHIC) : crs;
  const isGeocentric = childOf(geographic, 'CS')?.values[0]?.toLowerCase() === 'cartesian';
  if (geographic === undefined) return positionsBy(utmOfName(crs));
  if (!GEOGRAPHIC.includes(geographic.keyword) || isGeocentric) return undefined;
  if (!hasPlainDirections(geographic) || childOf(crs, 'EXTENSION') !== undefined) return undefined;
  const unit = otherAngleUnit(crs, geographic);
  if (unit !== undefined)
    throw notRead(`its CRS is ${named(crs)} in the unit ${named(unit)}; angles must be in degrees`, file);
  const datum = datumOf(geographic);
  if (datum === undefined) {
    const datumName = named(childOf(geographic, 'DATUM', 'GEODETICDATUM', 'TRF', 'ENSEMBLE') ?? geographic);
    throw notRead(
      `its CRS is ${named(crs)} on the datum ${datumName}, and the file has no parameters from this datum to WGS 84`,
      file,
    );
  }
  const projection = isProjected ? projectionOf(crs) : '+proj=longlat';
  if (datum !== 'wgs84') return positionsBy(byProj4(projection, datum.parameters), datum.name);
  return isProjected ? positionsBy(utmOfName(crs) ?? byProj4(projection, '+datum=WGS84')) : IN_DEGREES;
}

const positionsBy = (toLonLat: ToLonLat | undefined, movedFrom?: string): FilePositions | undefined =>
  toLonLat && { toLonLat, ...(movedFrom === undefined ? {} : { movedFrom }) };

/** Conversion for the UTM zone in the name of the CRS, because some definitions contain only a name. */
function utmOfName(crs: WktNode): ToLonLat | undefined {
  const [, zone, side] = UTM.exec(crs.values[0] ?? '') ?? [];
  if (zone === undefined || (metresOf(crs) ?? 1) !== 1) return undefined;
  return lonLatOfEpsg(Number(`${side?.toUpperCase() === 'S' ? 327 : 326}${zone.padStart(2, '0')}`));
}

function byProj4(projection: string | undefined, datum: string): ToLonLat | undefined {
  if (projection === undefined) return undefined;
  try {
    const { forward } = proj4(`${projection} ${datum} +no_defs`, WGS84);
    return (x, y) => {
      if (!Number.isFinite(x) || !Number.isFinite(y)) return [Number.NaN, Number.NaN];
      const [lon = Number.NaN, lat = Number.NaN] = forward([x, y]);
      return [lon, lat];
    };
  } catch {
    return undefined;
  }
}
