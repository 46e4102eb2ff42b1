import { itemId, type ItemId } from '@headwater/stac';
import { type Place, placeSlug } from '@headwater/core';

/** Slugs of a place, as ids, paths and layer names carry them. */
export interface PlaceSlugs {
  readonly state: string;
  readonly district: string;
  readonly block: string;
}

/** Slugs of a place's three names. */
export const slugsOf = ({ state, district, tehsil }: Place): PlaceSlugs => ({
  state: placeSlug(state.name),
  district: placeSlug(district.name),
  block: placeSlug(tehsil.name),
});

/** Workspace and dataset of the yearly rasters. */
export const RASTER_WORKSPACE = 'LULC_level_3';
/** Workspace of the per-MWS vector. */
export const VECTOR_WORKSPACE = 'lulc_vector';
/** Dataset of the per-MWS vector. */
export const VECTOR_DATASET = 'LULC';

const twoDigits = (year: number): string => String(year % 100).padStart(2, '0');

/** Map-server layer of a year, `LULC_17_18_{district}_{block}_level_3`. */
export const rasterLayer = ({ district, block }: PlaceSlugs, year: number): string =>
  `LULC_${twoDigits(year)}_${twoDigits(year + 1)}_${district}_${block}_level_3`;

/** Map-server layer of the vector, `lulc_vector_{district}_{block}`. */
export const vectorLayer = ({ district, block }: PlaceSlugs): string => `lulc_vector_${district}_${block}`;

/** Item id of a year's raster; its files carry the same name. */
export const rasterItemId = (slugs: PlaceSlugs, year: number): ItemId =>
  itemId({ ...slugs, layer: 'land_use_land_cover_raster', year });

/** Item id of the vector; its files carry the same name. */
export const vectorItemId = (slugs: PlaceSlugs): ItemId => itemId({ ...slugs, layer: 'land_use_land_cover_vector' });

/** Collection of a tehsil: `state/district/block`. */
export const collectionOf = ({ state, district, block }: PlaceSlugs): string => `${state}/${district}/${block}`;

/** Collection path and id under which a place's year is found in the catalogue once it is computed. */
export function rasterItemPlace(place: Place, year: number): { readonly collectionPath: string; readonly id: ItemId } {
  const slugs = slugsOf(place);
  return { collectionPath: collectionOf(slugs), id: rasterItemId(slugs, year) };
}
