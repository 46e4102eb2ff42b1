import { HTML_TYPE } from '../../../answering/page-or-document.ts';
import { prepared, preparedJson } from '../../../caching/prepared.ts';
import { type Html, PAGE_HEADERS } from '../../../pages/layout.ts';
import { languageOf } from '../../../reading/accept-language.ts';
import type { RequestHeaders } from '../../../reading/conditions.ts';
import { PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_NAMES, EXAMPLE_PLACE, EXAMPLE_UID } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import type { Reply } from '../../../seam/reply.ts';
import type { Language } from '../../../wire/words.ts';
import { paths } from '../../../wire/paths.ts';
import { namedMws } from '../../public-data/handlers/named-tehsil.ts';
import { namedTehsil } from '../../public-data/handlers/named-tehsil.ts';
import { attachment, placeFileName } from '../../public-data/handlers/workbook.ts';
import { KEY_ROW, PUBLIC_DATA_ERRORS } from '../../public-data/rows/public-layers.ts';
import { MwsQuery, MwsReportQuery, TehsilReportQuery } from '../../public-data/schemas/public-places.ts';
import { MwsReportUrl } from '../../public-data/schemas/public-tables.ts';
import { mwsReportFacts } from '../handlers/mws-report-facts.ts';
import { tehsilReportFacts } from '../handlers/tehsil-report-facts.ts';
import { mwsReportPage } from '../page/mws-report-page.ts';
import { tehsilReportPage } from '../page/tehsil-report-page.ts';
import { mwsReportAddress } from '../schemas/report-addresses.ts';

/** Parts of a request that select the language and form of a report. */
interface ReportRequest {
  readonly headers: RequestHeaders;
  /** Language in the query; it takes precedence over the header `Accept-Language`. */
  readonly lang: Language | undefined;
  /** File name under which a browser saves the page; absent: the browser shows the page. */
  readonly fileName?: string;
}

/** Response with a page without script, in the requested language. */
async function reportReply(
  { lang, headers, fileName }: ReportRequest,
  page: (language: Language) => Promise<Html>,
): Promise<Reply> {
  const language = lang ?? languageOf(headers['accept-language']);
  const text = String(await page(language));
  return prepared(text, {
    type: HTML_TYPE,
    headers: {
      ...PAGE_HEADERS,
      ...(fileName === undefined ? {} : attachment(fileName)),
      'content-language': language,
      vary: 'Accept-Language',
    },
  });
}

const getMwsReport = operation({
  ...KEY_ROW,
  id: 'getMwsReport',
  path: paths.mwsReportUrl,
  summary: 'Returns the address of the report of a micro-watershed: a page to read and print, which needs no key',
  query: MwsQuery,
  responses: { 200: ok('Address of the page', MwsReportUrl), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'sample', query: { ...EXAMPLE_NAMES, mws_id: EXAMPLE_UID }, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_NAMES, mws_id: '0_0' }, status: 404 },
    { name: 'no id', query: EXAMPLE_NAMES, status: 400 },
  ],
  async handler({ query }, deps) {
    const names = await namedMws(deps, query);
    return preparedJson({ Mws_report_url: mwsReportAddress(deps.baseUrl, { names, uid: query.uid }) });
  },
});

const PAGE_ROW = {
  method: 'GET',
  auth: 'public',
  tag: 'public',
  responses: { 200: { description: 'A page', media: ['text/html'] }, 304: NOT_MODIFIED, 412: PRECONDITION_FAILED },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  errorFormat: 'report',
} as const;

const generateMwsReport = operation({
  ...PAGE_ROW,
  id: 'generateMwsReport',
  path: paths.mwsReport,
  summary: 'Page with the report of a micro-watershed, in English or Hindi: its map and published data',
  query: MwsReportQuery,
  examples: [
    { name: 'sample', query: { ...EXAMPLE_PLACE, uid: EXAMPLE_UID }, status: 200 },
    { name: 'in Hindi', query: { ...EXAMPLE_PLACE, uid: EXAMPLE_UID, lang: 'hi' }, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_PLACE, uid: '0_0' }, status: 404 },
    { name: 'no id', query: EXAMPLE_PLACE, status: 400 },
  ],
  async handler({ query, headers }, deps) {
    return await reportReply({ lang: query.lang, headers }, async (language) =>
      mwsReportPage(await mwsReportFacts(deps, query, language)),
    );
  },
});

const downloadMwsReport = operation({
  ...PAGE_ROW,
  id: 'downloadMwsReport',
  path: paths.mwsReportFile,
  summary: 'Downloads the page of `generate_mws_report/` as a file',
  query: MwsReportQuery,
  examples: [
    { name: 'sample', query: { ...EXAMPLE_PLACE, uid: EXAMPLE_UID }, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_PLACE, uid: '0_0' }, status: 404 },
    { name: 'no id', query: EXAMPLE_PLACE, status: 400 },
  ],
  async handler({ query, headers }, deps) {
    const fileName = `${placeFileName(await namedMws(deps, query))}_${query.uid}.html`;
    return await reportReply({ lang: query.lang, headers, fileName }, async (language) =>
      mwsReportPage(await mwsReportFacts(deps, query, language)),
    );
  },
});

const generateTehsilReport = operation({
  ...PAGE_ROW,
  id: 'generateTehsilReport',
  path: paths.tehsilReport,
  summary: 'Page with the report of a tehsil, in English or Hindi: its map, totals, publications, and micro-watersheds',
  query: TehsilReportQuery,
  examples: [
    { name: 'sample', query: EXAMPLE_PLACE, status: 200 },
    { name: 'in Hindi', query: { ...EXAMPLE_PLACE, lang: 'hi' }, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_PLACE, block: 'Nowhere' }, status: 404 },
    { name: 'unknown column', query: { ...EXAMPLE_PLACE, column: 'nothing' }, status: 400 },
  ],
  async handler({ query, headers }, deps) {
    return await reportReply({ lang: query.lang, headers }, async (language) =>
      tehsilReportPage(
        await tehsilReportFacts(deps, { names: await namedTehsil(deps, query), column: query.column }, language),
      ),
    );
  },
});

/** Operations of reports for people: their addresses and pages. */
export const publicReportOperations = [
  getMwsReport,
  generateMwsReport,
  downloadMwsReport,
  generateTehsilReport,
] satisfies readonly Operation[];
