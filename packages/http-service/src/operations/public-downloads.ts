import { EXAMPLE_PLACE } from '../example-world.ts';
import { refreshedWorkbook, workbookReply } from '../handlers/workbook.ts';
import { operation, type Operation } from '../operation.ts';
import { json } from '../reply.ts';
import { paths } from '../wire/paths.ts';
import { WorkbookRefresh } from '../wire/schemas/downloads.ts';
import { BlockQuery } from '../wire/schemas/public-places.ts';
import { XLSX_TYPE } from '../workbook/tehsil-workbook.ts';
import { ANOTHER_VERSION, CALLER_HAS_IT } from './answers.ts';
import { ok, PARAMETER_ERRORS } from './common.ts';

/** Rows that dashboards link to without a key, as in the live system: what they tell stands in the open tables too. */
const DOWNLOAD_ROW = {
  method: 'GET',
  auth: 'public',
  tag: 'public',
  query: BlockQuery,
  errors: [...PARAMETER_ERRORS, 'not_found'],
  errorFormat: 'key',
  examples: [
    { name: 'sample', query: EXAMPLE_PLACE, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_PLACE, block: 'Nowhere' }, status: 404 },
    { name: 'no block', query: { state: EXAMPLE_PLACE.state, district: EXAMPLE_PLACE.district }, status: 400 },
  ],
} as const;

const WORKBOOK_ROW = {
  ...DOWNLOAD_ROW,
  description:
    'A sheet for each table of the tehsil, as `get_tehsil_data/` has them, with columns in the spelling of spreadsheets. It is made of ' +
    'the newest tables while it is sent. Texts are texts, also those that begin like a formula; a list is JSON; an unknown value is an empty cell.',
  responses: { 200: { description: 'A workbook', media: [XLSX_TYPE] }, 304: CALLER_HAS_IT, 412: ANOTHER_VERSION },
} as const;

const generateStatsExcelFile = operation({
  ...WORKBOOK_ROW,
  id: 'generateStatsExcelFile',
  path: paths.statsWorkbook,
  summary: 'Every sheet of a tehsil as a spreadsheet (.xlsx), without a key',
  handler: ({ query: place, method, headers }, deps) => workbookReply(deps, { place, method, headers }),
});

const downloadExcelLayer = operation({
  ...WORKBOOK_ROW,
  id: 'downloadExcelLayer',
  path: paths.layersWorkbook,
  summary: 'The same as `generate_stats_excel_file/`',
  handler: ({ query: place, method, headers }, deps) => workbookReply(deps, { place, method, headers }),
});

const addNewLayerData = operation({
  ...DOWNLOAD_ROW,
  id: 'addNewLayerDataToExcel',
  path: paths.refreshWorkbook,
  summary: 'Names the sheets that the workbook of a tehsil has now; it follows the tables by itself',
  description:
    'In the live system this adds sheets to a file. Here a workbook is made of the newest tables whenever it is asked for, so there is ' +
    "nothing to add; an operator's own file of it (`EXCEL_PATH`) is written anew where it is older than its tables.",
  responses: { 200: ok('What the workbook has', WorkbookRefresh) },
  handler: async ({ query }, deps) => json(200, await refreshedWorkbook(deps, query)),
});

/** Files of a tehsil's numbers for people and dashboards. */
export const publicDownloadOperations = [
  generateStatsExcelFile,
  downloadExcelLayer,
  addNewLayerData,
] satisfies readonly Operation[];
