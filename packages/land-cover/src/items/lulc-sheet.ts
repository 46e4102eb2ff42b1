import { type Mws, sphericalAreaHa, type TableColumn, type TableRow } from '@headwater/core';
import { hectares, MWS_AREA, MWS_UID, type Sheet } from '@headwater/layer-kit';
import { LULC_CLASSES } from '../classes/classes.ts';
import type { AreasByYear } from './mws-layer.ts';

/** Name of the sheet of areas by class. */
export const LULC_SHEET = 'lulc_vector';

/** Classes that have a column, with the name of the column without the year. */
const CLASSES = LULC_CLASSES.flatMap(({ code, title, columnPrefix }) =>
  columnPrefix === null ? [] : [{ code, title, name: columnPrefix.replace('_area_', '_in_ha_') }],
);

/**
 * Creates the sheet `lulc_vector`: `{class}_in_ha_{year}` per micro-watershed; `sum_in_ha` is the area with a class in the last year. Every
 * run that publishes these areas as a vector layer also publishes the sheet, so that both have the same years.
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
  const ofClasses = years.flatMap((year) =>
    CLASSES.map(({ name, title }) => hectares(`${name}${year}`, `${title}, hydrological year ${year}, hectares`)),
  );
  return [MWS_UID, MWS_AREA, sum, ...ofClasses];
}

function row({ uid, geometry }: Mws, areas: AreasByYear): TableRow {
  const cells: Record<string, number> = {};
  let inLastYear = 0;
  for (const [year, zones] of areas) {
    inLastYear = 0;
    const hectaresOf = Object.hasOwn(zones, uid) ? zones[uid] : undefined;
    for (const { name, code } of CLASSES) {
      const area = hectaresOf?.[code] ?? 0;
      cells[`${name}${year}`] = area;
      inLastYear += area;
    }
  }
  return { uid, area_in_ha: sphericalAreaHa(geometry), sum_in_ha: inLastYear, ...cells };
}
