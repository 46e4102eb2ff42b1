import { httpDate, isTransientStatus, retry } from '@headwater/net/retry';
import ky, { isTimeoutError } from 'ky';
import type { Clock } from '../clock.ts';
import { type ExchangeDetails, isOrchestratorError, isTransient, OrchestratorError } from '../errors.ts';
import { aborted, pauseUnlessAborted, unlessAborted } from './aborted.ts';
import type { Authorization } from './credentials.ts';
import { faultOf, noAnswer, notJson, noToken, reasonOf, type Subject } from './fault.ts';
import { isOwnError, errorTextOf } from './problem.ts';
import { type BodyLimit, type BodySink, type BodyText, pourBody, readBody } from './read-body.ts';
import { requestedPause, pauseBeforeRetry } from './retry.ts';

/** One request to the orchestrator. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path below the root, with encoded segments. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly json?: unknown;
  readonly accept?: string;
  readonly subject?: Subject;
  readonly signal?: AbortSignal | undefined;
  /**
   * True for a call that the orchestrator possibly does not offer. A missing response to such a call is not an outage.
   */
  readonly isOptional?: boolean;
  /** True if a retry is harmless although the request is not a GET. */
  readonly repeatable?: boolean;
  /** Overrides the transport's number of attempts. */
  readonly attempts?: number | undefined;
  readonly limit?: BodyLimit;
  /** Called for each 2xx response, also after a retry. Returns the receiver of the body, if any. */
  readonly sink?: (headers: Headers) => BodySink | undefined;
  readonly authorized?: boolean;
}

/** A 2xx response. */
export interface Answer extends BodyText {
  readonly status: number;
  readonly headers: Headers;
  /** Target of a redirect, if any. */
  readonly redirectedTo: string | undefined;
}

/** Record of a request attempt, without credentials, conf and query. */
export interface RequestNote {
  readonly method: string;
  readonly path: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Reason of a missing response, such as `connect ECONNREFUSED 127.0.0.1:8080`. */
  readonly problem: string | null;
  readonly milliseconds: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** True for a call that the orchestrator possibly does not offer. A closed connection is then not an outage. */
  readonly isOptional: boolean;
}

/** Dependencies and settings of a transport. */
export interface TransportParts {
  readonly root: string;
  readonly authorization: Authorization;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  /** Maximum attempts of a repeatable request. */
  readonly attempts: number;
  readonly fetch: typeof globalThis.fetch;
  readonly onRequest: ((note: RequestNote) => void) | undefined;
}

type Outcome = { readonly answer: Answer } | { readonly error: OrchestratorError };

/** Limit of a JSON body, bytes. A larger body is an error. */
const JSON_LIMIT: BodyLimit = { bytes: 64 * 2 ** 20, keep: 'head' };

/** Errors of a proxy that requires credentials: 401, 403, or a sign-in page. */
const DENIED = ['unauthorized', 'forbidden', 'not_json'] as const;

/** Sends requests with timeout, retries, one renewal of a refused token, and readable errors. */
export class Transport {
  readonly #parts: TransportParts;
  /** Time of the latest `Date` header minus the time of this machine, ms. */
  #ahead: number | null = null;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  /** Transport with other credentials. */
  with(authorization: Authorization): Transport {
    const other = new Transport({ ...this.#parts, authorization });
    other.#ahead = this.#ahead;
    return other;
  }

  /** Time of the web server, ms; null if unknown. */
  serverTime(): number | null {
    return this.#ahead === null ? null : this.#parts.clock.now() + this.#ahead;
  }

  /** Sends a request; retries transient errors if harmless. Throws `OrchestratorError` after the last attempt. */
  async send(request: ApiRequest): Promise<Answer> {
    const { clock, random } = this.#parts;
    const { attempts = this.#parts.attempts } = request;
    const most = request.method === 'GET' || request.repeatable === true ? attempts : 1;
    return retry(
      async (attempt) => {
        const outcome = await this.#attemptRenewing(request, attempt);
        if ('error' in outcome) throw outcome.error;
        return outcome.answer;
      },
      {
        pauseAfter: (error, attempt) =>
          attempt < most && isTransient(error) ? pauseBeforeRetry(attempt, error, random) : undefined,
        sleep: (ms) => pauseUnlessAborted(clock.sleep(ms, request.signal), request.signal),
      },
    );
  }

  /** Sends a request and parses its JSON with a schema. */
  async json<T>(request: ApiRequest, schema: { readonly parse: (value: unknown) => T }): Promise<T> {
    const { text, status, leftOut, redirectedTo } = await this.send({
      limit: JSON_LIMIT,
      accept: 'application/json',
      ...request,
    });
    const { method, path } = request;
    const responseText = errorTextOf(text);
    const details: ExchangeDetails = { method, path, status, responseText, ...redirection(redirectedTo) };
    if (leftOut > 0)
      throw new OrchestratorError(
        'too_large',
        `${request.method} ${request.path} returned more than ${JSON_LIMIT.bytes / 2 ** 20} MiB of JSON; let the DAG store large results in files and return their addresses`,
        { details },
      );
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      throw notJson(details, 'a body that is not JSON');
    }
    try {
      return schema.parse(body);
    } catch (cause) {
      throw new OrchestratorError('not_json', notJson(details, 'JSON that does not match the interface').message, {
        details,
        cause,
      });
    }
  }

  get hasCredentials(): boolean {
    return this.#parts.authorization.isGiven;
  }

  /** Reads without credentials, then with credentials if a proxy requires them. */
  async openJson<T>(request: ApiRequest, schema: { readonly parse: (value: unknown) => T }): Promise<T> {
    try {
      return await this.json({ ...request, authorized: false }, schema);
    } catch (error) {
      if (!this.hasCredentials || !DENIED.some((code) => isOrchestratorError(error, code))) throw error;
    }
    return this.json(request, schema);
  }

  async #attemptRenewing(request: ApiRequest, attempt: number): Promise<Outcome> {
    const { authorization } = this.#parts;
    if (request.authorized === false) return this.#attempt(request, undefined, attempt);
    try {
      const header = await unlessAborted(authorization.header(), request.signal);
      const outcome = await this.#attempt(request, header, attempt);
      if ('answer' in outcome || !isRefused(request, outcome.error)) return outcome;
      if (!(await unlessAborted(authorization.renew(header), request.signal))) return outcome;
      return await this.#attempt(request, await unlessAborted(authorization.header(), request.signal), attempt);
    } catch (error) {
      if (isOrchestratorError(error)) {
        if (isTransient(error)) return { error };
        throw error;
      }
      return { error: noToken({ method: request.method, path: request.path, status: null, responseText: '' }, error) };
    }
  }

  async #attempt(request: ApiRequest, authorization: string | undefined, attempt: number): Promise<Outcome> {
    const { clock, onRequest } = this.#parts;
    const began = clock.now();
    const { outcome, status } = await this.#exchange(request, authorization);
    const problem = status === null && 'error' in outcome ? this.#problem(outcome.error) : null;
    onRequest?.({
      method: request.method,
      path: request.path,
      status,
      problem,
      milliseconds: clock.now() - began,
      attempt,
      isOptional: request.isOptional === true,
    });
    return outcome;
  }

  async #exchange(
    request: ApiRequest,
    authorization: string | undefined,
  ): Promise<{ outcome: Outcome; status: number | null }> {
    const { timeoutMs } = this.#parts;
    let status: number | null = null;
    try {
      const response = await this.#request(request, authorization);
      status = response.status;
      const date = httpDate(response.headers.get('date'));
      if (date !== undefined) this.#ahead = date - this.#parts.clock.now();
      const late = AbortSignal.timeout(timeoutMs);
      const signal = request.signal === undefined ? late : AbortSignal.any([late, request.signal]);
      const sink = response.ok ? request.sink?.(response.headers) : undefined;
      const body =
        sink === undefined
          ? await readBody(response, request.limit ?? JSON_LIMIT, signal)
          : await pourBody(response, sink, signal);
      return { outcome: outcomeOf(request, response, { body, now: this.#parts.clock.now() }), status };
    } catch (error) {
      if (request.signal?.aborted) throw aborted(request.signal.reason);
      const details = { method: request.method, path: request.path, status, responseText: '' };
      const isLate = isTimeoutError(error) || (error instanceof DOMException && error.name === 'TimeoutError');
      return { outcome: { error: noAnswer(details, isLate ? timeoutMs : undefined, error) }, status };
    }
  }

  /** Reason of a missing response. For a timeout, the message of ky is not used, because it quotes the query. */
  #problem(error: OrchestratorError): string {
    return error.code === 'timeout' ? `no response within ${this.#parts.timeoutMs / 1000} s` : reasonOf(error);
  }

  #request(request: ApiRequest, authorization: string | undefined): Promise<Response> {
    const { root, timeoutMs, fetch } = this.#parts;
    const headers: Record<string, string> = { accept: request.accept ?? 'application/json' };
    if (authorization !== undefined) headers['authorization'] = authorization;
    return ky(`${root}${request.path}${queryOf(request.query)}`, {
      method: request.method,
      headers,
      fetch,
      timeout: timeoutMs,
      retry: 0,
      throwHttpErrors: false,
      credentials: 'omit',
      ...(request.json === undefined ? {} : { json: request.json }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
  }
}

/**
 * Converts a response. An HTML page, or a 404 with an unknown body, does not come from the interface of the
 * orchestrator. So such a response does not show that a run or DAG is unknown.
 */
function outcomeOf(
  request: ApiRequest,
  response: Response,
  { body, now }: { readonly body: BodyText; readonly now: number },
): Outcome {
  const { status, ok, headers } = response;
  const redirectedTo = response.redirected ? withoutQuery(response.url) : undefined;
  const responseText = ok ? '' : errorTextOf(body.text);
  const details: ExchangeDetails = {
    method: request.method,
    path: request.path,
    status,
    responseText,
    ...redirection(redirectedTo),
  };
  const isPage = /\bhtml\b/i.test(headers.get('content-type') ?? '');
  if (isPage && (ok || status === 404 || status === 405))
    return { error: notJson({ ...details, responseText: errorTextOf(body.text) }, 'an HTML page') };
  if (ok) return { answer: { ...body, status, headers, redirectedTo } };
  if (status === 404 && !isOwnError(body.text))
    return { error: notJson(details, "a body that is not an error of the orchestrator's interface") };
  const retryAfterMs = isTransientStatus(status) ? requestedPause(headers, now) : undefined;
  return {
    error: faultOf(retryAfterMs === undefined ? details : { ...details, retryAfterMs }, request.subject ?? 'other'),
  };
}

const redirection = (redirectedTo: string | undefined): Pick<ExchangeDetails, 'redirectedTo'> =>
  redirectedTo === undefined ? {} : { redirectedTo };

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/**
 * True for refused credentials: `unauthorized`, or a proxy's sign-in page after an expired token. For a trigger, only
 * `unauthorized` counts, because a trigger that got a sign-in page may have started a run.
 */
function isRefused(request: ApiRequest, error: OrchestratorError): boolean {
  if (error.code === 'unauthorized') return true;
  const isSignIn = isOrchestratorError(error, 'not_json') && error.details.status === 200;
  return isSignIn && (request.method === 'GET' || request.repeatable === true);
}

function queryOf(query: ApiRequest['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of typeof value === 'string' ? [value] : value) search.append(name, each);
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
