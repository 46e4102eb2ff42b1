import { type Mws, sphericalAreaHa, type TableColumn, type ZonalAreas } from '@headwater/core';
import { type FeatureRow, MWS_AREA, MWS_UID } from '@headwater/layer-kit';
import { GREATEST_ORDER, sharesOfOrders } from '../../zones/stream-order-shares.ts';

/** Attribute by which the layer is drawn. */
export const GREATEST = 'greatest_order';

const ORDERS = Array.from({ length: GREATEST_ORDER }, (_, index) => index + 1);
const shareName = (order: number): string => `order_${order}_area_percent`;

const SHARES: readonly TableColumn[] = ORDERS.map((order) => ({
  name: shareName(order),
  type: 'number',
  unit: '%',
  description: `Share of the area in pixels of streams of order ${order}${order === GREATEST_ORDER ? ' and above' : ''}, percent of the land with elevation`,
}));
const GREATEST_COLUMN: TableColumn = {
  name: GREATEST,
  type: 'integer',
  description: `Greatest order of a stream in it (${GREATEST_ORDER} stands for greater ones too), 0 without one; null without elevation`,
};

/** Columns of the layer. */
export const LAYER_COLUMNS: readonly TableColumn[] = [MWS_UID, MWS_AREA, ...SHARES, GREATEST_COLUMN];
/** Columns of sheet `stream_order`. */
export const SHEET_COLUMNS: readonly TableColumn[] = [MWS_UID, ...SHARES];

/** Shares of each order in each micro-watershed; `areas` are hectares by order, `[256]` per uid. */
export function sharesRows(mws: readonly Mws[], areas: ZonalAreas): readonly FeatureRow[] {
  return mws.map(({ uid, geometry }) => {
    const shares = sharesOfOrders((Object.hasOwn(areas, uid) ? areas[uid] : undefined) ?? []);
    return {
      uid,
      area_in_ha: sphericalAreaHa(geometry),
      ...Object.fromEntries(ORDERS.map((order, index) => [shareName(order), shares?.[index] ?? null])),
      [GREATEST]: shares === undefined ? null : shares.findLastIndex((share) => share > 0) + 1,
    };
  });
}

/** Rows of the sheet: of those of the layer what it has columns for. */
export const sheetRows = (rows: readonly FeatureRow[]): readonly FeatureRow[] =>
  rows.map((row) => Object.fromEntries(SHEET_COLUMNS.map(({ name }) => [name, row[name] ?? null])));
