import type { ImportKind } from '@headwater/core/ports';
import type { PlaceFeature } from '../../places/place-features.ts';
import { mwsUid, village } from '../../places/place-properties.ts';

/** Kinds of boundaries that are imported. */
export type BoundaryKind = Extract<ImportKind, 'places' | 'mws' | 'villages'>;

/** Rules for reading the boundaries of one kind from a file. */
export interface BoundaryRules {
  /** Possible names of the layer to read, if a file has several layers. */
  readonly layers: readonly string[];
  /**
   * Properties of a feature that are stored in addition to its tehsil and geometry. Throws `BadProperty` if a property
   * is not valid.
   */
  readonly properties: (feature: PlaceFeature) => Readonly<Record<string, unknown>>;
  /** True if each tehsil has exactly one feature of this kind; false for micro-watersheds and villages. */
  readonly isOneATehsil: boolean;
}

/** Rules of each kind. */
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
