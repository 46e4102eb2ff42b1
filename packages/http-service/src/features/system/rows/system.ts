import { pageReply } from '../../../answering/page-or-document.ts';
import type { Ports } from '../../../deps.ts';
import { Health } from '../../../health/create-health.ts';
import { shownPublications } from '../../../items/publications.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { FirstPageQuery } from '../../../rows/page-queries.ts';
import { json } from '../../../seam/reply.ts';
import { accountFor } from '../../../screens/replies.ts';
import { exampleBody } from '../../../wire/request-names.ts';
import { computePath, paths } from '../../../wire/paths.ts';
import { healthFor } from '../handlers/health-for.ts';
import { findExampleNames } from '../handlers/example-names.ts';
import { referenceOperations } from './reference.ts';
import { firstPage, type FirstPageFacts } from '../page/first-page.ts';

/** Collects the data of the first page; `before`: a run's id, to show the publications before it. */
async function firstPageFacts(
  deps: Ports<
    | 'accounts'
    | 'baseUrl'
    | 'canCompute'
    | 'documents'
    | 'featured'
    | 'health'
    | 'logger'
    | 'pipelines'
    | 'publication'
    | 'stores'
    | 'summaries'
    | 'version'
    | 'workService'
  >,
  before: string | undefined,
): Promise<FirstPageFacts> {
  const { baseUrl, version, publication, pipelines } = deps;
  const [health, shown, computation] = await Promise.all([
    deps.health(),
    shownPublications(deps, before),
    firstComputation(deps),
  ]);
  const offers = pipelines.map(({ summary, route }) => ({ summary, path: computePath(route) }));
  const computesRegions = pipelines.some(({ regions }) => regions !== undefined);
  return {
    baseUrl,
    title: publication.title,
    version,
    health,
    ...shown,
    offers,
    computesRegions,
    computation,
  };
}

/** A request that starts a computation of the example place and its years; undefined if the service computes nothing. */
async function firstComputation(
  deps: Ports<'accounts' | 'canCompute' | 'documents' | 'featured' | 'pipelines' | 'stores' | 'workService'>,
): Promise<FirstPageFacts['computation']> {
  const [pipeline] = deps.pipelines;
  if (pipeline === undefined || !deps.canCompute) return undefined;
  const body = exampleBody(pipeline.examples[0]?.request);
  const known = await deps.documents.known(() => findExampleNames(deps));
  const members = Object.entries(known.body).filter(([name]) => Object.hasOwn(body, name));
  return { path: computePath(pipeline.route), body: { ...body, ...Object.fromEntries(members) } };
}

const HTML = { description: 'A page', media: ['text/html'] };

const getFirstPage = operation({
  id: 'getFirstPage',
  method: 'GET',
  path: paths.firstPage,
  auth: 'public',
  tag: 'system',
  summary: 'Page with the publications, newest first, and links to the catalogue, the documentation and health',
  query: FirstPageQuery,
  responses: { 200: HTML },
  errors: PARAMETER_ERRORS,
  errorFormat: 'html',
  examples: [
    { name: 'page', status: 200 },
    { name: 'bad page', query: { before: 'yesterday' }, status: 400 },
  ],
  async handler({ query, headers }, deps) {
    const account = await accountFor(headers, deps);
    return pageReply(firstPage({ ...(await firstPageFacts(deps, query.before)), account }), account);
  },
});

const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: paths.health,
  auth: 'public',
  tag: 'system',
  summary: 'Returns the state of each part; 503 if a part fails',
  description:
    'Responds within a second, whatever the state of the parts. A superuser with a bearer token also gets details: versions, ' +
    'free space, reasons. All other callers, also those with an invalid token, get only the states. While the service closes, the status is 503.',
  responses: {
    200: ok('All required parts work', Health),
    503: ok('A required part fails; `parts` names it.', Health),
  },
  errors: [],
  noStore: true,
  isAnsweredWhileClosing: true,
  usesReserve: true,
  examples: [{ name: 'now', status: 200 }],
  async handler({ headers }, deps) {
    const report = await healthFor(headers, deps);
    return json(report.status === 'failing' ? 503 : 200, report);
  },
});

/** Operations of the service itself. */
export const systemOperations = [getFirstPage, ...referenceOperations, getHealth] satisfies readonly Operation[];
