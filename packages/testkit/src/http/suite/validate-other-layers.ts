import type { Headwater } from '@headwater/http-service';
import { EXAMPLE_LAYERS, EXAMPLE_PLACE } from '@headwater/http-service';
import { publishAsSample } from '../fixture/sample-service.ts';

const collectionPath = Object.values(EXAMPLE_PLACE).join('/');
const CLASSES = [{ value: 1, name: 'built_up' }];

/** Layers that are no class maps as labels are held against, by what their Items say of the asset with the data, and what is answered. */
export const NO_CLASS_MAPS = [
  [
    'slope',
    { bands: [{ data_type: 'float32' }] },
    {},
    /holds float32 values, not classes\. Name a raster of classes: values of type uint8/,
  ],
  ['counts', { data_type: 'int16', 'classification:classes': CLASSES }, {}, /holds int16 values, not classes/],
  [
    'utm',
    { data_type: 'uint8', 'classification:classes': CLASSES },
    { 'proj:code': 'EPSG:32645' },
    /EPSG:32645.*EPSG:4326/,
  ],
  ['bare', { data_type: 'uint8' }, {}, /lists no classes of its own.*send a legend/],
] as const;

/** Publishes them beside the sample's layers, without files: a request for them is to be refused before any is read. */
export async function publishNoClassMaps(service: Headwater): Promise<void> {
  const { workspace, name } = EXAMPLE_LAYERS.raster;
  const known = await service.stores.catalog.layer(workspace, name);
  if (known === undefined) throw new Error('the sample is not published');
  await publishAsSample(service, {
    items: NO_CLASS_MAPS.map(([id, data, properties]) => {
      const assets = { data: { roles: ['data'], ...data } };
      return { id, collectionPath, item: { id, properties: { 'proj:code': 'EPSG:4326', ...properties }, assets } };
    }),
    layers: NO_CLASS_MAPS.map(([layerName]) => ({ ...known, layerName, itemId: layerName })),
    timings: {},
  });
}
