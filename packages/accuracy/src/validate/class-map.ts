import { invalidField, isObject } from '@headwater/core';
import { dataAssets } from './item-legend.ts';

const CAN =
  'Name a raster of classes: values of type uint8 on a grid in EPSG:4326, such as a layer of yearly land cover';

/**
 * Throws `validation`, naming the layer, where its own Item says that it is no map of classes. An Item that does not say its type or
 * its grid is let pass: its file is looked at by the run.
 */
export function checkClassMap(name: string, item: unknown): void {
  for (const asset of dataAssets(item)) {
    const [band] = Array.isArray(asset['bands']) ? asset['bands'].filter(isObject) : [];
    const type = asset['data_type'] ?? band?.['data_type'];
    if (typeof type === 'string' && type !== 'uint8')
      throw invalidField('layerName', `${name} holds ${type} values, not classes. ${CAN}`, 'unsupported');
  }
  const properties = isObject(item) && isObject(item['properties']) ? item['properties'] : {};
  const crs = properties['proj:code'];
  if (typeof crs === 'string' && crs !== 'EPSG:4326')
    throw invalidField('layerName', `${name} lies on a grid in ${crs}. ${CAN}`, 'unsupported');
}
