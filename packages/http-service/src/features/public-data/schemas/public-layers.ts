import type { Addresses } from '@headwater/core';
import type { DatedLayer } from '@headwater/core/ports';
import { isUnlistedLayer } from '@headwater/core/imports';
import { z } from 'zod';
import { yearsOfLayer } from '../../../layers/layer-years.ts';

const assetPath = z
  .string()
  .describe(
    'Path of the asset at the platform of Earth observation if the layer was exported; otherwise path of the file in the store of the service, {run}/{attempt}/{name}.',
  );

/**
 * Layer records of a tehsil. Members have the documented names, and in addition the names that existing clients read.
 */
export const LayerRecords = z
  .array(
    z.object({
      layer_name: z.string(),
      dataset_name: z.string(),
      layer_type: z.enum(['vector', 'point', 'raster']).describe('point: a vector layer whose features are points.'),
      layer_version: z
        .string()
        .describe('Version of the layer: 1.0 after its first publication, then one higher after each publication.'),
      layer_url: z.string().describe('WFS or WCS address of the whole layer, the newest version; needs no key.'),
      start_year: z
        .int()
        .nullable()
        .describe(
          'First year. A hydrological year has the number of the calendar year in which it begins. Null for a layer without a period.',
        ),
      end_year: z.int().nullable().describe('Last year, inclusive.'),
      style_url: z.string().describe('QGIS style (QML), empty if there is none; needs no key.'),
      eo_asset_path: assetPath,
      gee_asset_path: assetPath,
    }),
  )
  .meta({ id: 'LayerRecords' });

/**
 * Layers for the list, without internal layers. If names in a workspace differ only in case, the layer with the highest
 * version is selected.
 */
function listedLayers(layers: readonly DatedLayer[]): readonly DatedLayer[] {
  const byName = new Map<string, DatedLayer>();
  for (const layer of layers) {
    if (isUnlistedLayer(layer.layerName)) continue;
    const name = `${layer.workspace}:${layer.layerName}`.toLowerCase();
    const other = byName.get(name);
    if (other === undefined || other.version < layer.version) byName.set(name, layer);
  }
  return [...byName.values()];
}

/** Asset paths of exported layers, such as paths in Earth Engine, by the `AssetStore` keys of the layers. */
export type AssetPaths = ReadonlyMap<string, string>;

const NO_PATHS: AssetPaths = new Map();

/** Converts layers into wire form, in order. */
export function layerRecords(
  layers: readonly DatedLayer[],
  addresses: Addresses,
  assetPaths: AssetPaths = NO_PATHS,
): z.infer<typeof LayerRecords> {
  return listedLayers(layers).map(({ workspace, layerName, layerType, styleKey, assetKey, ...layer }) => ({
    layer_name: layerName,
    dataset_name: layer.datasetName,
    layer_type: layer.shape === 'point' ? 'point' : layerType,
    layer_version: `${layer.version}.0`,
    ...yearsOf(layer),
    layer_url:
      layerType === 'raster' ? addresses.coverage(workspace, layerName) : addresses.features(workspace, layerName),
    style_url: styleKey === null ? '' : addresses.file(styleKey),
    eo_asset_path: assetPaths.get(assetKey) ?? assetKey,
    gee_asset_path: assetPaths.get(assetKey) ?? assetKey,
  }));
}

function yearsOf(
  layer: Pick<DatedLayer, 'start' | 'end'>,
): Pick<z.infer<typeof LayerRecords>[number], 'start_year' | 'end_year'> {
  const [first = null, last = null] = yearsOfLayer(layer) ?? [];
  return { start_year: first, end_year: last };
}

/** All features of a layer in the form that the map server sends. */
export const Geometries = z
  .looseObject({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.looseObject({
        type: z.literal('Feature'),
        id: z.string().describe('{layer}.{n}, n from 1.'),
        geometry: z.unknown(),
        properties: z.record(z.string(), z.unknown()),
      }),
    ),
    totalFeatures: z.int(),
    numberMatched: z.int(),
    numberReturned: z.int(),
    timeStamp: z.string(),
  })
  .meta({ id: 'Geometries' });
