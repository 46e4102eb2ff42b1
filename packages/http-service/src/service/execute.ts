import { DomainError, isDomainError } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import { parseQuery } from '../reading/query.ts';
import type { Operation } from '../operation.ts';
import type { ServiceRequest, ServiceResponse } from '../seam.ts';
import { CallInput } from './call-input.ts';
import { Call } from './call.ts';
import { checkReply } from './check-reply.ts';
import { addCors, preflightHeaders, type CorsOptions } from './cors.ts';
import { draftOf, withoutBody, type Draft } from './draft.ts';
import { createEncodings, type Encodings } from './encodings.ts';
import { failureResponse } from './failure.ts';
import { requestIdOf, splitUrl } from './request-line.ts';
import { corsRuleOf } from './route.ts';
import { checked } from '../wire/checked.ts';
import { decodeParams, type Match, type Router } from './router.ts';
import type { RowPlan } from './row-plan.ts';

/** How requests are executed. */
export interface ExecuteOptions {
  readonly deps: ServiceDeps;
  readonly router: Router;
  readonly cors: CorsOptions;
  /** Check every answer against its row; for tests and development. */
  readonly validateResponses: boolean;
  readonly logRequests: boolean;
}

type Options = ExecuteOptions & { readonly encodings: Encodings };

/** Makes the function behind `Service.execute`. Never rejects: failures become responses. */
export function createExecute(given: ExecuteOptions): (request: ServiceRequest) => Promise<ServiceResponse> {
  const options: Options = { ...given, encodings: createEncodings() };
  const { deps, router, cors } = options;
  return async (request) => {
    const started = options.logRequests ? performance.now() : 0;
    const requestId = requestIdOf(request);
    const { path, query } = splitUrl(request.url);
    const match = router(path);
    const call = new Call({ request, requestId, path, query, match });
    let draft: Draft;
    // Each further async function on this way costs a request about half a microsecond.
    try {
      draft = call.plan === undefined ? await answerWithoutRow(call, options) : await run(call.plan, call, options);
    } catch (error) {
      draft = failed(error, call, options);
    }
    addCors(draft.headers, request, {
      cors,
      rule: match === undefined ? 'configured' : corsRuleOf(match.route, request),
    });
    draft.headers['x-request-id'] = requestId;
    draft.headers['x-content-type-options'] = 'nosniff';
    if (options.logRequests) {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      deps.logger.info({ requestId, method: request.method, path, status: draft.status, ms }, 'request');
    }
    return request.method === 'HEAD' ? withoutBody(draft) : draft;
  };
}

function answerWithoutRow(call: Call, options: Options): Draft | Promise<Draft> {
  const { request, path, match } = call;
  if (match === undefined) throw new DomainError('not_found', `Not found: ${path.slice(0, 200)}`);
  if (request.method === 'OPTIONS')
    return { status: 204, headers: preflightHeaders(match.route.allow), body: undefined };
  return refuseMethod(match, call, options);
}

function failed(error: unknown, call: Call, { deps }: Options): Draft {
  const { request, requestId, path, method, wordedBy } = call;
  const format = wordedBy?.row.errorFormat ?? 'problem';
  // A body that breaks off because its client left is nobody's failure: answered to nobody, not logged.
  const left = !isDomainError(error) && request.signal.aborted;
  const shown = left ? new DomainError('unavailable', 'The client left') : error;
  const { logger, baseUrl } = deps;
  return failureResponse(shown, { format, requestId, method, path, logger, baseUrl, challenge: call.challenge });
}

async function run(plan: RowPlan, call: Call, options: Options): Promise<Draft> {
  const { row } = plan;
  const { request, requestId, path, match } = call;
  const { deps } = options;
  // Public rows, the hot ones, wait for nobody.
  const principal = plan.isOpen ? ANONYMOUS : await call.authenticate(plan, deps.auth);
  const input = new CallInput({
    request,
    principal,
    params: row.params === undefined ? undefined : checked(row.params, decodeParams(match?.params)),
    query: queryOf(row, call.query),
    body: plan.readBody === undefined ? undefined : plan.checkBody(await call.readBody(plan)),
    path,
    requestId,
  });
  const reply = await row.handler(input, deps);
  if (options.validateResponses) checkReply(row, reply);
  const draft = draftOf(row, reply, { request, encodings: options.encodings });
  return draft instanceof Promise ? await draft : draft;
}

const ANONYMOUS = { kind: 'anonymous' } as const;

// Where the first row of a path asks for credentials first, strangers learn nothing of its methods.
async function refuseMethod({ route }: Match, call: Call, { deps }: Options): Promise<Draft> {
  const { first } = route;
  if (first.policies[0]?.refusesFirst === 'credentials') await call.authenticate(first, deps.auth);
  const message = `Method "${call.request.method}" not allowed.`;
  throw new DomainError('method_not_allowed', message, { details: { allow: route.allow } });
}

function queryOf(row: Operation, query: string): unknown {
  // Parsed even where no row reads it: a malformed or repeated parameter is refused everywhere alike.
  const values = parseQuery(query, row.foldQueryCase === true);
  return row.query === undefined ? undefined : checked(row.query, values);
}
