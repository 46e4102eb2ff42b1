import { authenticate, type AuthPolicy, DomainError, isDomainError, type Principal } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import type { Operation, Reply } from '../operation.ts';
import type { ServiceRequest, ServiceResponse } from '../seam.ts';
import { readJson } from './body.ts';
import { CallInput } from './call-input.ts';
import { checkReply } from './check-reply.ts';
import { checked } from '../wire/checked.ts';
import { addCors, isPublicGet, preflightHeaders, type CorsOptions } from './cors.ts';
import { failureResponse } from './failure.ts';
import { parseQuery } from './query.ts';
import { decodeParams, type Match, type Router } from './router.ts';

/** How requests are executed. */
export interface ExecuteOptions {
  readonly deps: ServiceDeps;
  readonly router: Router;
  readonly cors: CorsOptions;
  /** Largest JSON body, bytes. */
  readonly bodyLimit: number;
  /** Check every answer against its row; for tests and development. */
  readonly validateResponses: boolean;
  readonly logRequests: boolean;
}

type MutableHeaders = Record<string, string | readonly string[]>;
interface Draft {
  readonly status: number;
  readonly headers: MutableHeaders;
  readonly body: ServiceResponse['body'];
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Makes the function behind `Service.execute`. Never rejects: failures become responses. */
export function createExecute(options: ExecuteOptions): (request: ServiceRequest) => Promise<ServiceResponse> {
  const { deps, router, cors } = options;
  return async (request) => {
    const started = options.logRequests ? performance.now() : 0;
    const requestId = requestIdOf(request);
    const { path, query } = splitUrl(request.url);
    const match = router(path);
    const call = { request, requestId, path, query, match };
    const row = match?.route.methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    let draft: Draft;
    // Each further async function on this way costs a request about half a microsecond.
    try {
      draft = row === undefined ? await answerWithoutRow(call, options) : await run(row, call, options);
    } catch (error) {
      draft = failed(error, call, options);
    }
    addCors(draft.headers, request, { cors, publicGet: match !== undefined && isPublicGet(match, request) });
    draft.headers['x-request-id'] = requestId;
    draft.headers['x-content-type-options'] = 'nosniff';
    if (options.logRequests) {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      deps.logger.info({ requestId, method: request.method, path, status: draft.status, ms }, 'request');
    }
    return request.method === 'HEAD' ? withoutBody(draft) : draft;
  };
}

interface Call {
  readonly request: ServiceRequest;
  readonly requestId: string;
  readonly path: string;
  readonly query: string;
  readonly match: Match | undefined;
}

function answerWithoutRow(call: Call, options: ExecuteOptions): Draft | Promise<Draft> {
  const { request, path, match } = call;
  if (match === undefined) throw new DomainError('not_found', `Not found: ${path.slice(0, 200)}`);
  if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders(match), body: undefined };
  return refuseMethod(match, call, options);
}

function failed(error: unknown, { request, requestId, path, match }: Call, { deps }: ExecuteOptions): Draft {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const row = match?.route.methods.get(method);
  const format = row?.errorFormat ?? (match === undefined ? undefined : anyRow(match)?.errorFormat) ?? 'problem';
  // A body that breaks off because its client left is nobody's failure: answered to nobody, not logged.
  const left = !isDomainError(error) && request.signal.aborted;
  const shown = left ? new DomainError('unavailable', 'The client left') : error;
  return failureResponse(shown, { format, requestId, method, path, logger: deps.logger });
}

async function run(row: Operation, call: Call, options: ExecuteOptions): Promise<Draft> {
  const { request, requestId, path, match } = call;
  const { deps } = options;
  const principal = row.auth === 'public' ? ANONYMOUS : await principalOf(row.auth, request, deps);
  const input = new CallInput({
    request,
    principal,
    params: row.params === undefined ? undefined : checked(row.params, decodeParams(match?.params)),
    query: queryOf(row, call.query),
    body: row.body === undefined ? undefined : checked(row.body, orEmpty(await readJson(request, options.bodyLimit))),
    path,
    requestId,
  });
  const reply = await row.handler(input, deps);
  if (options.validateResponses) checkReply(row, reply);
  return draftOf(row, reply);
}

function draftOf(row: Operation, reply: Reply): Draft {
  const headers: MutableHeaders = { ...reply.headers };
  if (row.noStore === true) headers['cache-control'] = 'no-store';
  if (!('json' in reply)) return { status: reply.status, headers, body: reply.body === '' ? undefined : reply.body };
  headers['content-type'] ??= 'application/json; charset=utf-8';
  return { status: reply.status, headers, body: JSON.stringify(reply.json) };
}

// Public rows, the hot ones, ask nobody; every other policy is core's to decide.
const ANONYMOUS = { kind: 'anonymous' } as const;

function principalOf(policy: AuthPolicy, { headers }: ServiceRequest, { auth }: ServiceDeps): Promise<Principal> {
  return authenticate(policy, { authorization: joined(headers['authorization']) }, auth);
}

// Without credentials a wrong method on a protected path is a 401, as in the live system: paths tell nothing to strangers.
async function refuseMethod(match: Match, { request }: Call, { deps }: ExecuteOptions): Promise<Draft> {
  const policy = anyRow(match)?.auth ?? 'public';
  await principalOf(policy, request, deps);
  const message = `Method "${request.method}" not allowed.`;
  throw new DomainError('method_not_allowed', message, { details: { allow: match.route.allow } });
}

// No body is an empty form, so that each missing field is named.
function orEmpty(value: unknown): unknown {
  return value === undefined ? {} : value;
}

function queryOf(row: Operation, query: string): unknown {
  // Parsed even where no row reads it: a malformed or repeated parameter is refused everywhere alike.
  const values = parseQuery(query, row.foldQueryCase === true);
  return row.query === undefined ? undefined : checked(row.query, values);
}

function anyRow(match: Match): Operation | undefined {
  return match.route.methods.values().next().value;
}

function splitUrl(url: string): { path: string; query: string } {
  // Proxies may send the whole address (RFC 9112, 3.2.2).
  if (!url.startsWith('/')) return splitUrl(url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/'));
  const at = url.indexOf('?');
  const raw = at < 0 ? url : url.slice(0, at);
  const path = raw.startsWith('//') ? raw.replace(/^\/+/, '/') : raw;
  return { path: path === '' ? '/' : path, query: at < 0 ? '' : url.slice(at + 1) };
}

function joined(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

function requestIdOf({ headers }: ServiceRequest): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : crypto.randomUUID();
}

function withoutBody({ status, headers, body }: Draft): Draft {
  if (typeof body === 'string') headers['content-length'] ??= String(Buffer.byteLength(body));
  if (body instanceof Uint8Array) headers['content-length'] ??= String(body.byteLength);
  if (body instanceof ReadableStream) void body.cancel();
  return { status, headers, body: undefined };
}
