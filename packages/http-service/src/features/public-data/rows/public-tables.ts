import { EXAMPLE_NAMES, EXAMPLE_UID } from '../../../rows/example-world.ts';
import { absentOfMws } from '../handlers/kyl.ts';
import { kylIndicators } from '../handlers/kyl.ts';
import { namedTehsil } from '../handlers/named-tehsil.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { preparedJson } from '../../../caching/prepared.ts';
import { paths } from '../../../wire/paths.ts';
import { KylRecords } from '../schemas/kyl-record.ts';
import { MwsQuery, PlaceQuery } from '../schemas/public-places.ts';
import { MWS_SERIES, MwsSeries, mwsSeriesBody, TehsilSheetsBody } from '../schemas/public-tables.ts';
import { NOT_MODIFIED } from '../../../rows/conditional-responses.ts';
import { ok } from '../../../rows/common.ts';
import { KEY_ROW, PUBLIC_DATA_ERRORS } from './public-layers.ts';

const ONE_MWS = { ...EXAMPLE_NAMES, mws_id: EXAMPLE_UID };

const getTehsilData = operation({
  ...KEY_ROW,
  id: 'getTehsilData',
  path: paths.tehsilData,
  summary: 'Every sheet of a tehsil: rows by the name of their sheet, to join on `uid`',
  description:
    'Sheets are tables whose rows name units of the tehsil; what validations of layers found is told by the Items of these. ' +
    'Names of columns are in lower case, unknown values null, lists are arrays. The answer is that of the newest tables; `regenerate` is not needed.',
  query: PlaceQuery,
  responses: { 200: ok('Sheets that are published', TehsilSheetsBody), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'sample', query: EXAMPLE_NAMES, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_NAMES, tehsil: 'Nowhere' }, status: 404 },
  ],
  async handler({ query }, deps) {
    const { tehsilId } = await namedTehsil(deps, query);
    return await deps.sheets.of(tehsilId);
  },
});

const getMwsData = operation({
  ...KEY_ROW,
  id: 'getMwsData',
  path: paths.mwsData,
  summary: 'Time series of a micro-watershed: NDVI and, where it is known, water by fortnight',
  description:
    "Values have two decimals. As in the live system, a date without hydrology has 0 for `et`, `runoff` and `precipitation`; whatever else is not known is ''.",
  query: MwsQuery,
  responses: { 200: ok('By date, ascending', MwsSeries), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'sample', query: ONE_MWS, status: 200 },
    { name: 'unknown', query: { ...ONE_MWS, mws_id: '0_0' }, status: 404 },
    { name: 'no id', query: EXAMPLE_NAMES, status: 400 },
  ],
  async handler({ query }, deps) {
    const names = await namedTehsil(deps, query);
    const { uid } = query;
    const body = mwsSeriesBody(uid, await deps.stores.data.seriesOf(names.tehsilId, uid));
    if (body.time_series.length === 0) throw await absentOfMws(deps, { names, uid, kind: 'mwsData', data: MWS_SERIES });
    return preparedJson(body);
  },
});

const getKylIndicators = operation({
  ...KEY_ROW,
  id: 'getMwsKylIndicators',
  path: paths.kylIndicators,
  summary: 'Indicators of a micro-watershed, a list of one record',
  description:
    'Cropping intensity, surface water beside land and crops, terrain, what covers the ground, slopes and plains, changes of it, drainage and water bodies ' +
    'follow from published tables; from those of an imported workbook also rain, runoff and dry spells (means of the years), the trend of groundwater, ' +
    'drought, works of NREGA (their sum), villages, restoration, elevation, aquifer and groundwater classes, and whether there is a conflict, a mine, ' +
    'a green credit, a factory, a canal or a river. Trends are 1, 0 and -1 by the Mann-Kendall test at 5 % over all years. ' +
    "What no table tells is 0 as a number, '' as a code or a text, an empty list, false as `canal_available` and `river_available`, and -1 as `trend_swb`; " +
    '`area_tree_on_slope`, `area_shrubs_on_slope` and `area_crops_on_plain` follow from no table and are 0.',
  query: MwsQuery,
  responses: { 200: ok('One record', KylRecords), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'sample', query: ONE_MWS, status: 200 },
    { name: 'unknown', query: { ...ONE_MWS, mws_id: '0_0' }, status: 404 },
  ],
  async handler({ query }, deps) {
    return await kylIndicators(deps, await namedTehsil(deps, query), query.uid);
  },
});

/** Numbers of a tehsil and of its micro-watersheds. */
export const publicTableOperations = [getTehsilData, getMwsData, getKylIndicators] satisfies readonly Operation[];
