import { hasEnded, type RunLogLine } from '@headwater/core/runs';
import type { SessionPrincipal, UserPrincipal } from '@headwater/identity';
import { privatePageReply, prefersPage } from '../../../answering/page-or-document.ts';
import type { Ports } from '../../../deps.ts';
import { BEARER_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_RUN } from '../../../rows/example-world.ts';
import { operation, type Operation, type OperationInput, urlOf } from '../../../rows/operation.ts';
import { FormQuery } from '../../../rows/page-queries.ts';
import { json } from '../../../seam/reply.ts';
import { openForm, type Visitor } from '../../../screens/form-check.ts';
import { readerOf, screenReply } from '../../../screens/replies.ts';
import { pageCaller } from '../../../screens/signed-in.ts';
import { paths } from '../../../wire/paths.ts';
import { fullBody } from '../handlers/run-body.ts';
import { namedRuns, runFacts } from '../handlers/run-facts.ts';
import { followEvents } from '../handlers/follow-run.ts';
import { runsAddress, runsPage } from '../page/runs-page.ts';
import { runPage } from '../page/run-page.ts';
import { runView } from '../schemas/run-view.ts';
import {
  RunBody,
  RunEventsQuery,
  RunListQuery,
  RunLog,
  runLogBody,
  RunLogQuery,
  RunPage,
  RunParams,
} from '../schemas/runs.ts';

type PageInput = Pick<
  OperationInput<'bearer', unknown, unknown, unknown>,
  'headers' | 'path' | 'queryText' | 'remoteAddress'
> & { readonly principal: UserPrincipal | SessionPrincipal };

/**
 * The user of the browser's session or, if an embedding application signs users in (`auth.host`), the user that it
 * finds. All other requests count as anonymous, also those with an access token of this service.
 */
async function visitorOf(
  { principal, headers, path, queryText, remoteAddress }: PageInput,
  { auth, screens }: Ports<'auth' | 'screens'>,
): Promise<Visitor> {
  if (principal.kind === 'session') return principal;
  const request = { headers, remoteAddress, url: urlOf({ path, queryText }) };
  return (auth.host && (await screens.check.of(request))) ?? { kind: 'anonymous' };
}

const LOG_PAGE = 5000;
const example = { params: { id: EXAMPLE_RUN } };
const absent = { name: 'unknown', params: { id: '0190a000-0000-7000-8000-00000000dead' }, status: 404 };

const listRuns = operation({
  id: 'listRuns',
  method: 'GET',
  path: paths.runs,
  auth: ['bearer', 'page'],
  tag: 'runs',
  summary: "Lists the caller's runs, newest first; superusers see the runs of all users",
  description:
    'By default, only runs that a client requested are listed. `parent` selects the runs that one run requested (its id), or all runs (`any`). The session of a browser gives access to the HTML page, but not to the JSON document.',
  query: RunListQuery.extend(FormQuery.shape),
  responses: { 200: { ...ok('A page of runs', RunPage), media: ['text/html'] } },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS],
  noStore: true,
  examples: [
    { name: 'first page', query: { limit: '2' }, status: 200 },
    { name: 'bad limit', query: { limit: '0' }, status: 400 },
  ],
  async handler({ principal, query, headers, method, path, queryText, remoteAddress }, deps) {
    const { limit = 50, offset = 0, state, parent, format } = query;
    const isPage = prefersPage({ headers, format });
    const caller = pageCaller(principal, isPage);
    const wanted = {
      limit,
      offset,
      ...(state === undefined ? {} : { state }),
      ...(parent === undefined ? {} : { parent }),
    };
    const { runs: page, total } = await deps.runs.list(caller, wanted);
    const { baseUrl } = deps;
    if (isPage) {
      const visitor = await visitorOf({ principal, headers, path, queryText, remoteAddress }, deps);
      const reader = readerOf({ principal: visitor, headers, method, queryText }, deps);
      const shown = { runs: await namedRuns(page, reader, deps), total, ...wanted, ofAll: caller.user.isSuperuser };
      return await privatePageReply(runsPage(reader, shown), reader);
    }
    const href = (at: number): string => baseUrl + runsAddress({ ...wanted, offset: at });
    return json(
      200,
      {
        count: total,
        next: offset + page.length < total && page.length > 0 ? href(offset + page.length) : null,
        previous: offset > 0 ? href(Math.max(0, offset - limit)) : null,
        results: page.map((run) => runView(run, baseUrl)),
      },
      { vary: 'Accept' },
    );
  },
});

const getRun = operation({
  id: 'getRun',
  method: 'GET',
  path: paths.run,
  auth: ['bearer', 'page'],
  tag: 'runs',
  summary: 'Returns the state, progress, timings, error and STAC Items of a run',
  description: 'The session of a browser gives access to the HTML page, but not to the JSON document.',
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
  async handler({ principal, params, headers, method, query: { format }, path, queryText, remoteAddress }, deps) {
    const isPage = prefersPage({ headers, format });
    const caller = pageCaller(principal, isPage);
    const run = await deps.runs.get(caller, params.id);
    if (isPage) {
      const visitor = await visitorOf({ principal, headers, path, queryText, remoteAddress }, deps);
      const request = { principal: visitor, headers, method, queryText };
      const reader = readerOf(request, deps);
      const shown = { reader: visitor.kind === 'session' ? reader : { ...reader, account: undefined }, caller };
      const form = visitor.kind === 'session' ? openForm(request, deps) : undefined;
      const body = runPage(await runFacts(run, { ...shown, form }, deps));
      return await screenReply(200, body, { vary: 'Accept, Accept-Language', ...form?.headers });
    }
    return json(200, await fullBody(run, deps), { vary: 'Accept' });
  },
});

const getRunLog = operation({
  id: 'getRunLog',
  method: 'GET',
  path: paths.runLog,
  auth: 'bearer',
  tag: 'runs',
  summary: 'Returns the log of a run as plain text, or as JSON with `Accept: application/json` or `format=json`',
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

const followRun = operation({
  id: 'followRun',
  method: 'GET',
  path: paths.runEvents,
  auth: 'bearer',
  tag: 'runs',
  summary: 'Streams the state, progress and log of a run as Server-Sent Events until its final state',
  description:
    'The id of an event is its number in the run. With the header `Last-Event-ID` or the parameter `last_event_id`, the stream begins after this event. ' +
    'If an ended run has no more events, the response is 204, which stops an EventSource. ' +
    'The stream also ends within seconds after the end of the session to which the token belongs.',
  params: RunParams,
  query: RunEventsQuery,
  responses: {
    200: { description: 'The stream', media: ['text/event-stream'] },
    204: { description: 'The run has ended and the client has all its events' },
  },
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found', 'throttled'],
  noStore: true,
  examples: [{ name: 'ended run', ...example, status: 200 }, absent],
  async handler({ principal, params, query, headers, method, path, queryText, remoteAddress, signal }, deps) {
    const request = { query, headers, method, url: urlOf({ path, queryText }), remoteAddress, signal };
    return await followEvents({ ...request, principal, id: params.id, policy: 'bearer' }, deps);
  },
});

const cancelRun = operation({
  id: 'cancelRun',
  method: 'POST',
  path: paths.runCancel,
  auth: 'bearer',
  tag: 'runs',
  summary:
    'Cancels a run, and the runs that only this run needs; they end as failed with code cancelled. An ended run does not change',
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

function wantsJson(accept: string | readonly string[] | undefined): boolean {
  return typeof accept === 'string' && /\bjson\b/i.test(accept) && !/text\/plain/i.test(accept);
}

/** Operations of runs. */
export const runOperations = [listRuns, getRun, getRunLog, followRun, cancelRun] satisfies readonly Operation[];
