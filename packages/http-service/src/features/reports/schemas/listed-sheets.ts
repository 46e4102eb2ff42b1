import type { TextName } from '../../../pages/texts.ts';
import { WATER_BODIES_SHEET } from '../../public-data/schemas/kyl-record.ts';
import { CHANGE_SHEETS, NDVI_SERIES, SHARES_SHEETS, WATER_SERIES, YEARLY_SHEETS } from './report-sheets.ts';

/** A sheet whose rows are listed. `columns`: the listed columns with their headings. */
export interface ListedSheet {
  readonly sheet: string;
  readonly title: TextName;
  readonly columns: Readonly<Record<string, TextName>>;
}

/** Sheets whose rows are listed. Columns with personal data are left out. */
export const LISTED_SHEETS: readonly ListedSheet[] = [
  {
    sheet: 'mining',
    title: 'mines',
    columns: { proposal: 'proposal', division: 'division', sector_moefcc: 'sector', village: 'village' },
  },
  { sheet: 'lcw_conflict', title: 'conflicts', columns: { title_of_conflict: 'name', link_to_conflict: 'link' } },
  {
    sheet: 'green_credit',
    title: 'greenCredit',
    columns: { division: 'division', land_info: 'land', kml_url: 'link' },
  },
  {
    sheet: 'factory_csr',
    title: 'factories',
    columns: { company_name: 'name', address: 'address', 'location t': 'place' },
  },
  { sheet: 'canal', title: 'canals', columns: { canal_name: 'name', project_name: 'project' } },
  { sheet: 'river', title: 'rivers', columns: { river_name: 'name' } },
  {
    sheet: 'agroecological',
    title: 'organizations',
    columns: { organization_name: 'name', organization_type: 'kind', domains: 'topics' },
  },
];

/** Sheet of the villages in a micro-watershed, and its column of ids. */
export const VILLAGES = { sheet: 'mws_intersect_villages', column: 'village ids' } as const;

/** Columns that sections leave out: they identify the row, or are in the head of the report. */
export const HEADER_COLUMNS: ReadonlySet<string> = new Set(['id', 'uid', 'mws_id', 'mws uid', 'area_in_ha']);

/** Sheets without section, because their figures are derived from other sheets. */
export const UNSHOWN_SHEETS: ReadonlySet<string> = new Set(['kyl_cropping_intensity', 'kyl_surface_water']);

/** Title of a sheet or series: names of one or two texts, which are joined. */
export type ShownTitle = readonly TextName[];

/** Titles of sheets in reports, by sheet name. */
export const SHEET_TITLES: ReadonlyMap<string, ShownTitle> = new Map<string, ShownTitle>([
  ...[...YEARLY_SHEETS, ...SHARES_SHEETS, ...LISTED_SHEETS].map(({ sheet, title }): [string, ShownTitle] => [
    sheet,
    [title],
  ]),
  ...CHANGE_SHEETS.map(({ sheet, name }): [string, ShownTitle] => [sheet, ['changes', name]]),
  [VILLAGES.sheet, ['villages']],
  [WATER_BODIES_SHEET, ['bodies']],
]);

/** Titles of series in reports, by series name. */
export const SERIES_TITLES: ReadonlyMap<string, ShownTitle> = new Map<string, ShownTitle>([
  ...NDVI_SERIES.map(({ series, name }): [string, ShownTitle] => [series, ['ndvi', name]]),
  ...WATER_SERIES.map(({ series, name }): [string, ShownTitle] => [series, [name]]),
]);
