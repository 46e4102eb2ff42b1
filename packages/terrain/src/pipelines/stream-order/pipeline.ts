import {
  type Mws,
  mwsZones,
  type Rgba,
  sphericalAreaHa,
  type TableColumn,
  type WrittenRaster,
  type ZonalAreas,
} from '@headwater/core';
import { percentOf } from '@headwater/core/values';
import {
  type FeatureRow,
  type RunOutput,
  joinOutputs,
  MWS_AREA,
  MWS_UID,
  publishMws,
  rasterQml,
  rasterSld,
  rgb,
  type StyleClass,
} from '@headwater/layer-kit';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { STREAM_HECTARES } from '../../hydrology/stream-network.ts';
import {
  greatestOrder,
  GREATEST_ORDER,
  sharesOfOrders,
  UNKNOWN_ORDER,
  unknownShare,
} from '../../zones/stream-order-shares.ts';
import { aboutOf } from '../dem/dem-run.ts';
import { FLOW_SURROUNDINGS } from '../dem/dem-run.ts';
import { streamParamsOf, streamProperties, type StreamSettings } from '../dem/stream-settings.ts';
import { demPipeline, type MadeRaster } from '../dem/raster-pipeline.ts';
import { ORDER_CLASSES, orderClasses, orderColor, ordersTo, orderStyle } from './orders.ts';

/** Attribute that determines the colour of a micro-watershed. */
const GREATEST = 'greatest_order';

const ORDERS = Array.from({ length: GREATEST_ORDER }, (_, index) => index + 1);
const shareName = (order: number): string => `order_${order}_area_percent`;

const SHARES: readonly TableColumn[] = ORDERS.map((order) => ({
  name: shareName(order),
  type: 'number',
  unit: '%',
  description: `Area of the stream pixels of order ${order}${order === GREATEST_ORDER ? ' and above' : ''}, percent of the land with a known order`,
}));
const GREATEST_COLUMN: TableColumn = {
  name: GREATEST,
  type: 'integer',
  description:
    `Greatest order of a stream in the micro-watershed, as far as orders are known. ${GREATEST_ORDER} also stands ` +
    'for greater orders, and 0 means no stream. Null if the order of more than half of the area is unknown',
};

const UNKNOWN = 'unknown_order_area_percent';
const UNKNOWN_COLUMN: TableColumn = {
  name: UNKNOWN,
  type: 'number',
  unit: '%',
  description:
    'Share of the area whose order is unknown, because it has no elevation, or because water from land that is not in the elevation model may reach it, percent of the area',
};

const LAYER_COLUMNS: readonly TableColumn[] = [MWS_UID, MWS_AREA, ...SHARES, UNKNOWN_COLUMN, GREATEST_COLUMN];
const SHEET_COLUMNS: readonly TableColumn[] = [MWS_UID, ...SHARES, UNKNOWN_COLUMN];

/** Rows of the layer and of the sheet. `areas`: hectares by order, `[256]` per uid. */
function sharesRows(mws: readonly Mws[], areas: ZonalAreas): readonly FeatureRow[] {
  return mws.map(({ uid, geometry }) => {
    const own = Object.hasOwn(areas, uid) ? areas[uid] : undefined;
    const shares = sharesOfOrders(own ?? []);
    const unknown = unknownShare(own ?? []);
    return {
      uid,
      area_in_ha: sphericalAreaHa(geometry),
      ...Object.fromEntries(ORDERS.map((order, index) => [shareName(order), shares?.[index] ?? null])),
      [UNKNOWN]: unknown,
      [GREATEST]: greatestOrder(own ?? []),
    };
  });
}

const sheetRows = (rows: readonly FeatureRow[]): readonly FeatureRow[] =>
  rows.map((row) => Object.fromEntries(SHEET_COLUMNS.map(({ name }) => [name, row[name] ?? null])));

const NAME = 'stream_order';
const WORKSPACE = 'stream_order';
const DATASET = 'Stream Order';
const TITLE = 'Strahler order of streams';
const ruleOf = (hectares: number): string =>
  `A stream begins where ${hectares} ha of land drain through a pixel; where two streams of one order meet, the order rises by one.`;

const NO_STREAM: StyleClass = { value: 0, label: 'No stream', color: orderColor(0), alpha: 0 };
const CLASSES: readonly StyleClass[] = [NO_STREAM, ...ORDER_CLASSES];
const PALETTE: Readonly<Record<number, Rgba>> = Object.fromEntries(
  CLASSES.map(({ value, color, alpha }) => [value, [...rgb(color), alpha] as const]),
);
const NAMES: Readonly<Record<number, string>> = Object.fromEntries(CLASSES.map(({ value, label }) => [value, label]));

/** Pipeline of stream orders as a raster, with the shares of orders as a vector layer and as sheet `stream_order`. */
export const createStreamOrderPipeline = ({ streamHectares = STREAM_HECTARES }: StreamSettings = {}) =>
  demPipeline({
    name: NAME,
    listing: { title: 'Stream orders', theme: 'Streams and drainage', sources: ['Digital elevation model'] },
    summary:
      'Computes the Strahler orders of the streams of a tehsil from a digital elevation model, and their shares of the area of each micro-watershed.',
    initiated: 'stream_order_vector task initiated',
    workspace: WORKSPACE,
    dataset: DATASET,
    layerName: (place) => `stream_order_${place}_raster`,
    surroundings: FLOW_SURROUNDINGS,
    data: ['stream_order'],
    method: `stream-order-3/${streamHectares}`,
    about: {
      layer: 'stream_order_raster',
      title: TITLE,
      description: `Strahler (1957) order of each pixel of a stream, 0 elsewhere. ${ruleOf(streamHectares)}`,
      lineage: 'Strahler orders of D8 flow over a digital elevation model with filled depressions',
      keywords: ['streams', 'stream order', 'hydrology'],
    },
    extra: streamProperties(streamHectares),
    block: 'streamOrderBlock',
    params: (job) => streamParamsOf(job, streamHectares),
    type: 'uint8',
    cog: { palette: PALETTE, names: NAMES, nodata: UNKNOWN_ORDER, overviews: 'greatest' },
    content: (cog) => ({ classes: classesOf(cog), dataType: 'uint8', nodata: UNKNOWN_ORDER }),
    style: (layerName) => ({ qml: rasterQml(CLASSES), sld: rasterSld(layerName, TITLE, CLASSES) }),
    colors: { palette: { ...PALETTE, 0: [...rgb(NO_STREAM.color), 255] } },
    also: (made) => publishShares(made, streamHectares),
  });

/** Pipeline with the default threshold. */
export const streamOrderPipeline = createStreamOrderPipeline();

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
    description: 'No elevation, or water from land that is not in the elevation model may reach the pixel',
    nodata: true,
    count: Math.max(0, inside - known),
  };
  return [{ ...land, ...counted(0) }, ...orderClasses(counted), unknown];
}

const greatestOf = (rows: readonly FeatureRow[]): number =>
  Math.max(0, ...rows.map((row) => Number(row[GREATEST] ?? 0)));

/** Publishes the layer and the sheet of shares. Does nothing for a place without micro-watersheds. */
async function publishShares(made: MadeRaster, streamHectares: number): Promise<RunOutput> {
  const { job, cog, ports, step } = made;
  if (job.mws.length === 0) return joinOutputs([]);
  const areas = await ports.pixels.zonal({ path: cog.path, zones: mwsZones(job) }, step);
  const rows = sharesRows(job.mws, areas);
  const about = {
    layer: 'stream_order_vector',
    title: 'Stream orders per micro-watershed',
    description: `Share of the area of each micro-watershed that is in pixels of streams of each Strahler order. ${ruleOf(streamHectares)}`,
    lineage: 'Areas of stream pixels by order, edge pixels weighted by covered fraction',
    keywords: ['streams', 'stream order', 'hydrology', 'micro-watersheds'],
  };
  const draft = {
    about: aboutOf(about, { ...made, extra: streamProperties(streamHectares) }),
    workspace: WORKSPACE,
    dataset: DATASET,
    layerName: (place: string) => `stream_order_${place}_vector`,
    rows,
    columns: LAYER_COLUMNS,
    style: orderStyle(GREATEST, 'Greatest stream order', [NO_STREAM, ...ordersTo(greatestOf(rows))]),
    preview: 'Each micro-watershed in the colour of the greatest order of a known stream in it.',
    tables: [{ name: 'stream_order', key: 'uid', columns: SHEET_COLUMNS, rows: sheetRows(rows) }],
  };
  return publishMws(draft, made);
}
