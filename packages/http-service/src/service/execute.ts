import { DomainError, isDomainError } from '@headwater/core';
import type { Service, ServiceRequest, ServiceResponse } from '../seam/request.ts';
import { allowanceHeaders } from '../limits/key-limits.ts';
import { requestLanguage } from '../reading/accept-language.ts';
import { prefersHtml } from '../reading/accept-media.ts';
import { PAGE_VARY } from '../answering/page-or-document.ts';
import { type Account, prefixOf } from '../pages/layout.ts';
import { shellFor } from '../screens/replies.ts';
import { answer, type AnswerOptions } from './answer.ts';
import type { CorsOptions } from '../reading/origins.ts';
import { addCors, type Allowed, preflightHeaders } from './cors.ts';
import { createEncodings } from './encodings.ts';
import { failureResponse } from './failure.ts';
import { absent } from '../wire/absent.ts';
import { paths } from '../wire/paths.ts';
import { sentences } from '../wire/sentences.ts';
import { createRequestCounter, type RequestCounter } from './request-counter.ts';
import { createRequestIds, loggedPath, splitUrl } from './request-line.ts';
import type { ErrorFormat } from '../wire/wordings/index.ts';
import { corsRuleOf } from './route.ts';
import { RoutedRequest } from './routed-request.ts';
import type { Match, Router } from './router.ts';
import { type MutableHeaders, type UnsentResponse, withoutBody } from './unsent-response.ts';

/** Options of `createExecute`. */
export interface ExecuteOptions extends Omit<AnswerOptions, 'encodings'> {
  readonly router: Router;
  readonly cors: CorsOptions;
  readonly logRequests: boolean;
  /** True while the service closes. */
  readonly isRefusing: () => boolean;
  /** Default: a counter of its own, which nothing reads. */
  readonly requestCounter?: RequestCounter;
}

/** Function behind `Service.execute`. */
export type Execute = Service['execute'];

type Options = ExecuteOptions & AnswerOptions;

/** Error formats for programs; for a GET, browsers get an error page instead. */
const ALSO_AS_PAGE: ReadonlySet<ErrorFormat> = new Set(['problem', 'withError', 'compute', 'success']);

/** Creates the function behind `Service.execute`. */
export function createExecute(executeOptions: ExecuteOptions): Execute {
  const options: Options = { ...executeOptions, encodings: createEncodings() };
  const { router, requestCounter = createRequestCounter(), logRequests } = options;
  const requestIdOf = createRequestIds();
  const complete = (response: UnsentResponse, logged: LoggedRequest): ServiceResponse => {
    const { routed } = logged;
    try {
      addHeaders(response.headers, routed, options);
      if (logRequests) logRequest(response, logged, options);
      const { request } = routed;
      const isBodyless = request.method === 'HEAD' || isAbandonedStream(response, request);
      return requestCounter.end(isBodyless ? withoutBody(response) : response);
    } catch (error) {
      requestCounter.fail();
      if (response.body instanceof ReadableStream) response.body.cancel(error).catch(() => {});
      throw error;
    }
  };
  const errorResponse = async (error: unknown, routed: RoutedRequest): Promise<UnsentResponse> => {
    try {
      return await failed(error, routed, options);
    } catch (second) {
      requestCounter.fail();
      throw second;
    }
  };
  const completeLater = async (pending: Promise<UnsentResponse>, logged: LoggedRequest): Promise<ServiceResponse> => {
    let response: UnsentResponse;
    try {
      response = await pending;
    } catch (error) {
      response = await errorResponse(error, logged.routed);
    }
    return complete(response, logged);
  };
  const respond = (routed: RoutedRequest): ReturnType<Execute> => {
    const logged = { routed, startedAt: logRequests ? performance.now() : 0 };
    let answered: UnsentResponse | Promise<UnsentResponse>;
    try {
      answered = started(routed, options);
    } catch (error) {
      return errorResponse(error, routed).then((response) => complete(response, logged));
    }
    if (answered instanceof Promise) return completeLater(answered, logged);
    try {
      return complete(answered, logged);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  return (request) => {
    const { path, query: queryText } = splitUrl(request.url);
    requestCounter.begin();
    return respond(
      new RoutedRequest({ request, requestId: requestIdOf(request), path, queryText, match: router(path) }),
    );
  };
}

// Begins the answer. Throws, or rejects with, the error of the operation.
function started(routed: RoutedRequest, options: Options): UnsentResponse | Promise<UnsentResponse> {
  if (routed.request.isOfReserve === true && routed.plan?.row.usesReserve !== true) throw fullRefusal();
  if (options.isRefusing() && routed.plan?.row.isAnsweredWhileClosing !== true) throw closingRefusal();
  return routed.plan === undefined ? answerWithoutRow(routed, options) : answer(routed.plan, routed, options);
}

interface LoggedRequest {
  readonly routed: RoutedRequest;
  /** Value of `performance.now()`, ms. */
  readonly startedAt: number;
}

function logRequest({ status }: UnsentResponse, { routed, startedAt }: LoggedRequest, { deps }: Options): void {
  const { requestId, method } = routed;
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  deps.logger.info({ requestId, method, path: loggedPath(publicPath(routed)), status, ms }, 'request');
}

/** Adds the headers of every response. */
function addHeaders(headers: MutableHeaders, routed: RoutedRequest, options: Options): void {
  const { request, requestId } = routed;
  addCors(headers, request, () => allowedBy(routed, options));
  if (routed.allowances !== undefined) Object.assign(headers, allowanceHeaders(routed.allowances));
  // Closed, so that the next client can have the reserved connection.
  if (request.isOfReserve === true) headers['connection'] = 'close';
  headers['x-request-id'] = requestId;
  headers['x-content-type-options'] = 'nosniff';
}

function allowedBy(routed: RoutedRequest, { cors, deps }: Options): Allowed {
  const { request, requestId, match } = routed;
  const rule = match === undefined ? 'configured' : corsRuleOf(match.route, request);
  const report = (error: unknown): void =>
    deps.logger.error(
      { requestId, path: loggedPath(publicPath(routed)), error: String(error) },
      'a CORS rule threw an error; pages of other origins cannot read this response',
    );
  return { cors, rule, report };
}

const RETRY_AFTER_SECONDS = 5;

function closingRefusal(): DomainError {
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new DomainError('unavailable', 'The service is closing; try again shortly.', { details });
}

function fullRefusal(): DomainError {
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new DomainError('unavailable', 'All connections of this server are in use; try again shortly.', { details });
}

/** True for a stream whose client has disconnected. Some hosts do not cancel it, so the service cancels it. */
function isAbandonedStream(response: UnsentResponse, request: ServiceRequest): boolean {
  return response.body instanceof ReadableStream && request.signal.aborted;
}

function publicPath({ match, path }: RoutedRequest): string {
  return match?.route.first.row.secretPath === true ? match.route.first.row.path : path;
}

function answerWithoutRow(routed: RoutedRequest, options: Options): UnsentResponse | Promise<UnsentResponse> {
  const { request, path, match } = routed;
  if (match === undefined) {
    const list = options.router(paths.docs) === undefined ? '' : paths.docs;
    throw absent('path', { path: path.slice(0, 200), list });
  }
  if (request.method === 'OPTIONS')
    return { status: 204, headers: preflightHeaders(match.route, request), body: undefined };
  return refuseMethod(match, routed, options);
}

async function failed(
  error: unknown,
  routed: RoutedRequest,
  { deps, logRequests, mountedLinks }: Options,
): Promise<UnsentResponse> {
  const { request, requestId, queryText, rowMethod: method, wordedBy } = routed;
  const path = publicPath(routed);
  const own = wordedBy?.row.errorFormat ?? 'problem';
  const isNegotiable = ALSO_AS_PAGE.has(own) && (request.method === 'GET' || request.method === 'HEAD');
  const format = isNegotiable && prefersHtml(request.headers['accept']) ? 'html' : own;
  const hasDisconnected = !isDomainError(error) && request.signal.aborted;
  const shown = hasDisconnected ? new DomainError('unavailable', 'The client disconnected') : error;
  const { logger, baseUrl } = deps;
  const language = requestLanguage(queryText, request.headers['accept-language']);
  const signIn = signInFor(routed, deps);
  const isPathLogged = logRequests;
  const { challenge } = routed;
  const isPage = format === 'html' || format === 'report';
  // If the service is overloaded, the reader of the error page is not looked up.
  const isShed = isDomainError(shown) && shown.code === 'unavailable';
  const account = isPage && !isShed ? await accountOn(routed, deps) : undefined;
  const words = { language, queryText, account, challenge, signIn };
  const context = { requestId, method, path, isPathLogged, logger, baseUrl, ...words };
  try {
    const response = failureResponse(shown, { ...context, format });
    // Error pages also have no links to operations that are not mounted.
    if (mountedLinks !== undefined) Object.assign(response, mountedLinks(response));
    if (isNegotiable) response.headers['vary'] = isPage ? PAGE_VARY : 'Accept';
    if (isPage) response.headers['content-language'] = language;
    return response;
  } catch (renderError) {
    // The embedder's error format has thrown, so the default format is used.
    return failureResponse(renderError, { ...context, format: 'problem' });
  }
}

async function accountOn(routed: RoutedRequest, deps: AnswerOptions['deps']): Promise<Account | undefined> {
  try {
    return (await shellFor(routed, deps)).account;
  } catch {
    return undefined;
  }
}

function signInFor(
  { plan, path, queryText, rowMethod }: RoutedRequest,
  { screens, baseUrl }: AnswerOptions['deps'],
): string | undefined {
  const isOpened = rowMethod === 'GET' && plan?.policies.some(({ name }) => name === 'session') === true;
  if (!isOpened || screens.kind === 'off') return undefined;
  return screens.signInAt(`${prefixOf(baseUrl)}${path}${queryText === '' ? '' : `?${queryText}`}`);
}

// If the first policy demands it (`refusesFirst`), credentials are checked first, so that not every client can find out
// the methods of the path.
async function refuseMethod({ route }: Match, routed: RoutedRequest, { deps }: Options): Promise<UnsentResponse> {
  const { first } = route;
  if (first.policies[0]?.refusesFirst === 'credentials') await routed.authenticate(first, deps);
  throw new DomainError('method_not_allowed', sentences.methodNotAllowed(routed.request.method), {
    details: { allow: route.allow },
  });
}
