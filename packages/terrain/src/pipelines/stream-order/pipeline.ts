import { mwsZones, type Rgba, type WrittenRaster } from '@headwater/core';
import { percentOf } from '@headwater/core/values';
import {
  type FeatureRow,
  type Made,
  madeOf,
  publishMws,
  rasterQml,
  rasterSld,
  rgb,
  type StyleClass,
} from '@headwater/layer-kit';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { STREAM_HECTARES } from '../../hydrology/stream-network.ts';
import { UNKNOWN_ORDER } from '../../zones/stream-order-shares.ts';
import { FLOW_SURROUNDINGS } from '../dem/flow-window.ts';
import { aboutOf } from '../dem/dem-run.ts';
import { demPipeline, type MadeRaster } from '../dem/raster-pipeline.ts';
import { GREATEST, LAYER_COLUMNS, SHEET_COLUMNS, sharesRows, sheetRows } from './order-shares-layer.ts';
import { ORDER_CLASSES, orderClasses, orderColor, ordersTo, orderStyle } from './orders.ts';

const NAME = 'stream_order';
const WORKSPACE = 'stream_order';
const DATASET = 'Stream Order';
const TITLE = 'Strahler order of streams';
const RULE = `A stream begins where ${STREAM_HECTARES} ha of land drain through a pixel; where two streams of one order meet, the order rises by one.`;

const NO_STREAM: StyleClass = { value: 0, label: 'No stream', color: orderColor(0), alpha: 0 };
const CLASSES: readonly StyleClass[] = [NO_STREAM, ...ORDER_CLASSES];
const PALETTE: Readonly<Record<number, Rgba>> = Object.fromEntries(
  CLASSES.map(({ value, color, alpha }) => [value, [...rgb(color), alpha] as const]),
);
const NAMES: Readonly<Record<number, string>> = Object.fromEntries(CLASSES.map(({ value, label }) => [value, label]));

/** Orders of streams as a raster, their shares of each micro-watershed as a vector and as sheet `stream_order`. */
export const streamOrderPipeline = demPipeline({
  name: NAME,
  summary:
    'Computes the Strahler orders of the streams of a tehsil from a digital elevation model, and their shares of the area of each micro-watershed.',
  initiated: 'stream_order_vector task initiated',
  workspace: WORKSPACE,
  dataset: DATASET,
  layerName: (place) => `stream_order_${place}_raster`,
  surroundings: FLOW_SURROUNDINGS,
  data: ['stream_order'],
  method: 'stream-order-1',
  about: {
    layer: 'stream_order_raster',
    title: TITLE,
    description: `Strahler (1957) order of each pixel of a stream, 0 elsewhere. ${RULE}`,
    lineage: 'Strahler orders of D8 flow over a digital elevation model with filled depressions',
    keywords: ['streams', 'stream order', 'hydrology'],
  },
  block: 'streamOrderBlock',
  type: 'uint8',
  cog: { palette: PALETTE, names: NAMES, nodata: UNKNOWN_ORDER, overviews: 'greatest' },
  content: (cog) => ({ classes: classesOf(cog), dataType: 'uint8', nodata: UNKNOWN_ORDER }),
  style: (layerName) => ({ qml: rasterQml(CLASSES), sld: rasterSld(layerName, TITLE, CLASSES) }),
  colors: { palette: { ...PALETTE, 0: [...rgb(NO_STREAM.color), 255] } },
  also: publishShares,
});

/** Orders with counts and shares of the pixels with elevation. */
function classesOf({ histogram, inside }: WrittenRaster): NonEmpty<ClassInput> {
  const count = (value: number): number => histogram[value] ?? 0;
  const known = CLASSES.reduce((sum, { value }) => sum + count(value), 0);
  const counted = (value: number) => ({
    count: count(value),
    percentage: percentOf(count(value), known),
  });
  const land = {
    value: 0,
    name: 'no_stream',
    title: NO_STREAM.label,
    description: 'Land without a stream',
    color: NO_STREAM.color,
  };
  const unknown = {
    value: UNKNOWN_ORDER,
    name: 'no_data',
    description: 'No elevation',
    nodata: true,
    count: Math.max(0, inside - known),
  };
  return [{ ...land, ...counted(0) }, ...orderClasses(counted), unknown];
}

const greatestOf = (rows: readonly FeatureRow[]): number =>
  Math.max(0, ...rows.map((row) => Number(row[GREATEST] ?? 0)));

/** Nothing for a place without micro-watersheds, which has its raster all the same. */
async function publishShares(made: MadeRaster): Promise<Made> {
  const { job, cog, ports, step } = made;
  if (job.mws.length === 0) return madeOf([]);
  const areas = await ports.pixels.zonal({ path: cog.path, zones: mwsZones(job) }, step);
  const rows = sharesRows(job.mws, areas);
  const about = {
    layer: 'stream_order_vector',
    title: 'Stream orders per micro-watershed',
    description: `Share of the area of each micro-watershed in pixels of streams of each Strahler order. ${RULE}`,
    lineage: 'Areas of stream pixels by order, edge pixels weighted by covered fraction',
    keywords: ['streams', 'stream order', 'hydrology', 'micro-watersheds'],
  };
  const draft = {
    about: aboutOf(about, made),
    workspace: WORKSPACE,
    dataset: DATASET,
    layerName: (place: string) => `stream_order_${place}_vector`,
    rows,
    columns: LAYER_COLUMNS,
    style: orderStyle(GREATEST, 'Greatest stream order', [NO_STREAM, ...ordersTo(greatestOf(rows))]),
    preview: 'Each micro-watershed in the colour of the greatest order of a stream in it.',
    tables: [{ name: 'stream_order', key: 'uid', columns: SHEET_COLUMNS, rows: sheetRows(rows) }],
  };
  return publishMws(draft, made);
}
