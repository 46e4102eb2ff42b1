import type { OpenedLayer } from '@headwater/core';
import { propertiesOfItem } from '@headwater/core/pipelines';
import type { ElevationSource } from '../dem/elevation-about.ts';

/** Heights that published landforms were made of, as their Item names them. */
export function sourceElevation({ item }: Pick<OpenedLayer, 'item'>): ElevationSource {
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
