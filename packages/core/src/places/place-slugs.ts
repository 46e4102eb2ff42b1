import { collectionId, idSlug, placeSlug, type ItemId } from '@headwater/stac';
import type { Place } from '../ports/places.ts';
import type { ItemKey } from '../ports/catalog.ts';

/** Forms of a place's names in ids, paths and layer names. */
export interface PlaceSlugs {
  /** Slugs of state, district and block for ids and paths. These slugs keep dots and double underscores. */
  readonly state: string;
  readonly district: string;
  readonly block: string;
  /** Part of a layer name that identifies the place. */
  readonly layer: string;
  /**
   * Part of the place's former layer names: with the state if `layer` has no state, otherwise without. The
   * two parts are swapped when the place becomes `shared` or `alone` (see `slugsOf`).
   */
  readonly formerLayer: string;
  /** The parts in ids and paths of version 0.1. */
  readonly former: { readonly state: string; readonly district: string; readonly block: string };
}

/** `shared` if another tehsil has the same slugs of district and block, from which layer names are built. */
export type Sharing = 'alone' | 'shared';

/**
 * Slugs of a place's three names. Names of layers contain district and block. If another tehsil has the same district and block, the names of
 * layers begin with the state.
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

/** Names of a layer of a place; `name` builds a layer name from the part that identifies the place. */
export const layerNamesOf = ({ layer, formerLayer }: PlaceSlugs, name: (place: string) => string): LayerNames => ({
  layerName: name(layer),
  formerly: [name(formerLayer)],
});

/** The parts of a place in ids and paths. */
export type IdSlugs = Pick<PlaceSlugs, 'state' | 'district' | 'block'>;

/** Base name of an Item's files: the Item's id, in which `-` replaces characters that some file stores refuse. */
export const fileName = (id: ItemId): string => id.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\./, '-');

/** Path of a tehsil's Collection: `state/district/block`. */
export const collectionOf = ({ state, district, block }: IdSlugs): string => `${state}/${district}/${block}`;

/** Id of a tehsil's Collection: `state_district_block`. */
export const collectionIdOf = (slugs: IdSlugs): string => collectionId(collectionOf(slugs));

/**
 * Key of an Item in version 0.1 if that key differs from the present key. Ids of version 0.1 had no dots, and one underscore instead of
 * several.
 */
export function formerItem(slugs: PlaceSlugs, idOf: (slugs: IdSlugs) => ItemId): readonly ItemKey[] {
  const { former } = slugs;
  const before = { collectionPath: collectionOf(former), id: idOf(former) };
  const isSame = before.id === idOf(slugs) && before.collectionPath === collectionOf(slugs);
  return isSame ? [] : [before];
}

/**
 * Rule for the id of a micro-watershed: letters, digits, `_`, `.` and `-`. Requests with other ids are refused. Imports are checked by the same
 * rule, so that each stored id can be requested. A colon is not allowed, because a colon in the key of a row ends the id.
 */
export const UID_RULE = {
  pattern: /^[A-Za-z0-9_.-]+$/,
  longest: 64,
  words: 'letters, digits, _ . and -',
} as const;
