import { EXAMPLE_PLACE, EXAMPLE_TABLE } from '../../../rows/example-world.ts';
import { pageOrDocument, pageReply, prefersPage } from '../../../answering/page-or-document.ts';
import { tableFacts, tablesFacts } from '../handlers/table-facts.ts';
import { tableReply, tablesOf } from '../handlers/tables.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { tablePage, tablesPage } from '../page/tables-page.ts';
import { shellFor } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';
import { BlockParams } from '../../stac-api/schemas/stac.ts';
import { TableBody, TableList, TableParams, TableQuery } from '../schemas/tables.ts';
import { FormQuery, PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';

const table = { ...EXAMPLE_PLACE, name: EXAMPLE_TABLE };

const listTables = operation({
  id: 'listTables',
  method: 'GET',
  path: paths.tables,
  auth: 'public',
  tag: 'tables',
  summary: 'Lists the tables of a block (tehsil) with their columns, without rows',
  params: BlockParams,
  query: FormQuery,
  responses: { 200: { ...ok('Tables by name', TableList), media: ['text/html'] }, 304: NOT_MODIFIED },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [
    { name: 'sample', params: EXAMPLE_PLACE, status: 200 },
    { name: 'page', params: EXAMPLE_PLACE, query: { format: 'html' }, status: 200 },
    { name: 'unknown', params: { ...EXAMPLE_PLACE, block: 'nowhere' }, status: 404 },
  ],
  handler({ params, headers, queryText, remoteAddress, query: { format } }, deps) {
    return pageOrDocument(
      { headers, format },
      {
        document: () => tablesOf(deps, params),
        shell: () => shellFor({ headers, queryText, remoteAddress }, deps),
        page: async (shell) => tablesPage({ ...(await tablesFacts(deps, params, shell.language)), shell }),
      },
    );
  },
});

const getTable = operation({
  id: 'getTable',
  method: 'GET',
  path: paths.table,
  auth: 'public',
  tag: 'tables',
  summary: 'Returns the newest version of a table of a block (tehsil) as JSON, CSV or a page',
  description:
    'In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe. Lists are written as JSON, and unknown values as empty fields.',
  params: TableParams,
  query: TableQuery,
  responses: {
    200: { ...ok('The table', TableBody), media: ['application/json', 'text/csv', 'text/html'] },
    304: NOT_MODIFIED,
    412: PRECONDITION_FAILED,
  },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [
    { name: 'sample', params: table, status: 200 },
    { name: 'csv', params: table, query: { format: 'csv' }, status: 200 },
    { name: 'page', params: table, query: { format: 'html' }, status: 200 },
    { name: 'unknown', params: { ...table, name: 'nothing' }, status: 404 },
  ],
  async handler({ params, query: { format }, headers, queryText, remoteAddress }, deps) {
    if (format === 'csv') return tableReply(deps, { params, format, headers });
    if (prefersPage({ headers, format })) {
      const shell = await shellFor({ headers, queryText, remoteAddress }, deps);
      return pageReply(tablePage({ ...(await tableFacts(deps, params, shell.language)), shell }), shell);
    }
    return tableReply(deps, { params, format: 'json', headers });
  },
});

/** Operations of the tables that runs have published. */
export const tableOperations = [listTables, getTable] satisfies readonly Operation[];
