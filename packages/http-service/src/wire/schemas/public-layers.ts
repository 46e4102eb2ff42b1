import type { Addresses, DatedLayer } from '@headwater/core';
import { z } from 'zod';

const assetPath = z.string().describe('Path of the file in the store of the service, {run}/{attempt}/{name}.');

/** Layer records of a tehsil: the names of the specification, and those of the live system. */
export const LayerRecords = z
  .array(
    z.object({
      layer_name: z.string(),
      dataset_name: z.string(),
      layer_type: z.enum(['vector', 'raster']),
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

/** Layers -> wire objects, in their order. */
export function layerRecords(layers: readonly DatedLayer[], addresses: Addresses): z.infer<typeof LayerRecords> {
  return layers.map(({ workspace, layerName, layerType, styleKey, assetKey, ...layer }) => ({
    layer_name: layerName,
    dataset_name: layer.datasetName,
    layer_type: layerType,
    layer_version: `${layer.version}.0`,
    ...yearsOf(layer),
    layer_url:
      layerType === 'raster' ? addresses.coverage(workspace, layerName) : addresses.features(workspace, layerName),
    style_url: styleKey === null ? '' : addresses.file(styleKey),
    eo_asset_path: assetKey,
    gee_asset_path: assetKey,
  }));
}

/** First day of a hydrological year, and the last one, which is in the next calendar year. */
const HYDROLOGICAL = { start: '-07-01', end: '-06-30' } as const;

/** Years of a layer as a request for it names them; others than hydrological ones as the calendar has them. */
function yearsOf({ start, end }: Pick<DatedLayer, 'start' | 'end'>): Years {
  if (start === null || end === null || start === end) return { start_year: null, end_year: null };
  const isHydrological = start.slice(4, 10) === HYDROLOGICAL.start && end.slice(4, 10) === HYDROLOGICAL.end;
  return { start_year: yearOf(start), end_year: yearOf(end) - (isHydrological ? 1 : 0) };
}

type Years = Pick<z.infer<typeof LayerRecords>[number], 'start_year' | 'end_year'>;

const yearOf = (instant: string): number => new Date(instant).getUTCFullYear();

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
