import { z } from 'zod';
import { pageReply } from '../../../answering/page-or-document.ts';
import { preparedJson } from '../../../caching/prepared.ts';
import type { Ports } from '../../../deps.ts';
import { shownPublications } from '../../../items/publications.ts';
import { type Html, pageLinks, SCRIPT_FORM_HEADERS, type Shell, withForms } from '../../../pages/layout.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { NOT_MODIFIED, PageQuery } from '../../../rows/page-queries.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { type PublicRequest, shellFor } from '../../../screens/replies.ts';
import type { Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { outlinesIn } from '../handlers/outlines-in-box.ts';
import { computationsFacts } from '../handlers/computations-facts.ts';
import { placesAddress, placesFacts } from '../handlers/places-facts.ts';
import { publishedPlaces } from '../handlers/published-places.ts';
import { computationsPage } from '../page/computations-page.ts';
import { firstPage } from '../page/first-page.ts';
import type { PublishedPlaces } from '../page/place-parts.ts';
import { placesPage } from '../page/places-page.ts';
import { FirstPageQuery, OutlinesQuery, PlacesQuery } from '../schemas/queries.ts';

interface PageHeaders {
  readonly pageHeaders?: Readonly<Record<string, string>>;
}

/** Replies with a page. Its map and its search also work without script. */
async function pageFor(
  { pageHeaders = SCRIPT_FORM_HEADERS, ...request }: PublicRequest & PageHeaders,
  deps: Ports<'baseUrl' | 'screens'>,
  make: (shell: Shell) => Promise<Html>,
): Promise<Reply> {
  const shell = await shellFor(request, deps);
  return await pageReply(await make(shell), shell, { ...pageHeaders, vary: 'Accept-Language' });
}

/**
 * Published places; undefined if the database fails. The first page is then served without places, because it also
 * reports the state of the service.
 */
async function placesNow(deps: Ports<'baseUrl' | 'logger' | 'stores'>): Promise<PublishedPlaces | undefined> {
  try {
    return await publishedPlaces(deps);
  } catch (error) {
    deps.logger.error({ error: String(error) }, 'the first page could not list the published places');
    return undefined;
  }
}

const PAGE_ROW = {
  method: 'GET',
  auth: 'public',
  tag: 'system',
  responses: { 200: { description: 'A page', media: ['text/html'] } },
  errors: PARAMETER_ERRORS,
  errorFormat: 'html',
} as const;

const getFirstPage = operation({
  ...PAGE_ROW,
  id: 'getFirstPage',
  path: paths.firstPage,
  summary: 'Page with a search and a map of places, the newest publications, and links to all parts',
  query: FirstPageQuery,
  examples: [
    { name: 'page', status: 200 },
    { name: 'bad page', query: { before: 'yesterday' }, status: 400 },
  ],
  async handler({ query: { before, page, lang }, headers, queryText, remoteAddress }, deps) {
    const { baseUrl, version, publication, pipelines } = deps;
    return await pageFor({ headers, queryText, remoteAddress }, deps, async (shell) => {
      const [health, places, shown] = await Promise.all([
        deps.health(),
        before === undefined ? placesNow(deps) : undefined,
        shownPublications(deps, { before, page, ...shell }),
      ]);
      return firstPage({
        ...shown,
        ...shell,
        prefix: pageLinks(baseUrl).prefix,
        baseUrl,
        lang,
        title: publication.title,
        version,
        health,
        places,
        placesAt: placesAddress(deps, lang),
        number: before === undefined ? 1 : (page ?? 2),
        hasGuide: deps.documents.guide !== undefined,
        computesRegions: pipelines.some(({ regions }) => regions !== undefined),
      });
    });
  },
});

const findPlaces = operation({
  ...PAGE_ROW,
  id: 'findPlaces',
  path: paths.places,
  summary: 'Page with a map of the published places, and a search of states, districts and tehsils by name',
  query: PlacesQuery,
  examples: [
    { name: 'all', status: 200 },
    { name: 'by name', query: { q: 'sample' }, status: 200 },
    { name: 'in a box', query: { box: '68,6,98,38' }, status: 200 },
    { name: 'no box', query: { box: 'here' }, status: 400 },
  ],
  async handler({ query, headers, queryText, remoteAddress }, deps) {
    const { maps } = deps.documents;
    const more = maps === undefined ? {} : { pageHeaders: withForms(maps.headers) };
    return await pageFor({ headers, queryText, remoteAddress, ...more }, deps, async (shell) =>
      placesPage(await placesFacts(deps, query, shell)),
    );
  },
});

const Outlines = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(z.looseObject({ type: z.literal('Feature'), properties: z.looseObject({ layers: z.number() }) })),
});

const getPlaceOutlines = operation({
  id: 'getPlaceOutlines',
  method: 'GET',
  path: paths.placeOutlines,
  auth: 'public',
  tag: 'system',
  summary:
    'GeoJSON of published places in a box: up to 60 with outlines, up to 300 with boxes, else groups with counts',
  query: OutlinesQuery,
  responses: { 200: ok('Places', Outlines), 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [
    { name: 'all', status: 200 },
    { name: 'in a box', query: { box: '68,6,98,38' }, status: 200 },
    { name: 'no box', query: { box: 'here' }, status: 400 },
  ],
  async handler({ query: { box } }, deps) {
    return preparedJson(await outlinesIn(deps, box));
  },
});

const listComputations = operation({
  ...PAGE_ROW,
  id: 'listComputations',
  path: paths.computations,
  summary:
    'Page with all computations by theme: the results and inputs of each computation, and the command that starts it',
  query: PageQuery,
  examples: [
    { name: 'page', status: 200 },
    { name: 'in Hindi', query: { lang: 'hi' }, status: 200 },
  ],
  async handler({ query: { lang }, headers, queryText, remoteAddress }, deps) {
    return await pageFor({ headers, queryText, remoteAddress }, deps, async (shell) =>
      computationsPage(await computationsFacts(deps, { ...shell, lang })),
    );
  },
});

/** Pages on which people find places, layers and computations. */
export const discoveryOperations = [
  getFirstPage,
  findPlaces,
  getPlaceOutlines,
  listComputations,
] satisfies readonly Operation[];
