import { EXAMPLE_NAMES, EXAMPLE_UID } from '../../../rows/example-world.ts';
import { absentOfMws } from '../handlers/kyl.ts';
import { kylIndicators } from '../handlers/kyl.ts';
import { withRoutes } from '../../../items/computing-routes.ts';
import { namedTehsil } from '../handlers/named-tehsil.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { preparedJson } from '../../../caching/prepared.ts';
import { paths } from '../../../wire/paths.ts';
import { KylRecords } from '../schemas/kyl-record.ts';
import { MwsQuery, PlaceQuery } from '../schemas/public-places.ts';
import { MWS_SERIES, MwsSeries, mwsSeriesBody, TehsilSheetsBody } from '../schemas/public-tables.ts';
import { NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { ok } from '../../../rows/common.ts';
import { KEY_ROW, PUBLIC_DATA_ERRORS } from './public-layers.ts';

const ONE_MWS = { ...EXAMPLE_NAMES, mws_id: EXAMPLE_UID };

const getTehsilData = operation({
  ...KEY_ROW,
  id: 'getTehsilData',
  path: paths.tehsilData,
  summary: 'Returns every sheet of a tehsil: rows by the name of their sheet, to join on `uid`',
  description:
    'Sheets are tables whose rows belong to units of the tehsil. Tables with validations of layers are not included; the Items of the layers link to them. ' +
    'Column names are in lower case, unknown values are null, lists are arrays. The data is from the newest tables; `regenerate` is ignored.',
  query: PlaceQuery,
  responses: { 200: ok('The published sheets', TehsilSheetsBody), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'sample', query: EXAMPLE_NAMES, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_NAMES, tehsil: 'Nowhere' }, status: 404 },
  ],
  async handler({ query }, deps) {
    const { tehsilId, tehsil } = await namedTehsil(deps, query);
    return await withRoutes(deps, tehsil, () => deps.sheets.of(tehsilId));
  },
});

const getMwsData = operation({
  ...KEY_ROW,
  id: 'getMwsData',
  path: paths.mwsData,
  summary: 'Returns time series of a micro-watershed: NDVI and, if known, water by fortnight',
  description:
    "Values are rounded to two decimals. A date without hydrology has 0 for `et`, `runoff` and `precipitation`, as existing clients expect; other unknown values are ''.",
  query: MwsQuery,
  responses: { 200: ok('Values by date, ascending', MwsSeries), 304: NOT_MODIFIED },
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
  summary: 'Returns the indicators of a micro-watershed, as a list of one record',
  description:
    'These indicators are computed from published tables: cropping intensity; surface water relative to land and crops; terrain; ground cover in total, on slopes and on plains; changes of ground cover; drainage; water bodies. ' +
    'The tables of an imported workbook also give rain, runoff and dry spells (means of the years), the trend of groundwater, ' +
    'drought, NREGA works (their sum), villages, restoration, elevation, aquifer and groundwater classes, and whether there is a conflict, a mine, ' +
    'a green credit, a factory, a canal or a river. Trends are 1, 0 or -1 by the Mann-Kendall test at 5 % over all years. ' +
    "An unknown number is 0, an unknown code or text is '', and an unknown list is empty. If unknown, `canal_available` and `river_available` are false, and `trend_swb` is -1. " +
    '`area_tree_on_slope`, `area_shrubs_on_slope` and `area_crops_on_plain` are in no table and always 0.',
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

/** Operations that return data of a tehsil and its micro-watersheds. */
export const publicTableOperations = [getTehsilData, getMwsData, getKylIndicators] satisfies readonly Operation[];
