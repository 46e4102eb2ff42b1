import { z } from 'zod';
import { preparedJson } from '../../../caching/prepared.ts';
import type { Ports } from '../../../deps.ts';
import { PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/conditional-responses.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_PLACE } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import type { Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { namedTehsil } from '../handlers/named-tehsil.ts';
import { attachment, placeFileName, refreshedWorkbook, workbookReply } from '../handlers/workbook.ts';
import { WorkbookRefresh } from '../schemas/downloads.ts';
import { KylDownload, KylFeatures } from '../schemas/kyl-download.ts';
import { KylVillages } from '../schemas/kyl-villages.ts';
import { BlockQuery, KylDownloadQuery, type KylQuery, type NamedPlace } from '../schemas/public-places.ts';
import { GEOJSON_TYPE } from '../workbook/kyl-downloads.ts';
import { XLSX_TYPE } from '../workbook/tehsil-workbook.ts';

/** Indicators of every micro-watershed of a tehsil, in the form that is asked for. Throws `not_found` where no table tells of any. */
async function kylDownload(deps: Ports<'kyl' | 'stores'>, { fileType, ...place }: KylQuery): Promise<Reply> {
  const names = await namedTehsil(deps, place);
  const reply = await deps.kyl.file(names.tehsilId, fileType);
  if (fileType === 'json') return reply;
  // The bytes stay those that are kept, and so do their compressed forms.
  return {
    ...reply,
    headers: { ...reply.headers, ...attachment(`${placeFileName(names)}_KYL_filter_data.${fileType}`) },
  };
}

/** What is known of each village of a tehsil. Throws `not_found` where none is known. */
async function kylVillages(deps: Ports<'kyl' | 'stores'>, place: NamedPlace): Promise<Reply> {
  return await deps.kyl.villages(await namedTehsil(deps, place));
}

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
  responses: { 200: { description: 'A workbook', media: [XLSX_TYPE] }, 304: NOT_MODIFIED, 412: PRECONDITION_FAILED },
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
    'nothing to add; the file that an operator keeps of it is written anew where it is older than its tables.',
  responses: { 200: ok('What the workbook has', WorkbookRefresh), 304: NOT_MODIFIED },
  handler: async ({ query }, deps) => preparedJson(await refreshedWorkbook(deps, query)),
});

const downloadKylData = operation({
  ...DOWNLOAD_ROW,
  id: 'downloadKylData',
  path: paths.kylDownload,
  query: KylDownloadQuery,
  summary: 'Indicators of every micro-watershed of a tehsil as JSON, spreadsheet or GeoJSON, without a key',
  description:
    'Records as `get_mws_kyl_indicators/` has them; only the terrain cluster is spelled `terrainCluster_ID` here, as in the live system. ' +
    'They are those of the newest tables; `regenerate` is not needed.',
  responses: {
    200: {
      ...ok('A record for each micro-watershed', z.union([KylDownload, KylFeatures])),
      media: ['application/json', GEOJSON_TYPE, XLSX_TYPE],
    },
    304: NOT_MODIFIED,
  },
  examples: [
    ...DOWNLOAD_ROW.examples,
    { name: 'geojson', query: { ...EXAMPLE_PLACE, file_type: 'geojson' }, status: 200 },
    { name: 'spreadsheet', query: { ...EXAMPLE_PLACE, file_type: 'xlsx' }, status: 200 },
    { name: 'another form', query: { ...EXAMPLE_PLACE, file_type: 'pdf' }, status: 400 },
  ],
  handler: ({ query }, deps) => kylDownload(deps, query),
});

const downloadKylVillageData = operation({
  ...DOWNLOAD_ROW,
  id: 'downloadKylVillageData',
  path: paths.kylVillages,
  summary: 'What is known of each village of a tehsil, without a key',
  description:
    'Population and literacy are those of sheet `social_economic_indicator`, assets those of `nrega_assets_village`, where they are ' +
    'imported. Whatever is not known is -1: all facilities are, because no sheet has them as such.',
  responses: { 200: ok('By village', KylVillages), 304: NOT_MODIFIED },
  handler: ({ query }, deps) => kylVillages(deps, query),
});

/** Files of a tehsil's numbers for people and dashboards. */
export const publicDownloadOperations = [
  generateStatsExcelFile,
  downloadExcelLayer,
  addNewLayerData,
  downloadKylData,
  downloadKylVillageData,
] satisfies readonly Operation[];
