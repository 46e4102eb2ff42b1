import type { TableCell, TableColumn } from '@headwater/core';
import { hectares, MWS_AREA, MWS_UID } from '@headwater/layer-kit';
import { isMostlySeen } from '@headwater/core/values';
import { type CropAreas, croppingIntensity, type CropYear, intensityWithoutClass11, singleArea } from './intensity.ts';
import { yearRange } from '../years/yearly-areas.ts';

/** Cropland of one micro-watershed over several years. */
export interface CropHistory {
  readonly uid: string;
  /** Area on the authalic sphere, ha. */
  readonly areaHa: number;
  /** Hectares with a crop class in any year. */
  readonly cropableEver: number;
  readonly years: ReadonlyMap<number, CropYear>;
}

interface Part {
  /** First part of the column's name. The layer appends the year; the sheet appends the unit and the year. */
  readonly name: string;
  readonly title: string;
  readonly of: (areas: CropAreas) => number;
}

const PARTS: readonly Part[] = [
  { name: 'single_kharif_cropped_area', title: 'Cropped once, in kharif', of: (areas) => areas.singleKharif },
  {
    name: 'single_non_kharif_cropped_area',
    title: 'Cropped once, not in kharif',
    of: (areas) => areas.singleNonKharif,
  },
  { name: 'single_cropped_area', title: 'Cropped once', of: singleArea },
  { name: 'doubly_cropped_area', title: 'Cropped twice', of: (areas) => areas.double },
  { name: 'triply_cropped_area', title: 'Cropped three times or all year', of: (areas) => areas.triple },
];
const INTENSITY = 'Crops per year on land that was ever cropped and was seen in this year, 0 to 3, without a unit';
const WITHOUT_11 =
  'Crops per year as in cropping_intensity, without land of class 11 (three crops a year, or an annual or perennial crop)';
const UNSEEN = 'Hectares of the micro-watershed without a class, because too few images show them';
const UNSEEN_CROPABLE = 'Hectares without a class within the land that was ever cropped';
const NULL_AREA =
  'null if less than half of the land that was ever cropped (without such land: of the micro-watershed) was seen in this year';
const NULL_INTENSITY =
  'null if no land was ever cropped, or if less than half of the land that was ever cropped was seen in this year';
const NULL_WITHOUT_11 = `${NULL_INTENSITY}, or if all of this land that was seen has class 11`;

interface Cell {
  readonly column: TableColumn;
  readonly of: (history: CropHistory) => TableCell;
}

const UID_CELL: Cell = { column: MWS_UID, of: ({ uid }) => uid };
const AREA_CELL: Cell = { column: MWS_AREA, of: ({ areaHa }) => areaHa };

const partCell = (name: string, part: Part, year: number): Cell => ({
  column: hectares(name, `${part.title}: hectares, hydrological year ${year}; ${NULL_AREA}`),
  of: (history) => {
    const areas = history.years.get(year);
    return areas === undefined || !holds(areas, history) ? null : part.of(areas);
  },
});

/** True if at least half of the cropable land was seen. Without cropable land, half of the whole area must be seen. */
const holds = (year: CropYear, { cropableEver, areaHa }: CropHistory): boolean =>
  cropableEver === 0 ? isMostlySeen(year.unseen, areaHa) : isMostlySeen(year.unseenCropable, cropableEver);

const unseenCell = (
  name: string,
  [key, title]: readonly ['unseen' | 'unseenCropable', string],
  year: number,
): Cell => ({
  column: hectares(name, `${title}; hydrological year ${year}`),
  of: ({ years }) => years.get(year)?.[key] ?? null,
});

interface Intensity {
  readonly of: typeof croppingIntensity;
  readonly title: string;
  /** Condition under which the intensity is null. */
  readonly absent: string;
}

const ALL_CROPS: Intensity = { of: croppingIntensity, title: INTENSITY, absent: NULL_INTENSITY };
const OTHER_CROPS: Intensity = { of: intensityWithoutClass11, title: WITHOUT_11, absent: NULL_WITHOUT_11 };

const intensityCell = (name: string, { of, title, absent }: Intensity, year: number): Cell => ({
  column: { name, type: 'number', description: `${title}; hydrological year ${year}; ${absent}` },
  of: ({ years, cropableEver }) => {
    const areas = years.get(year);
    return areas === undefined ? null : of(areas, cropableEver);
  },
});

const everCell = (name: string, [first, last]: readonly [number, number]): Cell => ({
  column: hectares(name, `Hectares that had a crop class in any hydrological year from ${first} to ${last}`),
  of: ({ cropableEver }) => cropableEver,
});

/** Columns of the layer: the columns of the CoRE Stack, intensity without class 11, and unseen areas. */
export function layerCells(years: readonly number[]): readonly Cell[] {
  const ends = endsOf(years);
  return [
    UID_CELL,
    AREA_CELL,
    ...years.flatMap((year) => [
      ...PARTS.map((part) => partCell(`${part.name}_${year}`, part, year)),
      intensityCell(`cropping_intensity_${year}`, ALL_CROPS, year),
      intensityCell(`cropping_intensity_without_class_11_${year}`, OTHER_CROPS, year),
      unseenCell(`unseen_area_${year}`, ['unseen', UNSEEN], year),
      unseenCell(`unseen_cropable_area_${year}`, ['unseenCropable', UNSEEN_CROPABLE], year),
    ]),
    everCell(`total_cropable_area_ever_hydroyear_${ends.join('_')}`, ends),
  ];
}

/** Columns of the sheet `croppingIntensity_annual`. */
export function sheetCells(years: readonly number[]): readonly Cell[] {
  return [
    UID_CELL,
    AREA_CELL,
    ...years.flatMap((year) => [
      intensityCell(`cropping_intensity_unit_less_${yearRange(year)}`, ALL_CROPS, year),
      intensityCell(`cropping_intensity_without_class_11_unit_less_${yearRange(year)}`, OTHER_CROPS, year),
      ...PARTS.map((part) => partCell(`${part.name}_in_ha_${yearRange(year)}`, part, year)),
      unseenCell(`unseen_area_in_ha_${yearRange(year)}`, ['unseen', UNSEEN], year),
      unseenCell(`unseen_cropable_area_in_ha_${yearRange(year)}`, ['unseenCropable', UNSEEN_CROPABLE], year),
    ]),
    everCell('sum_area_in_ha', endsOf(years)),
  ];
}

const endsOf = (years: readonly number[]): readonly [number, number] => [years[0] ?? 0, years.at(-1) ?? 0];

/** Row of a micro-watershed. */
export const rowOf = (cells: readonly Cell[], history: CropHistory): Readonly<Record<string, TableCell>> =>
  Object.fromEntries(cells.map(({ column, of }) => [column.name, of(history)]));
