import type { AbsentKind } from './absent.ts';

/** A layer of boundaries as the live system publishes it. */
interface GeometryLayer {
  readonly workspace: string;
  readonly dataset: string;
  /** The layer's name, of a place as layers name it. */
  readonly layerName: (place: string) => string;
  /** What is absent where nobody knows boundaries either. */
  readonly absence: AbsentKind;
}

/** Layers that answer the routes of geometries (wire-contract 2.9). */
export const GEOMETRY_LAYERS = {
  mws: { workspace: 'mws', dataset: 'MWS', layerName: (place) => `mws_${place}`, absence: 'mwsBoundaries' },
  villages: {
    workspace: 'panchayat_boundaries',
    dataset: 'Admin Boundary',
    layerName: (place) => place,
    absence: 'villages',
  },
} as const satisfies Readonly<Record<string, GeometryLayer>>;
