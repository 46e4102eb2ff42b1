import { type Mws, sphericalAreaHa, type TableColumn, type TableRow } from '@headwater/core';
import { hectares, MWS_AREA, MWS_UID, type Sheet } from '@headwater/layer-kit';
import { LULC_CLASSES } from '../classes/classes.ts';
import { type AreasByYear, isSeen, NULL_IF_UNSEEN, UNSEEN, unseenOf } from './mws-layer.ts';

/** Name of the sheet of areas by class. */
export const LULC_SHEET = 'lulc_vector';

const CLASSES = LULC_CLASSES.flatMap(({ code, title, columnPrefix }) =>
  columnPrefix === null ? [] : [{ code, title, name: columnPrefix.replace('_area_', '_in_ha_') }],
);

/**
 * Creates the sheet `lulc_vector`: `{class}_in_ha_{year}` and `unseen_in_ha_{year}` per micro-watershed. The classes of
 * a year are null if less than half of the micro-watershed was seen.
 */
export function lulcSheet(mws: readonly Mws[], areas: AreasByYear): Sheet {
  return {
    name: LULC_SHEET,
    key: MWS_UID.name,
    columns: columnsOf(areas),
    rows: mws.map((each) => row(each, areas)),
  };
}

function columnsOf(areas: AreasByYear): readonly TableColumn[] {
  const years = [...areas.keys()];
  const sum = hectares('sum_in_ha', `Hectares that have a class in hydrological year ${years.at(-1) ?? 0}`);
  const ofClasses = years.flatMap((year) => [
    ...CLASSES.map(({ name, title }) =>
      hectares(`${name}${year}`, `${title}, hydrological year ${year}, hectares; ${NULL_IF_UNSEEN}`),
    ),
    hectares(`unseen_in_ha_${year}`, `${UNSEEN}, hydrological year ${year}`),
  ]);
  return [MWS_UID, MWS_AREA, sum, ...ofClasses];
}

function row({ uid, geometry }: Mws, areas: AreasByYear): TableRow {
  const cells: Record<string, number | null> = {};
  let inLastYear = 0;
  for (const [year, zones] of areas) {
    inLastYear = 0;
    const hectaresOf = Object.hasOwn(zones, uid) ? zones[uid] : undefined;
    const known = isSeen(hectaresOf);
    for (const { name, code } of CLASSES) {
      const area = hectaresOf?.[code] ?? 0;
      cells[`${name}${year}`] = known ? area : null;
      inLastYear += area;
    }
    cells[`unseen_in_ha_${year}`] = unseenOf(hectaresOf);
  }
  return { uid, area_in_ha: sphericalAreaHa(geometry), sum_in_ha: inLastYear, ...cells };
}
