import { childOf, plainName, type WktNode } from './wkt.ts';

/** Methods that are read, by the plain names of both kinds of WKT; GDAL gives the same positions for each of them (`coordinates.peers.test.ts`). */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['transversemercator', 'tmerc'],
  ['lambertconformalconic', 'lcc'],
  ['lambertconformalconic1sp', 'lcc'],
  ['lambertconformalconic2sp', 'lcc'],
  ['lambertconicconformal1sp', 'lcc'],
  ['lambertconicconformal2sp', 'lcc'],
  ['albers', 'aea'],
  ['albersconicequalarea', 'aea'],
  ['albersequalarea', 'aea'],
  ['polyconic', 'poly'],
  ['americanpolyconic', 'poly'],
]);

const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['latitudeoforigin', 'lat_0'],
  ['latitudeofnaturalorigin', 'lat_0'],
  ['latitudeoffalseorigin', 'lat_0'],
  ['latitudeofcenter', 'lat_0'],
  ['centralmeridian', 'lon_0'],
  ['longitudeofnaturalorigin', 'lon_0'],
  ['longitudeoffalseorigin', 'lon_0'],
  ['longitudeofcenter', 'lon_0'],
  ['scalefactor', 'k_0'],
  ['scalefactoratnaturalorigin', 'k_0'],
  ['falseeasting', 'x_0'],
  ['eastingatfalseorigin', 'x_0'],
  ['falsenorthing', 'y_0'],
  ['northingatfalseorigin', 'y_0'],
  ['standardparallel1', 'lat_1'],
  ['latitudeof1ststandardparallel', 'lat_1'],
  ['standardparallel2', 'lat_2'],
  ['latitudeof2ndstandardparallel', 'lat_2'],
]);

/** Radians in a degree, as WKT writes it. */
const DEGREE = 0.017_453_292_519_943_3;

/** True for a geographic CRS in degrees east and north of Greenwich. */
export function isPlainDegrees(geographic: WktNode): boolean {
  const meridian = Number(childOf(geographic, 'PRIMEM', 'PRIMEMERIDIAN')?.values[1] ?? '0');
  const angle = unitOf(geographic, 'ANGLEUNIT') ?? DEGREE;
  return meridian === 0 && Math.abs(angle - DEGREE) < 1e-9 && hasPlainAxes(geographic);
}

/** The projection of a projected CRS as proj4 writes it, without its datum; undefined for one that is not read. */
export function projectionOf(projected: WktNode): string | undefined {
  // WKT 2 has the method and its parameters in a node of their own.
  const conversion = childOf(projected, 'CONVERSION') ?? projected;
  const method = METHODS.get(plainName(childOf(conversion, 'PROJECTION', 'METHOD')?.values[0] ?? ''));
  const metres = metresOf(projected);
  if (method === undefined || metres === undefined || !hasPlainAxes(projected)) return undefined;
  const values = new Map<string, number>();
  for (const node of conversion.children.filter(({ keyword }) => keyword === 'PARAMETER')) {
    const key = PARAMETERS.get(plainName(node.values[0] ?? ''));
    const value = Number(node.values[1]);
    if (key === undefined || !Number.isFinite(value)) return undefined;
    if (!key.endsWith('_0') || key.startsWith('l')) {
      if (Math.abs((unitOf(node, 'ANGLEUNIT') ?? DEGREE) - DEGREE) > 1e-9) return undefined;
      values.set(key, value);
    } else values.set(key, key === 'k_0' ? value : value * (unitOf(node, 'LENGTHUNIT') ?? metres));
  }
  // Of one standard parallel, WKT names the latitude of origin alone.
  const parallel = values.get('lat_0');
  if (method === 'lcc' && !values.has('lat_1') && parallel !== undefined) values.set('lat_1', parallel);
  return `+proj=${method} ${[...values].map(([key, value]) => `+${key}=${value}`).join(' ')} +to_meter=${metres}`;
}

/** Metres in the unit of a projected CRS; undefined where it names none. */
export function metresOf(projected: WktNode): number | undefined {
  const metres = unitOf(projected, 'LENGTHUNIT') ?? unitOf(childOf(projected, 'AXIS'), 'LENGTHUNIT');
  return metres !== undefined && metres > 0 ? metres : undefined;
}

function unitOf(node: WktNode | undefined, keyword: 'LENGTHUNIT' | 'ANGLEUNIT'): number | undefined {
  const size = childOf(node, keyword, 'UNIT')?.values[1];
  return size === undefined ? undefined : Number(size);
}

/** Directions that turn a coordinate's sign round are not read. */
const hasPlainAxes = ({ children }: WktNode): boolean =>
  children.every(({ keyword, values }) => keyword !== 'AXIS' || !/^(west|south)$/i.test(values[1] ?? ''));
