import type { Mws, TableColumn, Village } from '@headwater/core';
import { sphericalAreaHa } from '@headwater/core/geo';
import { MWS_AREA, MWS_UID, type Sheet } from '@headwater/layer-kit';
import { outlineRows, overlapHa } from './overlap.ts';

/** Smallest common area, ha: one pixel. The borders come from different maps, so a smaller common area is an error. */
const LEAST_HA = 0.01;

/** Columns, named as in the CoRE Stack backend. */
const COLUMNS: readonly TableColumn[] = [
  { ...MWS_UID, name: 'mws uid' },
  MWS_AREA,
  {
    name: 'village ids',
    type: 'list',
    description: `Ids of the villages that share at least ${LEAST_HA} hectares with the micro-watershed, ascending`,
  },
];

/**
 * Creates the sheet `mws_intersect_villages`; undefined without village ids, because an empty list would mean no
 * villages.
 */
export function villageSheet(mws: readonly Mws[], villages: readonly Village[]): Sheet | undefined {
  const known = villages.filter(({ id }) => id !== 0).map(({ id, geometry }) => ({ id, rows: outlineRows(geometry) }));
  if (known.length === 0) return undefined;
  const rows = mws.map(({ uid, geometry }) => {
    const own = outlineRows(geometry);
    const found = known.filter((village) => overlapHa(own, village.rows) >= LEAST_HA).map(({ id }) => id);
    return {
      'mws uid': uid,
      area_in_ha: sphericalAreaHa(geometry),
      'village ids': [...new Set(found)].toSorted((a, b) => a - b),
    };
  });
  return { name: 'mws_intersect_villages', key: 'mws uid', columns: COLUMNS, rows };
}
