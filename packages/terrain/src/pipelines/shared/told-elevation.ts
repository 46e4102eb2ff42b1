import type { OpenedLayer } from '@headwater/core';
import { propertiesOfItem } from '@headwater/core/pipelines';
import type { TerrainItem } from './item-members.ts';

/** What the Item of the landforms tells of the heights that they were made of. */
export function toldElevation({ item }: Pick<OpenedLayer, 'item'>): TerrainItem['source'] {
  const properties = propertiesOfItem(item?.item);
  const text = (name: string, otherwise: string): string => {
    const value = properties[name];
    return typeof value === 'string' ? value : otherwise;
  };
  return {
    title: text('headwater:elevation_title', 'not named'),
    license: text('headwater:elevation_license', 'other'),
    attribution: text('attribution', 'Elevation data of the terrain raster'),
    synthetic: properties['headwater:synthetic'] === true,
  };
}
