import { z } from 'zod';
import { preparedJson } from '../../../caching/prepared.ts';
import type { Ports } from '../../../deps.ts';
import { PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_PLACE } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import type { Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { namedTehsil } from '../handlers/named-tehsil.ts';
import { withRoutes } from '../../../items/computing-routes.ts';
import { attachment, placeFileName, refreshedWorkbook, workbookReply } from '../handlers/workbook.ts';
import { WorkbookRefresh } from '../schemas/tables.ts';
import { KylDownload, KylFeatures } from '../schemas/kyl-download.ts';
import { KylVillages } from '../schemas/kyl-villages.ts';
import { BlockQuery, KylDownloadQuery, type KylQuery, type NamedPlace } from '../schemas/public-places.ts';
import { GEOJSON_TYPE } from '../workbook/kyl-downloads.ts';
import { XLSX_TYPE } from '../workbook/tehsil-workbook.ts';

async function kylDownload(
  deps: Ports<'canCompute' | 'kyl' | 'pipelines' | 'stores'>,
  { fileType, ...place }: KylQuery,
): Promise<Reply> {
  const names = await namedTehsil(deps, place);
  const reply = await withRoutes(deps, names.tehsil, () => deps.kyl.file(names.tehsilId, fileType));
  if (fileType === 'json') return reply;
  // Only a header is added; the cached bytes and their compressed forms are reused.
  return {
    ...reply,
    headers: { ...reply.headers, ...attachment(`${placeFileName(names)}_KYL_filter_data.${fileType}`) },
  };
}

async function kylVillages(deps: Ports<'kyl' | 'stores'>, place: NamedPlace): Promise<Reply> {
  return await deps.kyl.villages(await namedTehsil(deps, place));
}

/** Common members of these operations. No API key is needed, because existing dashboards link to them without a key. */
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
    'The workbook has a sheet for each table of the tehsil, as in `get_tehsil_data/`. Columns are spelled as in existing spreadsheets. The workbook is generated from ' +
    'the newest tables while it is sent. A text that begins like a formula stays a text. Lists are written as JSON, and unknown values as empty cells.',
  responses: { 200: { description: 'A workbook', media: [XLSX_TYPE] }, 304: NOT_MODIFIED, 412: PRECONDITION_FAILED },
} as const;

const generateStatsExcelFile = operation({
  ...WORKBOOK_ROW,
  id: 'generateStatsExcelFile',
  path: paths.statsWorkbook,
  summary: 'Downloads every sheet of a tehsil as a spreadsheet (.xlsx), without a key',
  handler: ({ query: place, method, headers }, deps) => workbookReply(deps, { place, method, headers }),
});

const downloadExcelLayer = operation({
  ...WORKBOOK_ROW,
  id: 'downloadExcelLayer',
  path: paths.layersWorkbook,
  summary: 'Same as `generate_stats_excel_file/`',
  handler: ({ query: place, method, headers }, deps) => workbookReply(deps, { place, method, headers }),
});

const addNewLayerData = operation({
  ...DOWNLOAD_ROW,
  id: 'addNewLayerDataToExcel',
  path: paths.refreshWorkbook,
  summary: 'Lists the sheets of the workbook of a tehsil',
  description:
    'Existing clients call this route to add sheets to a file. This is not necessary here, because each download is generated from the newest tables. ' +
    'If the operator also keeps workbooks as files in a folder, this request schedules an update of the file of the tehsil.',
  responses: { 200: ok('Sheets of the workbook', WorkbookRefresh), 304: NOT_MODIFIED },
  handler: async ({ query }, deps) => preparedJson(await refreshedWorkbook(deps, query)),
});

const downloadKylData = operation({
  ...DOWNLOAD_ROW,
  id: 'downloadKylData',
  path: paths.kylDownload,
  query: KylDownloadQuery,
  summary:
    'Downloads the indicators of every micro-watershed of a tehsil as JSON, spreadsheet or GeoJSON, without a key',
  description:
    'The records are the same as in `get_mws_kyl_indicators/`, except that the terrain cluster is spelled `terrainCluster_ID`, as existing clients expect. ' +
    'They are computed from the newest tables; `regenerate` is ignored.',
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
    { name: 'an unknown format', query: { ...EXAMPLE_PLACE, file_type: 'pdf' }, status: 400 },
  ],
  handler: ({ query }, deps) => kylDownload(deps, query),
});

const downloadKylVillageData = operation({
  ...DOWNLOAD_ROW,
  id: 'downloadKylVillageData',
  path: paths.kylVillages,
  summary: 'Returns the data of each village of a tehsil, without a key',
  description:
    'Population and literacy come from the sheet `social_economic_indicator`, assets from `nrega_assets_village`, if these sheets are ' +
    'imported. Unknown values are -1. The fields about facilities (schools, health services, markets and others) are always -1, because no sheet has such data.',
  responses: { 200: ok('Villages, ordered by id', KylVillages), 304: NOT_MODIFIED },
  handler: ({ query }, deps) => kylVillages(deps, query),
});

/** Operations that download a tehsil's data as files. */
export const publicDownloadOperations = [
  generateStatsExcelFile,
  downloadExcelLayer,
  addNewLayerData,
  downloadKylData,
  downloadKylVillageData,
] satisfies readonly Operation[];
