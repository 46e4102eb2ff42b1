import type { ServiceDeps } from '../deps.ts';
import type { Operation } from '../rows/operation.ts';
import type { Reply, Prepared } from '../seam/reply.ts';
import { checked } from '../wire/checked.ts';
import type { Encodings } from './encodings.ts';
import type { MountedLinks } from './mounted-links.ts';
import type { RoutedRequest } from './routed-request.ts';
import { decodeParams } from './router.ts';
import type { RowPlan } from './row-plan.ts';
import { type UnsentResponse, addVary, type MutableHeaders } from './unsent-response.ts';
import { type Encoding, chooseEncoding } from '../reading/accept-encoding.ts';
import { knowsTag } from '../reading/conditions.ts';
import type { ServiceRequest } from '../seam/request.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';

function checkReply(row: Operation, reply: Reply): void {
  const spec = row.responses[reply.status];
  if (spec === undefined) throw new Error(`${row.id}: status ${reply.status} is not in its row`);
  if ('json' in reply) return checkJson(row, reply.status, reply.json);
  if ('prepared' in reply && isJson(reply.prepared.type)) {
    return checkJson(row, reply.status, JSON.parse(new TextDecoder().decode(reply.prepared.bytes)));
  }
  const header = 'prepared' in reply ? reply.prepared.type : reply.headers['content-type'];
  const type = String(header ?? '').split(';')[0];
  const isDeclared = spec.media?.some((media) => media.split(';')[0] === type) ?? type === '';
  if (!isDeclared) throw new Error(`${row.id}: media type ${type} of response ${reply.status} is not in its row`);
}

function checkJson(row: Operation, status: number, value: unknown): void {
  const schema = row.responses[status]?.schema;
  if (schema === undefined) throw new Error(`${row.id}: the response ${status} is JSON, but its row has no schema`);
  const result = schema.safeParse(value);
  if (!result.success)
    throw new Error(`${row.id}: response ${status} does not match its schema: ${result.error.message}`);
}

function isJson(type: string): boolean {
  return /[/+]json\b/.test(type);
}

/** Parts of a service for answering requests. */
export interface AnswerOptions {
  readonly deps: ServiceDeps;
  /** True if each response is validated against its operation, in tests and development. */
  readonly validateResponses: boolean;
  readonly encodings: Encodings;
  /** Removes links to operations that are not mounted. */
  readonly mountedLinks?: MountedLinks | undefined;
}

const ANONYMOUS = { kind: 'anonymous' } as const;

/** If reading a body takes at least this time, ms, the credentials are checked again. */
const CHECK_AGE_MS = 1000;

const now = ({ deps }: AnswerOptions): number => deps.clock.now().getTime();

/**
 * Answers a request with its operation. Returns a promise only if it has to wait, for speed. Throws, or rejects with,
 * the error of the operation.
 */
export function answer(
  plan: RowPlan,
  routed: RoutedRequest,
  options: AnswerOptions,
): UnsentResponse | Promise<UnsentResponse> {
  if (!plan.isOpen || plan.readBody !== undefined) return answerLater(plan, routed, options);
  readAddress(plan, routed);
  routed.principal = ANONYMOUS;
  return handle(plan, routed, options);
}

async function answerLater(plan: RowPlan, routed: RoutedRequest, options: AnswerOptions): Promise<UnsentResponse> {
  // No `await` for operations without sign-in, because they get the most requests.
  routed.principal = plan.isOpen ? ANONYMOUS : await routed.authenticate(plan, options.deps);
  // Path and query are read before the body, so that an invalid parameter is reported early.
  readAddress(plan, routed);
  if (plan.readBody !== undefined) {
    const early = plan.row.beforeBody === undefined ? undefined : await earlyReply(plan, routed, options);
    if (early !== undefined) return await finish(plan, { routed, reply: early }, options);
    const checkedAtMs = plan.isOpen ? 0 : now(options);
    routed.body = plan.checkBody(await routed.readBody(plan));
    // The session may have ended while a slow client sent its body.
    if (!plan.isOpen && now(options) - checkedAtMs >= CHECK_AGE_MS) await routed.authenticateAgain(options.deps);
  }
  const response = handle(plan, routed, options);
  // `await`, because otherwise the promise takes two more turns of the microtask queue.
  return response instanceof Promise ? await response : response;
}

async function earlyReply(
  { row, readBody }: RowPlan,
  routed: RoutedRequest,
  { deps }: AnswerOptions,
): Promise<Reply | undefined> {
  const early = await row.beforeBody?.(routed, deps);
  if (early === undefined) return undefined;
  const mayArrive = early.unless !== undefined && readBody !== undefined;
  if (mayArrive && (await routed.bodyArrives(readBody, early.unless))) return undefined;
  const { body } = routed.request;
  if (body.kind === 'stream') body.drop?.();
  return early.reply;
}

function handle(
  plan: RowPlan,
  routed: RoutedRequest,
  options: AnswerOptions,
): UnsentResponse | Promise<UnsentResponse> {
  const reply = plan.row.handler(routed, options.deps);
  return reply instanceof Promise
    ? reply.then((each) => finish(plan, { routed, reply: each }, options))
    : finish(plan, { routed, reply }, options);
}

function finish(
  plan: RowPlan,
  { routed, reply }: { readonly routed: RoutedRequest; readonly reply: Reply },
  { encodings, validateResponses, mountedLinks }: AnswerOptions,
): UnsentResponse | Promise<UnsentResponse> {
  if (validateResponses) checkReply(plan.row, reply);
  return responseOf(plan, mountedLinks === undefined ? reply : mountedLinks(reply), {
    request: routed.request,
    encodings,
  });
}

function readAddress({ row, readQuery }: RowPlan, routed: RoutedRequest): void {
  routed.params = row.params === undefined ? undefined : checked(row.params, decodeParams(routed.match?.params));
  routed.query = readQuery(routed.queryText);
}

interface ResponseParts {
  readonly request: ServiceRequest;
  readonly encodings: Encodings;
}

function responseOf(
  plan: RowPlan,
  reply: Reply,
  { request, encodings }: ResponseParts,
): UnsentResponse | Promise<UnsentResponse> {
  const headers: MutableHeaders = reply.headers === undefined ? {} : { ...reply.headers };
  if (plan.row.noStore === true) headers['cache-control'] = 'no-store';
  else if (!plan.isOpen) forCallerOnly(headers, plan);
  if ('prepared' in reply) return preparedResponse({ ...reply, headers }, request, encodings);
  if (!('json' in reply)) return { status: reply.status, headers, body: reply.body === '' ? undefined : reply.body };
  headers['content-type'] ??= JSON_TYPE;
  return { status: reply.status, headers, body: JSON.stringify(reply.json) };
}

/** Adds headers, so that shared caches do not send the response to other clients. */
function forCallerOnly(headers: MutableHeaders, { credentialHeaders }: RowPlan): void {
  const cacheControl = headers['cache-control'];
  if (cacheControl === undefined) headers['cache-control'] = 'no-store';
  else if (!/\b(?:private|public|no-store)\b/.test(String(cacheControl)))
    headers['cache-control'] = `private, ${String(cacheControl)}`;
  for (const name of credentialHeaders) addVary(headers, name);
}

type PreparedReply = Extract<Reply, { readonly prepared: Prepared }> & Pick<UnsentResponse, 'headers'>;

function preparedResponse(
  reply: PreparedReply,
  request: ServiceRequest,
  encodings: Encodings,
): UnsentResponse | Promise<UnsentResponse> {
  const wanted = chooseEncoding(request.headers['accept-encoding']);
  const plain: Form = { encoding: 'identity', bytes: reply.prepared.bytes };
  if (wanted === 'identity') return encodedResponse(reply, request, plain);
  const compressed = encodings.of(reply.prepared, wanted);
  return compressed.then((bytes) =>
    encodedResponse(reply, request, bytes === undefined ? plain : { encoding: wanted, bytes }),
  );
}

interface Form {
  readonly encoding: Encoding;
  readonly bytes: Uint8Array;
}

function encodedResponse(
  { status, prepared, headers }: PreparedReply,
  request: ServiceRequest,
  form: Form,
): UnsentResponse {
  const { encoding, bytes } = form;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  addVary(headers, 'Accept-Encoding');
  const etag = tagOf(prepared.etag, encoding);
  headers['etag'] = etag;
  if (status === 200 && isRead && knowsTag(etag, request.headers) === true)
    return { status: 304, headers, body: undefined };
  headers['content-type'] = prepared.type;
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  return { status, headers, body: bytes };
}

// A strong ETag identifies exact bytes, so each encoding has its own (RFC 9110, 8.8.3.3).
function tagOf(etag: string, encoding: Encoding): string {
  return encoding === 'identity' || etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}
