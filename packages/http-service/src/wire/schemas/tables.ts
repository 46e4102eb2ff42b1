import type { StoredTable, TableHead } from '@headwater/core';
import { z } from 'zod';
import { createAddresses } from '../addresses.ts';
import { BlockParams } from './stac.ts';

/** Path parameters of a table. */
export const TableParams = BlockParams.extend({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, 'Not a name of a table.')
    .describe('Name of the table, e.g. croppingIntensity_annual.'),
});

/** Query of a table. */
export const TableQuery = z.object({
  format: z
    .enum(['json', 'csv', 'html'], 'Must be json, csv or html.')
    .optional()
    .describe('Default: as Accept asks, json or html; else json.'),
});

const Column = z.object({
  name: z.string(),
  type: z.enum(['number', 'text', 'integer', 'list']),
  unit: z.string().optional(),
  description: z.string(),
});

const shared = {
  name: z.string(),
  key: z.string().describe('Column whose value names a row.'),
  columns: z.array(Column),
  item_id: z.string().nullable().describe('Item of the block that tells of it, e.g. of which years it is.'),
  run_id: z.string().describe('Run that published it.'),
  version: z.int().describe('Counts its publications from 1.'),
  published: z.string().describe('ISO 8601 UTC.'),
};

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** A table with its rows. */
export const TableBody = z
  .object({ ...shared, rows: z.array(z.record(z.string(), z.union([scalar, z.array(scalar)]))) })
  .meta({ id: 'Table' });

/** Tables of a block without their rows. */
export const TableList = z
  .object({
    tables: z.array(
      z.object({ ...shared, row_count: z.int(), links: z.object({ json: z.string(), csv: z.string() }) }),
    ),
  })
  .meta({ id: 'TableList' });

function headBody({ name, key, columns, itemId, runId, version, publishedAt }: TableHead) {
  return { name, key, columns: [...columns], item_id: itemId, run_id: runId, version, published: publishedAt };
}

/** Table -> wire object. */
export function tableBody(table: StoredTable): object {
  return { ...headBody(table), rows: table.rows };
}

/** Tables of the block at a Collection path -> wire object. */
export function tableList(
  tables: readonly TableHead[],
  { path, baseUrl }: { readonly path: string; readonly baseUrl: string },
): z.infer<typeof TableList> {
  const addresses = createAddresses(baseUrl);
  return {
    tables: tables.map((table) => {
      const link = (form: 'json' | 'csv'): string => addresses.table(path, table.name, form);
      return { ...headBody(table), row_count: table.rowCount, links: { json: link('json'), csv: link('csv') } };
    }),
  };
}
