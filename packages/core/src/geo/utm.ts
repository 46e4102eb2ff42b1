/** WGS 84: semi-major axis (m) and flattening. */
const A = 6_378_137;
const F = 1 / 298.257223563;
const K0 = 0.9996;
const N = F / (2 - F);
/** Rectifying radius (m): Krüger 1912. */
const RADIUS = (A / (1 + N)) * (1 + N ** 2 / 4 + N ** 4 / 64);
const ECCENTRICITY = Math.sqrt(F * (2 - F));
/** Krüger's coefficients to the fourth order in n. */
const ALPHA = [
  N / 2 - (2 / 3) * N ** 2 + (5 / 16) * N ** 3 + (41 / 180) * N ** 4,
  (13 / 48) * N ** 2 - (3 / 5) * N ** 3 + (557 / 1440) * N ** 4,
  (61 / 240) * N ** 3 - (103 / 140) * N ** 4,
  (49561 / 161280) * N ** 4,
];

/** Krüger's coefficients of the inverse series, for `fromUtm`. */
const BETA = [
  N / 2 - (2 / 3) * N ** 2 + (37 / 96) * N ** 3 - (1 / 360) * N ** 4,
  (1 / 48) * N ** 2 + (1 / 15) * N ** 3 - (437 / 1440) * N ** 4,
  (17 / 480) * N ** 3 - (37 / 840) * N ** 4,
  (4397 / 161280) * N ** 4,
];

/** A UTM zone on WGS84. */
export interface UtmZone {
  readonly zone: number;
  readonly south: boolean;
}

/** Returns the zone of `EPSG:326zz` (north) or `EPSG:327zz` (south); undefined for any other CRS. */
export function utmZone(crs: string): UtmZone | undefined {
  const match = /^EPSG:32([67])(0[1-9]|[1-5]\d|60)$/.exec(crs);
  return match === null ? undefined : { zone: Number(match[2]), south: match[1] === '7' };
}

/** Returns the UTM CRS of a point (degrees), e.g. `EPSG:32643`. Ignores the exceptions of Norway and Svalbard. */
export function utmCrsOf(lon: number, lat: number): string {
  const zone = Math.min(60, Math.max(1, Math.floor((lon + 180) / 6) + 1));
  return `EPSG:32${lat < 0 ? 7 : 6}${String(zone).padStart(2, '0')}`;
}

/**
 * Longitude, latitude (degrees, WGS84) -> easting, northing (m), by Krüger's series (Karney 2011, J. Geodesy 85:475,
 * order 4). Error: a micrometre within 6 degrees of the central meridian.
 */
export function toUtm({ zone, south }: UtmZone, lon: number, lat: number): readonly [number, number] {
  const lambda = ((lon - (zone * 6 - 183)) * Math.PI) / 180;
  const sinPhi = Math.sin((lat * Math.PI) / 180);
  const t = Math.sinh(Math.atanh(sinPhi) - ECCENTRICITY * Math.atanh(ECCENTRICITY * sinPhi));
  const xi = Math.atan2(t, Math.cos(lambda));
  const eta = Math.asinh(Math.sin(lambda) / Math.hypot(t, Math.cos(lambda)));
  let x = eta;
  let y = xi;
  for (const [i, alpha] of ALPHA.entries()) {
    const j = 2 * (i + 1);
    x += alpha * Math.cos(j * xi) * Math.sinh(j * eta);
    y += alpha * Math.sin(j * xi) * Math.cosh(j * eta);
  }
  return [500_000 + K0 * RADIUS * x, K0 * RADIUS * y + (south ? 10_000_000 : 0)];
}

/** Easting, northing (m) -> longitude, latitude (degrees, WGS84): inverse of `toUtm`, with equal accuracy. */
export function fromUtm({ zone, south }: UtmZone, easting: number, northing: number): readonly [number, number] {
  const xi = (northing - (south ? 10_000_000 : 0)) / (K0 * RADIUS);
  const eta = (easting - 500_000) / (K0 * RADIUS);
  let x = eta;
  let y = xi;
  for (const [i, beta] of BETA.entries()) {
    const j = 2 * (i + 1);
    x -= beta * Math.cos(j * xi) * Math.sinh(j * eta);
    y -= beta * Math.sin(j * xi) * Math.cosh(j * eta);
  }
  const psi = Math.asinh(Math.sin(y) / Math.hypot(Math.sinh(x), Math.cos(y)));
  let sinPhi = Math.tanh(psi);
  // Each iteration divides the error by about 150, the inverse of the squared eccentricity.
  for (let step = 0; step < 8; step += 1) sinPhi = Math.tanh(psi + ECCENTRICITY * Math.atanh(ECCENTRICITY * sinPhi));
  const lambda = Math.atan2(Math.sinh(x), Math.cos(y));
  return [(lambda * 180) / Math.PI + zone * 6 - 183, (Math.asin(sinPhi) * 180) / Math.PI];
}
