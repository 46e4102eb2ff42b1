import type { ImportKind } from '@headwater/core/ports';
import type { PlaceFeature } from '../../places/place-features.ts';
import { mwsUid, village } from '../../places/place-properties.ts';

/** Kinds of boundaries that are imported. */
export type BoundaryKind = Extract<ImportKind, 'places' | 'mws' | 'villages'>;

/** What tells one kind from another while a file is read. */
export interface BoundaryRules {
  /** Names of the layer that is meant where a file holds several. */
  readonly layers: readonly string[];
  /** What is kept of a feature beside its tehsil and its geometry. Throws `BadProperty`. */
  readonly properties: (feature: PlaceFeature) => Readonly<Record<string, unknown>>;
  /** A tehsil is one feature; of micro-watersheds and villages it has many. */
  readonly isOneATehsil: boolean;
}

/** The kinds with their rules. */
export const BOUNDARY_RULES: Readonly<Record<BoundaryKind, BoundaryRules>> = {
  places: {
    layers: ['places', 'tehsils', 'boundary', 'boundaries'],
    properties: () => ({}),
    isOneATehsil: true,
  },
  mws: { layers: ['mws'], properties: (feature) => ({ uid: mwsUid(feature) }), isOneATehsil: false },
  villages: {
    layers: ['villages'],
    properties: (feature) => {
      const { id, name } = village(feature);
      return { vill_id: id, vill_name: name };
    },
    isOneATehsil: false,
  },
};
