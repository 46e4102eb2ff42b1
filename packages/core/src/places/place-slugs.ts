import { collectionId, idSlug, placeSlug, type ItemId } from '@headwater/stac';
import type { Place } from '../ports/places.ts';
import type { ItemKey } from '../ports/catalog.ts';

/** Spellings of a place's names in ids, paths and layer names. */
export interface PlaceSlugs {
  /** Slugs for ids and paths, which may contain dots and double underscores (`idSlug`). */
  readonly state: string;
  readonly district: string;
  readonly block: string;
  /** Part of a layer name that identifies the place. */
  readonly layer: string;
  /** Part of the former layer names: with the state if `layer` has no state, otherwise without. */
  readonly formerLayer: string;
  /** The parts in ids and paths of version 0.1. */
  readonly former: { readonly state: string; readonly district: string; readonly block: string };
}

/** `shared` if another tehsil has equal slugs of district and block. */
export type Sharing = 'alone' | 'shared';

/**
 * Returns the slugs of a place's names. Layer names contain district and block, and also the state if `sharing` is
 * `shared`.
 */
export function slugsOf({ state, district, tehsil }: Place, sharing: Sharing): PlaceSlugs {
  const former = { state: placeSlug(state.name), district: placeSlug(district.name), block: placeSlug(tehsil.name) };
  const short = `${former.district}_${former.block}`;
  const long = `${former.state}_${short}`;
  const [layer, formerLayer] = sharing === 'shared' ? [long, short] : [short, long];
  const ids = { state: idSlug(state.name), district: idSlug(district.name), block: idSlug(tehsil.name) };
  return { ...ids, layer, formerLayer, former };
}

/** A layer's name at the map server, and its possible former names. */
export interface LayerNames {
  readonly layerName: string;
  readonly formerly: readonly string[];
}

/** Returns the names of a place's layer. */
export const layerNamesOf = ({ layer, formerLayer }: PlaceSlugs, name: (place: string) => string): LayerNames => ({
  layerName: name(layer),
  formerly: [name(formerLayer)],
});

/** The parts of a place in ids and paths. */
export type IdSlugs = Pick<PlaceSlugs, 'state' | 'district' | 'block'>;

/** Returns the base name of an Item's files: the id without characters that some file stores refuse. */
export const fileName = (id: ItemId): string => id.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\./, '-');

/** Returns the path of a tehsil's Collection: `state/district/block`. */
export const collectionOf = ({ state, district, block }: IdSlugs): string => `${state}/${district}/${block}`;

/** Returns the id of a tehsil's Collection: `state_district_block`. */
export const collectionIdOf = (slugs: IdSlugs): string => collectionId(collectionOf(slugs));

/** Returns the key of an Item in version 0.1, if different. */
export function formerItem(slugs: PlaceSlugs, idOf: (slugs: IdSlugs) => ItemId): readonly ItemKey[] {
  const { former } = slugs;
  const before = { collectionPath: collectionOf(former), id: idOf(former) };
  const isSame = before.id === idOf(slugs) && before.collectionPath === collectionOf(slugs);
  return isSame ? [] : [before];
}

/**
 * Rule for the id of a micro-watershed: letters, digits, `_`, `.` and `-`. A colon is not allowed, because it ends the
 * id in keys of rows.
 */
export const UID_RULE = {
  pattern: /^[A-Za-z0-9_.-]+$/,
  longest: 64,
  words: 'letters, digits, _ . and -',
} as const;
