import { collectionId, idSlug, itemId, type ItemId } from '@headwater/stac';
import type { LulcLevel } from '../classes/levels.ts';
import { type ItemKey, type Place, placeSlug } from '@headwater/core';

/** A place as ids, paths and layer names carry it. */
export interface PlaceSlugs {
  /** Parts of ids and paths: dots and double underscores stay. */
  readonly state: string;
  readonly district: string;
  readonly block: string;
  /** The place in layer names. */
  readonly layer: string;
  /** The place in layer names of the same tehsil at other times. */
  readonly formerLayer: string;
  /** The parts as version 0.1 wrote them in ids and paths. */
  readonly former: { readonly state: string; readonly district: string; readonly block: string };
}

/** Whether another tehsil of the directory has the same district and block in its layer names. */
export type Sharing = 'alone' | 'shared';

/** Slugs of a place's three names. Layers are named by district and block; where two tehsils share these, the state comes first. */
export function slugsOf({ state, district, tehsil }: Place, sharing: Sharing): PlaceSlugs {
  const former = { state: placeSlug(state.name), district: placeSlug(district.name), block: placeSlug(tehsil.name) };
  const short = `${former.district}_${former.block}`;
  const long = `${former.state}_${short}`;
  const [layer, formerLayer] = sharing === 'shared' ? [long, short] : [short, long];
  const ids = { state: idSlug(state.name), district: idSlug(district.name), block: idSlug(tehsil.name) };
  return { ...ids, layer, formerLayer, former };
}

/** Workspace and dataset of the yearly rasters. */
export const RASTER_WORKSPACE = 'LULC_level_3';
/** Workspace of the per-MWS vector. */
export const VECTOR_WORKSPACE = 'lulc_vector';
/** Dataset of the per-MWS vector. */
export const VECTOR_DATASET = 'LULC';

/** A layer's name at the map server, and those that it may have had. */
export interface LayerNames {
  readonly layerName: string;
  readonly formerly: readonly string[];
}

/** Map-server layer of a year, `LULC_17_18_{district}_{block}_level_3`; levels 1 and 2 are other styles of the same raster. */
export const rasterLayer = (slugs: PlaceSlugs, year: number, level: LulcLevel = 3): LayerNames =>
  namesOf(slugs, (place) => `LULC_${twoDigits(year)}_${twoDigits(year + 1)}_${place}_level_${level}`);

/** First calendar year that a yearly layer's name tells; undefined for other names. */
export function yearOfLayer(layerName: string): number | undefined {
  const digits = /^LULC_(\d\d)_\d\d_/.exec(layerName)?.[1];
  return digits === undefined ? undefined : 2000 + Number(digits);
}

/** Workspace and dataset of a level. */
export const levelWorkspace = (level: LulcLevel): string => `LULC_level_${level}`;

/** Map-server layer of the vector, `lulc_vector_{district}_{block}`. */
export const vectorLayer = (slugs: PlaceSlugs): LayerNames => namesOf(slugs, (place) => `lulc_vector_${place}`);

const twoDigits = (year: number): string => String(year % 100).padStart(2, '0');

/** Names by the place as layer names have it. */
export const namesOf = ({ layer, formerLayer }: PlaceSlugs, name: (place: string) => string): LayerNames => ({
  layerName: name(layer),
  formerly: [name(formerLayer)],
});

type IdParts = Pick<PlaceSlugs, 'state' | 'district' | 'block'>;

/** Item id of a year's raster. */
export const rasterItemId = ({ state, district, block }: IdParts, year: number): ItemId =>
  itemId({ state, district, block, layer: 'land_use_land_cover_raster', year });

/** Item id of the vector. */
export const vectorItemId = ({ state, district, block }: IdParts): ItemId =>
  itemId({ state, district, block, layer: 'land_use_land_cover_vector' });

/** Names of an Item's files: its id, in the characters that file stores take. */
export const fileName = (id: ItemId): string => id.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\./, '-');

/** Path of a tehsil's Collection: `state/district/block`. */
export const collectionOf = ({ state, district, block }: IdParts): string => `${state}/${district}/${block}`;

/** Id of a tehsil's Collection: `state_district_block`. */
export const collectionIdOf = (slugs: IdParts): string => collectionId(collectionOf(slugs));

/** What version 0.1 called an Item, where that was something else: its ids had no dots, and one underscore for several. */
export function formerItem(slugs: PlaceSlugs, idOf: (slugs: IdParts) => ItemId): readonly ItemKey[] {
  const { former } = slugs;
  const before = { collectionPath: collectionOf(former), id: idOf(former) };
  const isSame = before.id === idOf(slugs) && before.collectionPath === collectionOf(slugs);
  return isSame ? [] : [before];
}

/** Collection path and id under which a place's year is found in the catalogue once it is computed. */
export function rasterItemPlace(place: Place, year: number): { readonly collectionPath: string; readonly id: ItemId } {
  const slugs = slugsOf(place, 'alone');
  return { collectionPath: collectionOf(slugs), id: rasterItemId(slugs, year) };
}
