import { pageReply } from '../../../answering/page-or-document.ts';
import { preparedJson } from '../../../caching/prepared.ts';
import type { Ports } from '../../../deps.ts';
import { type Html, PAGE_HEADERS, type Shell } from '../../../pages/layout.ts';
import { languageOf } from '../../../reading/accept-language.ts';
import { PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_NAMES, EXAMPLE_PLACE, EXAMPLE_UID } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { type PublicRequest, shellFor } from '../../../screens/replies.ts';
import type { Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { namedMws } from '../../public-data/handlers/named-tehsil.ts';
import { namedTehsil } from '../../public-data/handlers/named-tehsil.ts';
import { attachment, placeFileName } from '../../public-data/handlers/workbook.ts';
import { KEY_ROW, PUBLIC_DATA_ERRORS } from '../../public-data/rows/public-layers.ts';
import {
  MwsQuery,
  MwsReportQuery,
  ResourceReportQuery,
  TehsilReportQuery,
} from '../../public-data/schemas/public-places.ts';
import { MwsReportUrl } from '../../public-data/schemas/public-tables.ts';
import { mwsReportFacts } from '../handlers/mws-report-facts.ts';
import { resourceReportFacts } from '../handlers/resource-report-facts.ts';
import { tehsilReportFacts } from '../handlers/tehsil-report-facts.ts';
import { mwsReportPage } from '../page/mws-report-page.ts';
import { resourceReportPage } from '../page/resource-report-page.ts';
import { tehsilReportPage } from '../page/tehsil-report-page.ts';
import { mwsReportAddress } from '../schemas/report-addresses.ts';

const HEADERS = { ...PAGE_HEADERS, vary: 'Accept-Language' } as const;

async function reportReply(
  request: PublicRequest,
  deps: Ports<'baseUrl' | 'screens'>,
  page: (shell: Shell) => Promise<Html>,
): Promise<Reply> {
  const shell = await shellFor(request, deps);
  return await pageReply(await page(shell), shell, HEADERS);
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
  async handler({ query, headers, queryText, remoteAddress }, deps) {
    return await reportReply({ headers, queryText, remoteAddress }, deps, async (shell) =>
      mwsReportPage({ ...(await mwsReportFacts(deps, query, shell.language)), ...shell }),
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
    const language = query.lang ?? languageOf(headers['accept-language']);
    // Without the shell, the file has no links to other languages and to the user's pages.
    const page = mwsReportPage({ ...(await mwsReportFacts(deps, query, language)), chosen: query.lang });
    return await pageReply(page, { language }, { ...HEADERS, ...attachment(fileName) });
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
  async handler({ query, headers, queryText, remoteAddress }, deps) {
    return await reportReply({ headers, queryText, remoteAddress }, deps, async (shell) =>
      tehsilReportPage({
        ...(await tehsilReportFacts(
          deps,
          { names: await namedTehsil(deps, query), column: query.column },
          shell.language,
        )),
        ...shell,
      }),
    );
  },
});

const generateResourceReport = operation({
  ...PAGE_ROW,
  id: 'generateResourceReport',
  path: paths.resourceReport,
  summary:
    'Page with the resources of a tehsil, in English or Hindi: its water, land, groundwater, works and institutions',
  query: ResourceReportQuery,
  examples: [
    { name: 'sample', query: EXAMPLE_PLACE, status: 200 },
    {
      name: 'of a plan, in Hindi',
      query: { ...EXAMPLE_PLACE, plan_id: '7', plan_name: 'Ponds', lang: 'hi' },
      status: 200,
    },
    { name: 'unknown', query: { ...EXAMPLE_PLACE, block: 'Nowhere' }, status: 404 },
  ],
  async handler({ query, headers, queryText, remoteAddress }, deps) {
    const { plan } = query;
    return await reportReply({ headers, queryText, remoteAddress }, deps, async (shell) =>
      resourceReportPage({
        ...(await resourceReportFacts(deps, { names: await namedTehsil(deps, query), plan }, shell.language)),
        ...shell,
      }),
    );
  },
});

/** Operations of reports for people: their addresses and pages. */
export const publicReportOperations = [
  getMwsReport,
  generateMwsReport,
  downloadMwsReport,
  generateTehsilReport,
  generateResourceReport,
] satisfies readonly Operation[];
