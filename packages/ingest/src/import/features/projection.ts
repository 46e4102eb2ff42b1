import { childOf, plainName, type WktNode } from './wkt.ts';

/** Methods by their normalised names in WKT 1 and 2. `coordinates.peers.test.ts` compares them with GDAL. */
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

/** Radians per degree. Some programs write only six of these digits, so `DEGREE_TOLERANCE` is allowed. */
const DEGREE = 0.017_453_292_519_943_3;
const DEGREE_TOLERANCE = 1e-6;

/** True if longitudes count eastwards from Greenwich, and latitudes northwards from the equator. */
export function hasPlainDirections(geographic: WktNode): boolean {
  const meridian = Number(childOf(geographic, 'PRIMEM', 'PRIMEMERIDIAN')?.values[1] ?? '0');
  return meridian === 0 && hasPlainAxes(geographic);
}

/** First angular unit that is not the degree. */
export function otherAngleUnit(crs: WktNode, geographic: WktNode): WktNode | undefined {
  const angles = parametersOf(crs).filter(({ key }) => key !== undefined && isAngle(key));
  // In WKT 2 each axis may have its own unit.
  const nodes = [geographic, childOf(geographic, 'AXIS'), ...angles.map(({ node }) => node)];
  const units = nodes.flatMap((node) => childOf(node, 'ANGLEUNIT', 'UNIT') ?? []);
  return units.find(({ values }) => !(Math.abs(Number(values[1] ?? DEGREE) - DEGREE) < DEGREE_TOLERANCE));
}

/** Projection for proj4, without datum; undefined for an unsupported projection. */
export function projectionOf(projected: WktNode): string | undefined {
  const method = METHODS.get(plainName(childOf(conversionOf(projected), 'PROJECTION', 'METHOD')?.values[0] ?? ''));
  const metres = metresOf(projected);
  if (method === undefined || metres === undefined || !hasPlainAxes(projected)) return undefined;
  const values = new Map<string, number>();
  for (const { key, node } of parametersOf(projected)) {
    const value = Number(node.values[1]);
    if (key === undefined || !Number.isFinite(value)) return undefined;
    const isPlain = isAngle(key) || key === 'k_0';
    values.set(key, isPlain ? value : value * (unitOf(node) ?? metres));
  }
  // For `lcc` with one standard parallel, WKT gives this parallel only as `lat_0`. proj4 needs it as `lat_1` too.
  const parallel = values.get('lat_0');
  if (method === 'lcc' && !values.has('lat_1') && parallel !== undefined) values.set('lat_1', parallel);
  return `+proj=${method} ${[...values].map(([key, value]) => `+${key}=${value}`).join(' ')} +to_meter=${metres}`;
}

/** Node with method and parameters: a child in WKT 2, the CRS itself in WKT 1. */
const conversionOf = (projected: WktNode): WktNode => childOf(projected, 'CONVERSION') ?? projected;

const parametersOf = (projected: WktNode): readonly { readonly key: string | undefined; readonly node: WktNode }[] =>
  conversionOf(projected)
    .children.filter(({ keyword }) => keyword === 'PARAMETER')
    .map((node) => ({ key: PARAMETERS.get(plainName(node.values[0] ?? '')), node }));

const isAngle = (key: string): boolean => key.startsWith('l');

/** Metres per unit of a projected CRS; undefined without a valid unit. */
export function metresOf(projected: WktNode): number | undefined {
  const metres = unitOf(projected) ?? unitOf(childOf(projected, 'AXIS'));
  return metres !== undefined && metres > 0 ? metres : undefined;
}

function unitOf(node: WktNode | undefined): number | undefined {
  const size = childOf(node, 'LENGTHUNIT', 'UNIT')?.values[1];
  return size === undefined ? undefined : Number(size);
}

/** True if no axis points to the west or south. Such axes are not supported, because their signs are reversed. */
const hasPlainAxes = ({ children }: WktNode): boolean =>
  children.every(({ keyword, values }) => keyword !== 'AXIS' || !/^(west|south)$/i.test(values[1] ?? ''));
