/** `[longitude, latitude]` in degrees (EPSG:4326), optionally with a height in m. */
export type PositionLike = readonly number[];

type Path = readonly PositionLike[];
type Rings = readonly Path[];

/** Readonly GeoJSON geometry that STAC allows: no GeometryCollection. */
export type GeometryLike =
  | { readonly type: 'Point'; readonly coordinates: PositionLike }
  | { readonly type: 'MultiPoint'; readonly coordinates: Path }
  | { readonly type: 'LineString'; readonly coordinates: Path }
  | { readonly type: 'MultiLineString'; readonly coordinates: Rings }
  | { readonly type: 'Polygon'; readonly coordinates: Rings }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Rings[] };

/** Geometry of an Item: longitude and latitude, closed rings, counter-clockwise exteriors (RFC 7946). */
export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: number[] }
  | { readonly type: 'MultiPoint'; readonly coordinates: number[][] }
  | { readonly type: 'LineString'; readonly coordinates: number[][] }
  | { readonly type: 'MultiLineString'; readonly coordinates: number[][][] }
  | { readonly type: 'Polygon'; readonly coordinates: number[][][] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: number[][][][] };

/** `[west, south, east, north]` in degrees; west > east means across the antimeridian. */
export type Bbox = [west: number, south: number, east: number, north: number];
