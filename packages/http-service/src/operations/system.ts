import { shownLayers } from '../handlers/shown-layers.ts';
import { operation, type Operation } from '../operation.ts';
import { json } from '../reply.ts';
import { firstPage } from '../pages/first-page.ts';
import { htmlReply } from '../pages/layout.ts';
import { knownHere } from '../handlers/known-here.ts';
import { healthFor } from '../handlers/health-for.ts';
import { Health } from '../health.ts';
import { ok } from './common.ts';
import { z } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import { computePath, paths } from '../wire/paths.ts';
import { exampleBody } from '../wire/compute/pipeline-body.ts';

/** Previews on the first page. */
const MOST_SHOWN = 8;
const HTML = { description: 'A page', media: ['text/html'] };

const getFirstPage = operation({
  id: 'getFirstPage',
  method: 'GET',
  path: paths.firstPage,
  auth: 'public',
  tag: 'system',
  summary: 'What this service is, with links to its documentation, health and catalogue',
  responses: { 200: HTML },
  errors: [],
  examples: [{ name: 'page', status: 200 }],
  async handler(_input, deps) {
    const { baseUrl, version, credits, publication } = deps;
    const [health, layers, computation] = await Promise.all([
      deps.health(),
      shownLayers(deps, MOST_SHOWN),
      firstComputation(deps),
    ]);
    const facts = { baseUrl, title: publication.title, version, health, layers, credits, computation };
    return htmlReply(firstPage(facts));
  },
});

/** A request that starts a computation on a place of the directory, where there is one; undefined where nothing is computed. */
async function firstComputation(
  deps: ServiceDeps,
): Promise<{ readonly path: string; readonly body: unknown } | undefined> {
  const [pipeline] = deps.pipelines;
  if (pipeline === undefined || !deps.canCompute) return undefined;
  const body = exampleBody(pipeline.examples[0]?.request);
  const place = await firstPlace(deps).catch(() => undefined);
  const known = Object.entries(place ?? {}).filter(([name]) => Object.hasOwn(body, name));
  return { path: computePath(pipeline.route), body: { ...body, ...Object.fromEntries(known) } };
}

async function firstPlace({ stores: { places } }: ServiceDeps): Promise<Readonly<Record<string, string>> | undefined> {
  for (const state of await places.states()) {
    for (const district of await places.districts(state.id)) {
      const [tehsil] = await places.tehsils(district.id);
      if (tehsil !== undefined) return { state: state.name, district: district.name, block: tehsil.name };
    }
  }
  return undefined;
}

const getDocs = operation({
  id: 'getDocs',
  method: 'GET',
  path: paths.docs,
  auth: 'public',
  tag: 'system',
  summary: 'API reference, made from the OpenAPI document',
  responses: { 200: HTML },
  errors: [],
  examples: [{ name: 'page', status: 200 }],
  handler(_input, deps) {
    return deps.documents.docs(() => knownHere(deps));
  },
});

const getOpenApi = operation({
  id: 'getOpenApi',
  method: 'GET',
  path: paths.openApi,
  auth: 'public',
  tag: 'system',
  summary: 'This API as an OpenAPI 3.1 document',
  responses: { 200: ok('OpenAPI document', z.looseObject({ openapi: z.literal('3.1.0') })) },
  errors: [],
  examples: [{ name: 'document', status: 200 }],
  handler(_input, { documents }) {
    return documents.openapi();
  },
});

const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: paths.health,
  auth: 'public',
  tag: 'system',
  summary: 'Version and the state of each part; 503 when one of them fails',
  description:
    'Answers within a second, whatever the parts do. With the bearer token of a superuser each part also tells details: versions, ' +
    'free space, reasons. Everybody else, a token that is not valid included, gets states only.',
  responses: {
    200: ok('Nothing fails that is needed here', Health),
    503: ok('Something fails; parts say what.', Health),
  },
  errors: [],
  noStore: true,
  examples: [{ name: 'now', status: 200 }],
  async handler({ headers }, deps) {
    const report = await healthFor(headers, deps);
    return json(report.status === 'failing' ? 503 : 200, report);
  },
});

/** The service about itself. */
export const systemOperations = [getFirstPage, getDocs, getOpenApi, getHealth] satisfies readonly Operation[];
