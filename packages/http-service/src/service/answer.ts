import type { ServiceDeps } from '../deps.ts';
import type { Operation } from '../rows/operation.ts';
import type { Reply } from '../seam/reply.ts';
import { checked } from '../wire/checked.ts';
import type { Encodings } from './encodings.ts';
import { responseOf } from './response-of.ts';
import type { ReadParts, RoutedRequest } from './routed-request.ts';
import { decodeParams } from './router.ts';
import type { RowPlan } from './row-plan.ts';
import type { UnsentResponse } from './unsent-response.ts';

/** Throws if a reply does not match its row: if the row has no such status or media type, or if the schema does not accept the body. */
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

/** Parts of a service that are needed to answer a request. */
export interface AnswerOptions {
  readonly deps: ServiceDeps;
  /** True: validates each response against its row. For tests and development. */
  readonly validateResponses: boolean;
  readonly encodings: Encodings;
}

const ANONYMOUS = { kind: 'anonymous' } as const;

/**
 * Answers a request with its row: authenticates the caller, reads path, query and body, and calls the handler. It
 * returns a promise only if it has to wait, because each promise costs a quarter of a microsecond per request.
 * Throws, or rejects with, the error; the caller writes it in the row's error format.
 */
export function answer(
  plan: RowPlan,
  routed: RoutedRequest,
  options: AnswerOptions,
): UnsentResponse | Promise<UnsentResponse> {
  if (!plan.isOpen || plan.readBody !== undefined) return answerLater(plan, routed, options);
  read(routed, { principal: ANONYMOUS, ...addressOf(plan, routed), body: undefined });
  return handle(plan, routed, options);
}

async function answerLater(plan: RowPlan, routed: RoutedRequest, options: AnswerOptions): Promise<UnsentResponse> {
  // Public rows get the most requests, so they do not wait for an authentication.
  const caller = plan.isOpen ? ANONYMOUS : await routed.authenticate(plan, options.deps);
  // Path and query are read before the body, so that an invalid parameter is reported without waiting for the bytes of the body.
  const address = addressOf(plan, routed);
  if (plan.readBody === undefined) read(routed, { principal: caller, ...address, body: undefined });
  else {
    const found = { principal: caller, atMs: options.deps.clock.now().getTime() };
    const body = plan.checkBody(await routed.readBody(plan));
    read(routed, { principal: await routed.principalAfterBody(found, options.deps), ...address, body });
  }
  // The promise is awaited here, because returning it would take two more microtask turns.
  return await handle(plan, routed, options);
}

function handle(
  plan: RowPlan,
  routed: RoutedRequest,
  { deps, encodings, validateResponses }: AnswerOptions,
): UnsentResponse | Promise<UnsentResponse> {
  const { row } = plan;
  const finish = (reply: Reply): UnsentResponse | Promise<UnsentResponse> => {
    if (validateResponses) checkReply(row, reply);
    return responseOf(plan, reply, { request: routed.request, encodings });
  };
  const reply = row.handler(routed, deps);
  return reply instanceof Promise ? reply.then(finish) : finish(reply);
}

function read(routed: RoutedRequest, { principal, params, query, body }: ReadParts): void {
  routed.principal = principal;
  routed.params = params;
  routed.query = query;
  routed.body = body;
}

/** Reads and validates the parameters of the path and of the query. */
function addressOf({ row, readQuery }: RowPlan, routed: RoutedRequest): Pick<ReadParts, 'params' | 'query'> {
  return {
    params: row.params === undefined ? undefined : checked(row.params, decodeParams(routed.match?.params)),
    query: readQuery(routed.queryText),
  };
}
