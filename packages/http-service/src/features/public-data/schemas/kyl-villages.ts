import type { StoredTable, TableCell } from '@headwater/core';
import { z } from 'zod';
import { sheetColumn } from './unit-sheets.ts';

/** Sheets with data of villages. */
export const VILLAGE_SHEETS = { people: 'social_economic_indicator', assets: 'nrega_assets_village' } as const;

const PEOPLE = {
  total_population: 'total_population_count',
  percent_sc_population: 'sc_percent',
  percent_st_population: 'st_percent',
  literacy_level: 'literacy_rate_percent',
} as const;

const UNKNOWN = -1;
const value = z.number().describe('-1 if unknown.');
const SHAPE = {
  total_population: value,
  percent_sc_population: value,
  percent_st_population: value,
  literacy_level: value,
  total_assets: value,
  // Always unknown: no sheet has fields about facilities.
  essential_education_infra: value,
  higher_education_infra: value,
  essential_health_services: value,
  advanced_health_services: value,
  public_distribution_system: value,
  financial_inclusion: value,
  agri_market_access: value,
  post_harvest_infra: value,
  farmer_cooperatives_access: value,
  livestock_management_centers: value,
  agricultural_support_infrastructure: value,
};

/** Data of each village of a tehsil. */
export const KylVillages = z.array(z.object({ village_id: z.number(), ...SHAPE })).meta({ id: 'KylVillages' });

const NOTHING = Object.fromEntries(Object.keys(SHAPE).map((name) => [name, UNKNOWN]));

type Fields = Readonly<Record<string, number>>;

/** Tables with data of villages; undefined for a table that does not exist. */
export type VillageTables = Readonly<Record<keyof typeof VILLAGE_SHEETS, StoredTable | undefined>>;

/** Converts the villages into wire form, by ascending id. The id 0 means no id and is skipped. */
export function villageRecords(ids: readonly number[], { people, assets }: VillageTables): readonly Fields[] {
  const populations = new Map(
    [...byVillage(people, 'village_id')].map(([id, row]) => [id, populationOf(row)] as const),
  );
  const works = new Map([...byVillage(assets, 'vill_id')].map(([id, row]) => [id, sumOf(row)] as const));
  const all = new Set([...ids, ...populations.keys(), ...works.keys()]);
  return [...all]
    .filter((id) => id !== 0)
    .toSorted((a, b) => a - b)
    .map((id) => ({ village_id: id, ...NOTHING, ...populations.get(id), total_assets: works.get(id) ?? UNKNOWN }));
}

type Numbers = ReadonlyMap<string, number>;

function byVillage(table: StoredTable | undefined, idColumn: string): ReadonlyMap<number, Numbers> {
  const columns = table?.columns.map(({ name }) => [sheetColumn(name), name] as const) ?? [];
  const rows = (table?.rows ?? []).map((row) => new Map(columns.map(([shown, name]) => [shown, numberOf(row[name])])));
  return new Map(
    rows.flatMap((row) => {
      const id = row.get(idColumn);
      const known = [...row].flatMap(([name, cell]): [string, number][] =>
        name === idColumn || cell === undefined ? [] : [[name, cell]],
      );
      return id === undefined ? [] : [[id, new Map(known)]];
    }),
  );
}

/** Number in a cell. Ids from a spreadsheet may be texts. */
function numberOf(cell: TableCell | undefined): number | undefined {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && /^\d{1,15}$/.test(cell) ? Number(cell) : undefined;
}

function populationOf(row: Numbers): Fields {
  return Object.fromEntries(Object.entries(PEOPLE).map(([field, column]) => [field, row.get(column) ?? UNKNOWN]));
}

function sumOf(row: Numbers): number {
  return [...row].reduce((sum, [name, count]) => (name.includes('_count') ? sum + count : sum), 0);
}
