import type { TableColumn, TableRow } from '@headwater/core';
import { describedColumns, MWS_UID, type VectorStyle } from '@headwater/layer-kit';
import { DIRECTIONS } from '../../zones/connectivity.ts';
import type { Connection } from './block.ts';

const DIRECTION = {
  name: 'direction',
  type: 'integer',
  description:
    'Direction of its drainage: 0 into no other micro-watershed of the tehsil, 1 NE, 2 E, 3 SE, 4 S, 5 SW, 6 W, 7 NW, 8 N; null without elevation',
} as const satisfies TableColumn;
const DOWNSTREAM = 'Micro-watershed that receives most of its water; null if none of the tehsil does';
const UPSTREAM = 'Micro-watersheds that drain mostly into it';

/** Attributes of a micro-watershed. */
export type ConnectivityRow = {
  readonly uid: string | null;
  readonly direction: number | null;
  readonly downstream: string | null;
  readonly upstream: string;
};

/**
 * Columns of the layer, named as in the existing service. A list is written as JSON, since attributes of features hold
 * no lists.
 */
export const LAYER_COLUMNS = describedColumns<ConnectivityRow>()({
  uid: MWS_UID,
  direction: DIRECTION,
  downstream: { type: 'text', description: DOWNSTREAM },
  upstream: { type: 'text', description: `${UPSTREAM}, a JSON list` },
});

/** Columns of sheet `mws_connectivity`. */
export const SHEET_COLUMNS: readonly TableColumn[] = [
  MWS_UID,
  DIRECTION,
  { name: 'downstream_mws', type: 'text', description: DOWNSTREAM },
  { name: 'upstream_mws', type: 'list', description: UPSTREAM },
];

/** Rows of the layer and of the sheet; `found[k]` is the connection of `uids[k]`. */
export function connectivityRows(
  uids: readonly string[],
  found: readonly Connection[],
): { readonly layer: readonly ConnectivityRow[]; readonly sheet: readonly TableRow[] } {
  const uidOf = (zone: number): string | null => uids[zone - 1] ?? null;
  const rows = found.map(({ downstream, upstream, direction }, index) => ({
    uid: uidOf(index + 1),
    direction: downstream === null ? null : direction,
    downstream: downstream === null ? null : uidOf(downstream),
    upstream: upstream.flatMap((zone) => uidOf(zone) ?? []),
  }));
  return {
    layer: rows.map((row) => ({ ...row, upstream: JSON.stringify(row.upstream) })),
    sheet: rows.map(({ uid, direction, downstream, upstream }) => ({
      uid,
      direction,
      downstream_mws: downstream,
      upstream_mws: upstream,
    })),
  };
}

/** Grey for no direction, then eight colours around the colour circle, so that neighbouring directions have similar colours. */
const COLORS = ['#bdbdbd', '#d9b53b', '#93c83d', '#3fae4b', '#35b08f', '#3a86c8', '#5b57c4', '#a44cc0', '#d2505f'];

/** Each micro-watershed in the colour of its direction. */
export const CONNECTIVITY_STYLE: VectorStyle = {
  attribute: DIRECTION.name,
  title: 'Direction of drainage',
  limits: [-0.5, ...DIRECTIONS.map((_, code) => code + 0.5)],
  colors: COLORS,
  labels: DIRECTIONS,
};
