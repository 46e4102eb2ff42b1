import type { AbsentKind } from '../../../wire/absent.ts';

/** A layer of boundaries as the live system publishes it. */
export interface GeometryLayer {
  readonly workspace: string;
  readonly dataset: string;
  /** The layer's name, of a place as layers name it. */
  readonly layerName: (place: string) => string;
  /** What is absent where nobody knows boundaries either. */
  readonly absence: AbsentKind;
  /** The properties that its route sends of a feature. */
  readonly properties: readonly string[];
  /** What the live system calls the column of its geometries. */
  readonly geometryName: string;
}

/** Layers that answer the routes of geometries (wire-contract 2.9). */
export const GEOMETRY_LAYERS = {
  mws: {
    workspace: 'mws',
    dataset: 'MWS',
    layerName: (place) => `mws_${place}`,
    absence: 'mwsBoundaries',
    properties: ['uid'],
    geometryName: 'geom',
  },
  villages: {
    workspace: 'panchayat_boundaries',
    dataset: 'Admin Boundary',
    layerName: (place) => place,
    absence: 'villages',
    properties: ['vill_ID', 'vill_name'],
    geometryName: 'the_geom',
  },
} as const satisfies Readonly<Record<string, GeometryLayer>>;

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.values(GEOMETRY_LAYERS).map(({ workspace, geometryName }) => [workspace, geometryName]),
);

/** What the live system calls the column of geometries in layers of a workspace. */
export const geometryNameOf = (workspace: string): string => NAMES.get(workspace) ?? 'geom';
