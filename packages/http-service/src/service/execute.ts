import { DomainError, isDomainError } from '@headwater/core';
import type { ServiceRequest, ServiceResponse } from '../seam/request.ts';
import { allowanceHeaders } from '../limits/key-limits.ts';
import { requestLanguage } from '../reading/accept-language.ts';
import { prefersHtml } from '../reading/accept-media.ts';
import { answer, type AnswerOptions } from './answer.ts';
import { addCors, preflightHeaders, type CorsOptions } from './cors.ts';
import { createEncodings } from './encodings.ts';
import { failureResponse } from './failure.ts';
import { absent } from '../wire/absent.ts';
import { sentences } from '../wire/sentences.ts';
import { createRequestIds, loggedPath, splitUrl } from './request-line.ts';
import type { ErrorFormat } from '../wire/wordings/index.ts';
import { corsRuleOf } from './route.ts';
import { RoutedRequest } from './routed-request.ts';
import type { Match, Router } from './router.ts';
import { type UnsentResponse, withoutBody } from './unsent-response.ts';

/** How requests are executed. */
export interface ExecuteOptions extends Omit<AnswerOptions, 'encodings'> {
  readonly router: Router;
  readonly cors: CorsOptions;
  readonly logRequests: boolean;
  /** True once the service closes: requests are refused, except those of rows that are answered to the end. */
  readonly isRefusing: () => boolean;
}

/** Answers a request. Never rejects: failures become responses. */
export type Execute = (request: ServiceRequest) => Promise<ServiceResponse>;

type Options = ExecuteOptions & AnswerOptions;

/** Wordings for programs: where an address is opened in a browser, its failures are told as a page instead. */
const ALSO_AS_PAGE: ReadonlySet<ErrorFormat> = new Set(['problem', 'compute', 'success']);

/** Makes the function behind `Service.execute`. */
export function createExecute(given: ExecuteOptions): Execute {
  const options: Options = { ...given, encodings: createEncodings() };
  const { deps, router, cors } = options;
  const requestIdOf = createRequestIds();
  return async (request) => {
    const started = options.logRequests ? performance.now() : 0;
    const requestId = requestIdOf(request);
    const { path, query: queryText } = splitUrl(request.url);
    const match = router(path);
    const routed = new RoutedRequest({ request, requestId, path, queryText, match });
    let response: UnsentResponse;
    try {
      if (given.isRefusing() && routed.plan?.row.isAnsweredToTheEnd !== true) throw closingRefusal();
      const made = routed.plan === undefined ? answerWithoutRow(routed, options) : answer(routed.plan, routed, options);
      response = made instanceof Promise ? await made : made;
    } catch (error) {
      response = failed(error, routed, options);
    }
    const rule = match === undefined ? 'configured' : corsRuleOf(match.route, request);
    const report = (error: unknown): void =>
      deps.logger.error(
        { requestId, path: loggedPath(pathToTell(routed)), error: String(error) },
        'a CORS rule failed; no other origin may read the answer',
      );
    addCors(response.headers, request, { cors, rule, report });
    if (routed.allowances !== undefined) Object.assign(response.headers, allowanceHeaders(routed.allowances));
    response.headers['x-request-id'] = requestId;
    response.headers['x-content-type-options'] = 'nosniff';
    if (options.logRequests) {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const { method } = request;
      deps.logger.info(
        { requestId, method, path: loggedPath(pathToTell(routed)), status: response.status, ms },
        'request',
      );
    }
    return request.method === 'HEAD' || isStreamForNobody(response, request) ? withoutBody(response) : response;
  };
}

const ASK_AGAIN_SECONDS = 5;

function closingRefusal(): DomainError {
  const details = { retryAfterSeconds: ASK_AGAIN_SECONDS };
  return new DomainError('unavailable', 'The service is closing; try again shortly.', { details });
}

/** True for a stream whose client has left: hosts do not read it, and not every host cancels it. */
function isStreamForNobody(response: UnsentResponse, request: ServiceRequest): boolean {
  return response.body instanceof ReadableStream && request.signal.aborted;
}

/** The path for log lines and messages: that of the row where the request's own holds a secret. */
function pathToTell({ match, path }: RoutedRequest): string {
  return match?.route.first.row.secretPath === true ? match.route.first.row.path : path;
}

function answerWithoutRow(routed: RoutedRequest, options: Options): UnsentResponse | Promise<UnsentResponse> {
  const { request, path, match } = routed;
  if (match === undefined) throw absent('path', { path: path.slice(0, 200) });
  if (request.method === 'OPTIONS')
    return { status: 204, headers: preflightHeaders(match.route, request), body: undefined };
  return refuseMethod(match, routed, options);
}

function failed(error: unknown, routed: RoutedRequest, { deps, logRequests }: Options): UnsentResponse {
  const { request, requestId, queryText, rowMethod: method, wordedBy } = routed;
  const path = pathToTell(routed);
  const own = wordedBy?.row.errorFormat ?? 'problem';
  const isNegotiable = ALSO_AS_PAGE.has(own) && (request.method === 'GET' || request.method === 'HEAD');
  const format = isNegotiable && prefersHtml(request.headers['accept']) ? 'html' : own;
  // A body that breaks off because its client left is nobody's failure: answered to nobody, not logged.
  const left = !isDomainError(error) && request.signal.aborted;
  const shown = left ? new DomainError('unavailable', 'The client left') : error;
  const { logger, baseUrl } = deps;
  const language = requestLanguage(queryText, request.headers['accept-language']);
  const isPathLogged = logRequests;
  const context = { requestId, method, path, isPathLogged, logger, baseUrl, language, challenge: routed.challenge };
  try {
    const made = failureResponse(shown, { ...context, format });
    if (isNegotiable) made.headers['vary'] = 'Accept';
    return made;
  } catch (unworded) {
    // A wording of an embedder that fails itself: our own says so.
    return failureResponse(unworded, { ...context, format: 'problem' });
  }
}

// Where the first row of a path asks for credentials first, strangers learn nothing of its methods.
async function refuseMethod({ route }: Match, routed: RoutedRequest, { deps }: Options): Promise<UnsentResponse> {
  const { first } = route;
  if (first.policies[0]?.refusesFirst === 'credentials') await routed.authenticate(first, deps);
  throw new DomainError('method_not_allowed', sentences.methodNotAllowed(routed.request.method), {
    details: { allow: route.allow },
  });
}
