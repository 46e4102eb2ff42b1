import type { ImportKind } from '@headwater/core/ports';
import type { PlaceFeature } from '../../places/place-features.ts';
import { mwsUid, village } from '../../places/place-properties.ts';

/** Kinds of boundaries that are imported. */
export type BoundaryKind = Extract<ImportKind, 'places' | 'mws' | 'villages'>;

/** Rules for reading one kind of boundaries. */
export interface BoundaryRules {
  /** Possible names of the layer in a file with several layers. */
  readonly layers: readonly string[];
  /** Stored properties in addition to tehsil and geometry. Throws `BadProperty`. */
  readonly properties: (feature: PlaceFeature) => Readonly<Record<string, unknown>>;
  /** True if a tehsil has exactly one feature of this kind. */
  readonly isOnePerTehsil: boolean;
}

/** Rules of each kind. */
export const BOUNDARY_RULES: Readonly<Record<BoundaryKind, BoundaryRules>> = {
  places: {
    layers: ['places', 'tehsils', 'boundary', 'boundaries'],
    properties: () => ({}),
    isOnePerTehsil: true,
  },
  mws: { layers: ['mws'], properties: (feature) => ({ uid: mwsUid(feature) }), isOnePerTehsil: false },
  villages: {
    layers: ['villages'],
    properties: (feature) => {
      const { id, name } = village(feature);
      return { vill_id: id, vill_name: name };
    },
    isOnePerTehsil: false,
  },
};
