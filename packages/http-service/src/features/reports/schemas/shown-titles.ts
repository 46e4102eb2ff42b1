import type { TextName } from '../../../pages/texts.ts';
import { WATER_BODIES_SHEET } from '../../public-data/schemas/kyl-record.ts';
import { LISTED_SHEETS, VILLAGES } from './listed-sheets.ts';
import { CHANGE_SHEETS, NDVI_SERIES, SHARES_SHEETS, WATER_SERIES, YEARLY_SHEETS } from './report-sheets.ts';

/** What a sheet or series is called on pages: texts that follow each other, the general one first. */
export type ShownTitle = readonly TextName[];

/** Titles of the sheets that reports know, by their names. */
export const SHEET_TITLES: ReadonlyMap<string, ShownTitle> = new Map<string, ShownTitle>([
  ...[...YEARLY_SHEETS, ...SHARES_SHEETS, ...LISTED_SHEETS].map(({ sheet, title }): [string, ShownTitle] => [
    sheet,
    [title],
  ]),
  ...CHANGE_SHEETS.map(({ sheet, name }): [string, ShownTitle] => [sheet, ['changes', name]]),
  [VILLAGES.sheet, ['villages']],
  [WATER_BODIES_SHEET, ['bodies']],
]);

/** Titles of the series that reports know, by their names. */
export const SERIES_TITLES: ReadonlyMap<string, ShownTitle> = new Map<string, ShownTitle>([
  ...NDVI_SERIES.map(({ series, name }): [string, ShownTitle] => [series, ['ndvi', name]]),
  ...WATER_SERIES.map(({ series, name }): [string, ShownTitle] => [series, [name]]),
]);
