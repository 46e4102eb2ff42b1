/** A layer of boundaries as the live system publishes it, and the route that makes it. */
export interface GeometryLayer {
  readonly workspace: string;
  readonly dataset: string;
  readonly route: string;
  /** What its features are. */
  readonly units: string;
}

/** Layers that answer the routes of geometries (wire-contract 2.9). */
export const GEOMETRY_LAYERS = {
  mws: { workspace: 'mws', dataset: 'MWS', route: 'generate_mws_layer', units: 'micro-watersheds' },
  villages: {
    workspace: 'panchayat_boundaries',
    dataset: 'Admin Boundary',
    route: 'generate_block_layer',
    units: 'villages',
  },
} as const satisfies Readonly<Record<string, GeometryLayer>>;
