import {
  featureGeometry,
  type Mws,
  type PublishedTable,
  sphericalAreaHa,
  type TableColumn,
  type ZonalAreas,
} from '@headwater/core';
import type { Feature, MultiPolygon } from 'geojson';
import { GREATEST_ORDER, sharesOfOrders } from '../../zones/stream-order-shares.ts';
import { AREA, columnInputs, UID } from '../shared/columns.ts';
import type { Attributes } from '../shared/vector-layer.ts';

/** Attribute by which the layer is drawn. */
export const GREATEST = 'greatest_order';

const ORDERS = Array.from({ length: GREATEST_ORDER }, (_, index) => index + 1);
const shareName = (order: number): string => `order_${order}_area_percent`;

const SHARES: readonly TableColumn[] = ORDERS.map((order) => ({
  name: shareName(order),
  type: 'number',
  unit: '%',
  description: `Share of the area in pixels of streams of order ${order}, percent of the land with elevation`,
}));
const GREATEST_COLUMN: TableColumn = {
  name: GREATEST,
  type: 'integer',
  description: 'Greatest order of a stream in it, 0 without one; null without elevation',
};

/** `table:columns` of the layer. */
export const sharesColumns = columnInputs([UID, AREA, ...SHARES, GREATEST_COLUMN], 'Outline of the micro-watershed');

/** Shares of each order in each micro-watershed; `areas` are hectares by order, `[256]` per uid. */
export function sharesFeatures(mws: readonly Mws[], areas: ZonalAreas): readonly Feature<MultiPolygon, Attributes>[] {
  return mws.map(({ uid, geometry }) => {
    const shares = sharesOfOrders((Object.hasOwn(areas, uid) ? areas[uid] : undefined) ?? []);
    const properties = {
      uid,
      area_in_ha: sphericalAreaHa(geometry),
      ...Object.fromEntries(ORDERS.map((order, index) => [shareName(order), shares?.[index] ?? null])),
      [GREATEST]: shares === undefined ? null : shares.findLastIndex((share) => share > 0) + 1,
    };
    return { type: 'Feature', properties, geometry: featureGeometry(geometry) };
  });
}

/** Sheet `stream_order` of a tehsil: the shares, a row per micro-watershed. */
export function sharesTable(tehsilId: number, features: readonly Feature<MultiPolygon, Attributes>[]): PublishedTable {
  const columns = [UID, ...SHARES];
  return {
    name: 'stream_order',
    tehsilId,
    key: 'uid',
    columns,
    rows: features.map(({ properties }) =>
      Object.fromEntries(columns.map(({ name }) => [name, properties[name] ?? null])),
    ),
  };
}
