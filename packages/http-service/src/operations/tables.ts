import { EXAMPLE_PLACE, EXAMPLE_TABLE } from '../example-world.ts';
import { tableReply, tablesOf } from '../handlers/tables.ts';
import { operation, type Operation } from '../operation.ts';
import { json } from '../reply.ts';
import { paths } from '../wire/paths.ts';
import { BlockParams } from '../wire/schemas/stac.ts';
import { TableBody, TableList, TableParams, TableQuery } from '../wire/schemas/tables.ts';
import { ok, PARAMETER_ERRORS } from './common.ts';

const table = { ...EXAMPLE_PLACE, name: EXAMPLE_TABLE };

const listTables = operation({
  id: 'listTables',
  method: 'GET',
  path: paths.tables,
  auth: 'public',
  tag: 'tables',
  summary: 'Tables of a block (tehsil): their columns, without rows',
  params: BlockParams,
  responses: { 200: ok('Tables by name', TableList) },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [
    { name: 'sample', params: EXAMPLE_PLACE, status: 200 },
    { name: 'unknown', params: { ...EXAMPLE_PLACE, block: 'nowhere' }, status: 404 },
  ],
  async handler({ params }, deps) {
    return json(200, await tablesOf(deps, params));
  },
});

const getTable = operation({
  id: 'getTable',
  method: 'GET',
  path: paths.table,
  auth: 'public',
  tag: 'tables',
  summary: 'A table of a block (tehsil) as JSON or CSV, the newest version',
  description:
    'In CSV, a text that a spreadsheet would run as a formula has an apostrophe in front; a list is JSON, an unknown value an empty field.',
  params: TableParams,
  query: TableQuery,
  responses: {
    200: { ...ok('The table', TableBody), media: ['application/json', 'text/csv'] },
    304: { description: 'The caller has it already' },
    412: { description: 'Another version than `If-Match` names, or a newer one than `If-Unmodified-Since`' },
  },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [
    { name: 'sample', params: table, status: 200 },
    { name: 'csv', params: table, query: { format: 'csv' }, status: 200 },
    { name: 'unknown', params: { ...table, name: 'nothing' }, status: 404 },
  ],
  handler({ params, query: { format = 'json' }, headers }, deps) {
    return tableReply(deps, { params, format, headers });
  },
});

/** Tables that runs published. */
export const tableOperations = [listTables, getTable] satisfies readonly Operation[];
