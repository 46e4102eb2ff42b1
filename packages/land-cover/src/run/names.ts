import { itemId, type ItemId } from '@headwater/stac';
import type { LulcLevel } from '../classes/levels.ts';
import { collectionOf, type IdSlugs, layerNamesOf, type Place, type PlaceSlugs, slugsOf } from '@headwater/core';
import type { LayerNames } from '@headwater/core/places';

/** Workspace and dataset of the yearly rasters. */
export const RASTER_WORKSPACE = 'LULC_level_3';
/** Workspace of the vector with one feature per micro-watershed (MWS). */
export const VECTOR_WORKSPACE = 'lulc_vector';
/** Dataset of the vector in `VECTOR_WORKSPACE`. */
export const VECTOR_DATASET = 'LULC';

/** Layer name of a place in one year: `LULC_17_18_{district}_{block}_level_3`. */
export const yearLayerName =
  (year: number, level: LulcLevel = 3) =>
  (place: string): string =>
    `LULC_${twoDigits(year)}_${twoDigits(year + 1)}_${place}_level_${level}`;

/** Current and former names of a year's layer. */
export const rasterLayer = (slugs: PlaceSlugs, year: number, level?: LulcLevel): LayerNames =>
  layerNamesOf(slugs, yearLayerName(year, level));

/** First calendar year in the name of a yearly layer; undefined for other names. */
export function yearOfLayer(layerName: string): number | undefined {
  const digits = /^LULC_(\d\d)_\d\d_/.exec(layerName)?.[1];
  return digits === undefined ? undefined : 2000 + Number(digits);
}

/** Workspace and dataset of a level. */
export const levelWorkspace = (level: LulcLevel): string => `LULC_level_${level}`;

/** Layer name of a place's vector: `lulc_vector_{district}_{block}`. */
export const vectorLayerName = (place: string): string => `lulc_vector_${place}`;

const twoDigits = (year: number): string => String(year % 100).padStart(2, '0');

/** Item id of a year's raster. */
export const rasterItemId = ({ state, district, block }: IdSlugs, year: number): ItemId =>
  itemId({ state, district, block, layer: 'land_use_land_cover_raster', year });

/** Item id of the vector. */
export const vectorItemId = ({ state, district, block }: IdSlugs): ItemId =>
  itemId({ state, district, block, layer: 'land_use_land_cover_vector' });

/** Collection path and Item id of the raster of a place and year. */
export function rasterItemPlace(place: Place, year: number): { readonly collectionPath: string; readonly id: ItemId } {
  const slugs = slugsOf(place, 'alone');
  return { collectionPath: collectionOf(slugs), id: rasterItemId(slugs, year) };
}
