/** A position as GeoJSON has it: longitude, latitude in degrees, and a height that is kept but never compared. */
export type Cql2Position = readonly number[];

/** A GeoJSON geometry that is no collection. */
export type Cql2SimpleGeometry =
  | { readonly type: 'Point'; readonly coordinates: Cql2Position }
  | { readonly type: 'MultiPoint'; readonly coordinates: readonly Cql2Position[] }
  | { readonly type: 'LineString'; readonly coordinates: readonly Cql2Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly (readonly Cql2Position[])[] }
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Cql2Position[])[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly Cql2Position[])[])[] };

/** A GeoJSON geometry. */
export type Cql2Geometry =
  | Cql2SimpleGeometry
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly Cql2Geometry[] };

/** West, south, east, north, or with heights west, south, low, east, north, high. West > east: over the antimeridian. */
export interface Cql2Bbox {
  readonly bbox: readonly [number, number, number, number] | readonly [number, number, number, number, number, number];
}
