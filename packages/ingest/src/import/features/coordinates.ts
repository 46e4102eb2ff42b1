import { fromUtm, utmZone } from '@headwater/core';
import { BadPlaceFile } from '../../places/bad-place-file.ts';

/** A position of a file -> longitude, latitude on WGS 84, degrees. */
export type ToLonLat = (x: number, y: number) => readonly [number, number];

const SAME: ToLonLat = (x, y) => [x, y];
const WGS84 = /WGS[ _]?(19)?84/i;
const UTM = /^\s*PROJ(?:CS|CRS)\s*\[\s*"WGS[ _]?(?:19)?84[ _/]+UTM[ _]zone[ _](\d{1,2})([NS])"/i;

/** How positions of an EPSG code become longitude and latitude; undefined for a CRS that this reads by its definition, or not at all. */
export function lonLatOfEpsg(code: number): ToLonLat | undefined {
  if (code === 4326) return SAME;
  const zone = utmZone(`EPSG:${code}`);
  return zone === undefined ? undefined : (x, y) => fromUtm(zone, x, y);
}

/** The same by the definition (WKT) of a CRS: WGS 84 in degrees or in a UTM zone. Throws `BadPlaceFile` for any other. */
export function lonLatOfWkt(wkt: string, file: string): ToLonLat {
  if (/^\s*GEOG(CS|CRS)/i.test(wkt) && WGS84.test(wkt)) return SAME;
  const [, zone, side] = UTM.exec(wkt) ?? [];
  const code = `${side?.toUpperCase() === 'S' ? 327 : 326}${zone?.padStart(2, '0') ?? ''}`;
  const read = zone === undefined ? undefined : lonLatOfEpsg(Number(code));
  if (read !== undefined) return read;
  const name = /"([^"]{0,60})/.exec(wkt)?.[1] ?? 'not named';
  throw new BadPlaceFile(
    `its CRS is "${name}"; longitude/latitude on WGS 84 and its UTM zones are read: ogr2ogr -t_srs EPSG:4326 out.gpkg ${file}`,
  );
}
