import type { AbsentKind } from '../../../wire/absent.ts';

/** A layer of boundaries, with the names that existing clients of the map server expect. */
export interface GeometryLayer {
  readonly workspace: string;
  readonly dataset: string;
  /** Returns the name of the layer for the slug of a place. */
  readonly layerName: (place: string) => string;
  readonly absence: AbsentKind;
  readonly properties: readonly string[];
  readonly geometryName: string;
}

/** Layers of the routes for geometries of micro-watersheds and villages. */
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

/** Name of the geometry column of layers in a workspace. */
export const geometryNameOf = (workspace: string): string => NAMES.get(workspace) ?? 'geom';
