import type { Run } from '@headwater/core';
import { hasEnded, type RunLogLine } from '@headwater/core/runs';
import type { z } from 'zod';
import { privatePageReply, prefersPage } from '../../../answering/page-or-document.ts';
import type { Ports } from '../../../deps.ts';
import { listingOf } from '../../../items/pipeline-listing.ts';
import { itemAddress } from '../../../items/public-item.ts';
import { creditsOf } from '../../../layers/credits.ts';
import { textAt } from '../../../layers/read-item.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { BEARER_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_RUN } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { FormQuery } from '../../../rows/page-queries.ts';
import { json } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { publishedBy, publisherOf, tablesBy } from '../handlers/run-body.ts';
import { eventStream } from '../handlers/run-events.ts';
import { endWithSession } from '../handlers/session-watch.ts';
import { runPage, type RunPageFacts } from '../page/run-page.ts';
import { RUNS_PER_PAGE, runsPage, type RunsPageFacts } from '../page/runs-page.ts';
import { type RunView, runView } from '../schemas/run-view.ts';
import {
  lastEventId,
  RunBody,
  RunEventsQuery,
  RunListQuery,
  RunLog,
  runLogBody,
  RunLogQuery,
  RunPage,
  RunParams,
} from '../schemas/runs.ts';

/** Data of a run's page. */
async function runFacts(
  run: Run,
  deps: Ports<'baseUrl' | 'publication' | 'stores' | 'version'>,
): Promise<RunPageFacts> {
  const { baseUrl, version, publication } = deps;
  const { prefix, here } = pageLinks(baseUrl);
  const view = runView(run, baseUrl);
  const published = await deps.stores.catalog.itemsOfRun(publisherOf(run));
  return {
    prefix,
    id: run.id,
    pipeline: run.pipeline,
    state: run.state,
    progress: run.progress,
    step: run.step,
    cancelRequested: run.cancelRequested,
    params: view.params,
    failure: view.error?.message,
    createdAt: run.createdAt,
    seconds: view.execution_time ?? undefined,
    tables: (await tablesBy(run, deps)).map(({ name, links }) => ({
      title: `Table ${name}`,
      href: here(links.json) ?? '',
    })),
    layers: published.map((each) => {
      const title = textAt(each.item, 'properties', 'title') ?? each.id;
      return {
        title: each.replaced ? `${title} (replaced by a later run)` : title,
        href: here(itemAddress(each, baseUrl)) ?? '',
      };
    }),
    events: here(view.links.events) ?? '',
    self: view.links.self,
    eventsAddress: view.links.events,
    version,
    credits: creditsOf(
      publication,
      published.map(({ item }) => ({ attribution: textAt(item, 'properties', 'attribution') })),
    ),
  };
}

/** Address of the page before; the first page has one address, that of the list. */
function newerRuns(
  { previous, limit, state }: { readonly previous: number; readonly limit: number; readonly state: string | undefined },
  href: string,
): string {
  if (previous > 0 || limit !== RUNS_PER_PAGE) return href;
  return `${href.split('?')[0]}${state === undefined ? '' : `?state=${state}`}`;
}

/** Runs with the names of their places, for the list. */
async function listedRuns(
  page: readonly Run[],
  { baseUrl, pipelines, stores }: Ports<'baseUrl' | 'pipelines' | 'stores'>,
): Promise<RunsPageFacts['shown']> {
  const { here } = pageLinks(baseUrl);
  const views = page.map((run) => runView(run, baseUrl));
  const tehsilOf = ({ params }: RunView): number => Number(params['tehsil_id'] ?? 0);
  const ids = [...new Set(views.map(tehsilOf))];
  const names = await Promise.all(ids.map((id) => stores.lookups.namesOf(id)));
  return views.map((run) => {
    const { tehsil, district } = names[ids.indexOf(tehsilOf(run))] ?? {};
    const pipeline = pipelines.find(({ name }) => name === run.pipeline) ?? { name: run.pipeline };
    const { title } = listingOf(pipeline);
    return {
      run,
      title,
      href: here(run.links.self) ?? '',
      place: tehsil === undefined ? '' : `${tehsil}, ${district}`,
    };
  });
}

/** Log lines per read of the store. */
const LOG_PAGE = 5000;
const example = { params: { id: EXAMPLE_RUN } };
const absent = { name: 'unknown', params: { id: '0190a000-0000-7000-8000-00000000dead' }, status: 404 };

const listRuns = operation({
  id: 'listRuns',
  method: 'GET',
  path: paths.runs,
  auth: 'bearer',
  tag: 'runs',
  summary: "Lists the caller's runs, newest first; superusers see all runs",
  query: RunListQuery,
  responses: { 200: { ...ok('A page of runs', RunPage), media: ['text/html'] } },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS],
  noStore: true,
  examples: [
    { name: 'first page', query: { limit: '2' }, status: 200 },
    { name: 'page', headers: { accept: 'text/html' }, status: 200 },
    { name: 'bad limit', query: { limit: '0' }, status: 400 },
  ],
  async handler({ principal, query, headers }, deps) {
    const { runs, baseUrl, version } = deps;
    const { limit = RUNS_PER_PAGE, offset = 0, state, format } = query;
    const { runs: page, total } = await runs.list(principal, {
      limit,
      offset,
      ...(state === undefined ? {} : { state }),
    });
    const href = (at: number, base = baseUrl): string => {
      const filter = state === undefined ? '' : `&state=${state}`;
      return `${base}${paths.runs}?limit=${limit}&offset=${at}${filter}`;
    };
    const next = offset + page.length < total && page.length > 0 ? offset + page.length : undefined;
    const previous = offset > 0 ? Math.max(0, offset - limit) : undefined;
    if (prefersPage({ headers, format })) {
      const { prefix } = pageLinks(baseUrl);
      const pages = {
        ...(previous === undefined ? {} : { newer: newerRuns({ previous, limit, state }, href(previous, prefix)) }),
        ...(next === undefined ? {} : { older: href(next, prefix) }),
      };
      const shown = await listedRuns(page, deps);
      const all = principal.user.isSuperuser;
      return privatePageReply(runsPage({ prefix, version, shown, total, offset, limit, state, pages, all }));
    }
    const body = {
      count: total,
      next: next === undefined ? null : href(next),
      previous: previous === undefined ? null : href(previous),
      results: page.map((run) => runView(run, baseUrl)),
    };
    return json(200, body, { vary: 'Accept' });
  },
});

const getRun = operation({
  id: 'getRun',
  method: 'GET',
  path: paths.run,
  auth: 'bearer',
  tag: 'runs',
  summary: 'Returns the state, progress, timings, error and STAC Items of a run',
  params: RunParams,
  query: FormQuery,
  responses: { 200: { ...ok('The run', RunBody), media: ['text/html'] } },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  noStore: true,
  examples: [
    { name: 'ended', ...example, status: 200 },
    { name: 'page', ...example, headers: { accept: 'text/html' }, status: 200 },
    absent,
  ],
  async handler({ principal, params, headers, query: { format } }, deps) {
    const run = await deps.runs.get(principal, params.id);
    if (prefersPage({ headers, format })) return privatePageReply(runPage(await runFacts(run, deps)));
    return json(200, await fullBody(run, deps), { vary: 'Accept' });
  },
});

const getRunLog = operation({
  id: 'getRunLog',
  method: 'GET',
  path: paths.runLog,
  auth: 'bearer',
  tag: 'runs',
  summary: 'Returns the log of a run as plain text, or as JSON with `Accept` or `format=json`',
  params: RunParams,
  query: RunLogQuery,
  responses: { 200: { ...ok('The log', RunLog), media: ['text/plain'] } },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  noStore: true,
  examples: [
    { name: 'text', ...example, status: 200 },
    { name: 'json', ...example, query: { format: 'json' }, status: 200 },
    absent,
  ],
  async handler({ principal, params, query, headers }, deps) {
    const lines: RunLogLine[] = [];
    for (let page = await deps.runs.log(principal, params.id, { afterSeq: 0, limit: LOG_PAGE }); page.length > 0;) {
      lines.push(...page);
      const afterSeq = page.at(-1)?.seq ?? 0;
      page = page.length < LOG_PAGE ? [] : await deps.runs.log(principal, params.id, { afterSeq, limit: LOG_PAGE });
    }
    const asJson = query.format === 'json' || (query.format === undefined && wantsJson(headers['accept']));
    if (asJson) return json(200, runLogBody(params.id, lines));
    const text = lines.map(({ at, message }) => `${at} ${message}\n`).join('');
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
  },
});

const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };

const followRun = operation({
  id: 'followRun',
  method: 'GET',
  path: paths.runEvents,
  auth: 'bearer',
  tag: 'runs',
  summary: 'Streams the state, progress and log of a run as Server-Sent Events until its final state',
  description:
    'The id of an event is its number in the run. `Last-Event-ID` (or `last_event_id`) continues after this event. ' +
    'If an ended run has no more events, the response is 204, which stops an EventSource. ' +
    'The stream ends within seconds after the session of its token ends.',
  params: RunParams,
  query: RunEventsQuery,
  responses: {
    200: { description: 'The stream', media: ['text/event-stream'] },
    204: { description: 'The run has ended and the client has all its events' },
  },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found', 'throttled'],
  noStore: true,
  examples: [{ name: 'ended run', ...example, status: 200 }, absent],
  async handler({ principal, params, query, headers, method, signal }, deps) {
    const run = await deps.runs.get(principal, params.id);
    const afterSeq = lastEventId(headers['last-event-id']) ?? query.last_event_id ?? 0;
    const unseen = hasEnded(run) ? await deps.runs.events(principal, run.id, { afterSeq, limit: 1 }) : [run];
    if (unseen.length === 0) return { status: 204, headers: {}, body: undefined };
    const response = { status: 200, headers: STREAM_HEADERS };
    if (method === 'HEAD') return { ...response, body: undefined };
    const stop = new AbortController();
    const ends = AbortSignal.any([signal, deps.closing, stop.signal]);
    if (!deps.openResponses.take(principal.user.id, ends)) throw deps.openResponses.refusal();
    const events = deps.runs.subscribe(run.id, afterSeq, ends);
    const end = (): void => stop.abort();
    void endWithSession({ headers, ends, stop: end }, deps);
    return { ...response, body: eventStream(events, end) };
  },
});

const cancelRun = operation({
  id: 'cancelRun',
  method: 'POST',
  path: paths.runCancel,
  auth: 'bearer',
  tag: 'runs',
  summary:
    'Cancels a run and the runs it depends on that no other run needs; it ends as failed with code cancelled. An ended run does not change',
  params: RunParams,
  responses: { 200: ok('The ended run', RunBody), 202: ok('The cancellation is requested', RunBody) },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  noStore: true,
  examples: [{ name: 'ended run', ...example, status: 200 }, absent],
  async handler({ principal, params }, deps) {
    const run = await deps.runs.cancel(principal, params.id);
    return json(hasEnded(run) ? 200 : 202, await fullBody(run, deps));
  },
});

async function fullBody(run: Run, deps: Ports<'baseUrl' | 'publication' | 'stores'>): Promise<z.infer<typeof RunBody>> {
  const { items, tables, replaced } = await publishedBy(run, deps);
  return { ...runView(run, deps.baseUrl), stac_items: items, tables, replaced_items: replaced };
}

function wantsJson(accept: string | readonly string[] | undefined): boolean {
  return typeof accept === 'string' && /\bjson\b/i.test(accept) && !/text\/plain/i.test(accept);
}

/** Operations of runs. */
export const runOperations = [listRuns, getRun, getRunLog, followRun, cancelRun] satisfies readonly Operation[];
