import type { StoredTable } from '@headwater/core';
import type { TableHead } from '@headwater/core/ports';
import { z } from 'zod';
import { lang } from '../../../wire/text.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { BlockParams } from '../../stac-api/schemas/stac.ts';

/** Path parameters of a table. */
export const TableParams = BlockParams.extend({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/,
      'Must have 1 to 100 letters, digits, _ . and -, and begin with a letter or digit.',
    )
    .describe('Name of the table, e.g. croppingIntensity_annual.'),
});

/** Query of a table. */
export const TableQuery = z.object({
  format: z
    .enum(['json', 'csv', 'html'], 'Must be json, csv or html.')
    .optional()
    .describe('Default: json or html according to `Accept`; json if the request has no `Accept`.'),
  lang,
});

const Column = z.object({
  name: z.string(),
  type: z.enum(['number', 'text', 'integer', 'list']),
  unit: z.string().optional(),
  description: z.string(),
});

const shared = {
  name: z.string(),
  key: z.string().describe('Column whose value identifies a row.'),
  columns: z.array(Column),
  item_id: z
    .string()
    .nullable()
    .describe('Item of the block with facts about the table, for example its years; null if there is none.'),
  run_id: z.string().describe('Run that published the table.'),
  version: z
    .int()
    .describe('Version of the table: 1 after its first publication, then one higher after each publication.'),
  published: z.string().describe('Time of the publication, ISO 8601 UTC.'),
};

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** A table with its rows. */
export const TableBody = z
  .object({ ...shared, rows: z.array(z.record(z.string(), z.union([scalar, z.array(scalar)]))) })
  .meta({ id: 'Table' });

const links = z.object({ json: z.string(), csv: z.string() });

/** A table in the response about the run that published it. */
export const RunTable = z
  .object({ name: shared.name, item_id: shared.item_id, row_count: z.int(), links })
  .meta({ id: 'RunTable' });

/** Tables of a block without their rows. */
export const TableList = z
  .object({
    tables: z.array(z.object({ ...shared, row_count: z.int(), links })),
  })
  .meta({ id: 'TableList' });

function headBody({ name, key, columns, itemId, runId, version, publishedAt }: TableHead) {
  return { name, key, columns: [...columns], item_id: itemId, run_id: runId, version, published: publishedAt };
}

/** Converts a table into its wire form. */
export function tableBody(table: StoredTable): object {
  return { ...headBody(table), rows: table.rows };
}

/** Converts the tables of a block into wire form. */
export function tableList(
  tables: readonly TableHead[],
  { path, baseUrl }: { readonly path: string; readonly baseUrl: string },
): z.infer<typeof TableList> {
  return {
    tables: tables.map((table) => ({
      ...headBody(table),
      row_count: table.rowCount,
      links: linksOf(table, { path, baseUrl }),
    })),
  };
}

/** A table in the response about its run. `at`: path of its Collection, and public address. */
export function runTable(
  table: TableHead,
  at: { readonly path: string; readonly baseUrl: string },
): z.infer<typeof RunTable> {
  return { name: table.name, item_id: table.itemId, row_count: table.rowCount, links: linksOf(table, at) };
}

function linksOf(
  { name }: Pick<TableHead, 'name'>,
  { path, baseUrl }: { readonly path: string; readonly baseUrl: string },
): z.infer<typeof links> {
  const addresses = createAddresses(baseUrl);
  return { json: addresses.table(path, name, 'json'), csv: addresses.table(path, name, 'csv') };
}

/** Response to a workbook's refresh. */
export const WorkbookRefresh = z
  .object({
    status: z.literal('success'),
    sheets: z.array(z.string()).describe('Current sheets, ordered by name.'),
  })
  .meta({ id: 'WorkbookRefresh' });
