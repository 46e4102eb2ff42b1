import type { Addresses } from '@headwater/core';
import type { DatedLayer } from '@headwater/core/ports';
import { isUnlistedLayer } from '@headwater/core/imports';
import { z } from 'zod';
import { yearsOfLayer } from '../../../layers/layer-years.ts';

const assetPath = z.string().describe('Path of the file in the store of the service, {run}/{attempt}/{name}.');

/** Layer records of a tehsil: the names of the specification, and those of the live system. */
export const LayerRecords = z
  .array(
    z.object({
      layer_name: z.string(),
      dataset_name: z.string(),
      layer_type: z.enum(['vector', 'point', 'raster']).describe('point: a vector layer whose features are points.'),
      layer_version: z.string().describe('Counts its publications from 1.0.'),
      layer_url: z.string().describe('WFS or WCS address of the whole layer, the newest version; needs no key.'),
      start_year: z
        .int()
        .nullable()
        .describe('First year: of hydrological years as requests name them. Null: of no time of its own.'),
      end_year: z.int().nullable().describe('Last year, itself included.'),
      style_url: z.string().describe('QGIS style (QML), empty where there is none; needs no key.'),
      eo_asset_path: assetPath,
      gee_asset_path: assetPath,
    }),
  )
  .meta({ id: 'LayerRecords' });

/** What records are made with. */
interface RecordParts {
  readonly addresses: Addresses;
  /** Ids of the Items of layers whose features are points. */
  readonly points: ReadonlySet<string>;
}

/**
 * Layers as the live system lists them (wire-contract 2.6): without those for its own use, and of names in one workspace that differ in
 * their case the newest. Names are compared within their workspace: `drainage` and `panchayat_boundaries` call different layers by the same one.
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

/** Layers -> wire objects, in their order. */
export function layerRecords(
  layers: readonly DatedLayer[],
  { addresses, points }: RecordParts,
): z.infer<typeof LayerRecords> {
  return listedLayers(layers).map(({ workspace, layerName, layerType, styleKey, assetKey, ...layer }) => ({
    layer_name: layerName,
    dataset_name: layer.datasetName,
    layer_type: points.has(layer.itemId) ? 'point' : layerType,
    layer_version: `${layer.version}.0`,
    ...yearsOf(layer),
    layer_url:
      layerType === 'raster' ? addresses.coverage(workspace, layerName) : addresses.features(workspace, layerName),
    style_url: styleKey === null ? '' : addresses.file(styleKey),
    eo_asset_path: assetKey,
    gee_asset_path: assetKey,
  }));
}

/** Years of a layer as a request for it names them. */
function yearsOf(
  layer: Pick<DatedLayer, 'start' | 'end'>,
): Pick<z.infer<typeof LayerRecords>[number], 'start_year' | 'end_year'> {
  const [first = null, last = null] = yearsOfLayer(layer) ?? [];
  return { start_year: first, end_year: last };
}

/** All features of a layer in the form of the map server. */
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
