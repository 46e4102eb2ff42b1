import { httpDate, isTransientStatus, retry } from '@headwater/net/retry';
import ky, { isTimeoutError } from 'ky';
import type { Clock } from '../clock.ts';
import { type ExchangeDetails, isOrchestratorError, isPassing, OrchestratorError } from '../errors.ts';
import { aborted, pauseUnlessAborted, unlessAborted } from './aborted.ts';
import type { Authorization } from './credentials.ts';
import { faultOf, noAnswer, notJson, noToken, reasonOf, type Subject } from './fault.ts';
import { isOwnError, saidIn } from './problem.ts';
import { type BodyLimit, type BodySink, type BodyText, pourBody, readBody } from './read-body.ts';
import { askedPause, pauseBeforeRetry } from './retry.ts';

/** One request to the orchestrator. */
export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path below the root, its segments encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly json?: unknown;
  readonly accept?: string;
  readonly subject?: Subject;
  readonly signal?: AbortSignal | undefined;
  /** True where sending it twice does no harm; GETs always may be. */
  readonly repeatable?: boolean;
  /** In place of the transport's, for who would rather know at once that nothing answers. */
  readonly attempts?: number | undefined;
  readonly limit?: BodyLimit;
  /** Asked for with each answer of status 2xx, since an attempt may break: what takes its body in place of holding it, if anything does. */
  readonly sink?: (headers: Headers) => BodySink | undefined;
  /** False = send no credentials. */
  readonly authorized?: boolean;
}

/** An answer of status 2xx. */
export interface Answer extends BodyText {
  readonly status: number;
  readonly headers: Headers;
  /** Where the request was led to; undefined = nowhere. */
  readonly redirectedTo: string | undefined;
}

/** What an observer of requests is told, once an attempt; never credentials, conf or query. */
export interface RequestNote {
  readonly method: string;
  readonly path: string;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Why there was no answer, such as `connect ECONNREFUSED 127.0.0.1:8080`; null where there was one. */
  readonly problem: string | null;
  readonly milliseconds: number;
  /** From 1. */
  readonly attempt: number;
}

/** What a transport works with. */
export interface TransportParts {
  readonly root: string;
  readonly authorization: Authorization;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  /** Attempts of a request that may be repeated. */
  readonly attempts: number;
  readonly fetch: typeof globalThis.fetch;
  readonly onRequest: ((note: RequestNote) => void) | undefined;
}

type Outcome = { readonly answer: Answer } | { readonly error: OrchestratorError };

/** A JSON body of this size is taken whole, bytes; a larger one is an error. */
const JSON_LIMIT: BodyLimit = { bytes: 64 * 2 ** 20, keep: 'head' };

/** How a door that is shut to strangers answers: itself, or with a page to sign in. */
const SHUT = ['unauthorized', 'forbidden', 'not_json'] as const;

/** Requests over ky: time limit, retries of what may be repeated, one renewal of a refused token, readable failures. */
export class Transport {
  readonly #parts: TransportParts;
  /** Web server's time minus ours, ms, by the `Date` of its latest answer. */
  #ahead: number | null = null;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  /** A transport of the same settings with other credentials. */
  with(authorization: Authorization): Transport {
    const other = new Transport({ ...this.#parts, authorization });
    other.#ahead = this.#ahead;
    return other;
  }

  /** Time of the web server's clock, ms; null where no answer has told it. */
  serverTime(): number | null {
    return this.#ahead === null ? null : this.#parts.clock.now() + this.#ahead;
  }

  /** Sends until there is an answer of status 2xx or a failure that stays; throws `OrchestratorError`. */
  async send(ask: Ask): Promise<Answer> {
    const { clock, random } = this.#parts;
    const { attempts = this.#parts.attempts } = ask;
    const most = ask.method === 'GET' || ask.repeatable === true ? attempts : 1;
    return retry(
      async (attempt) => {
        const outcome = await this.#attemptRenewing(ask, attempt);
        if ('error' in outcome) throw outcome.error;
        return outcome.answer;
      },
      {
        pauseAfter: (error, attempt) =>
          attempt < most && isPassing(error) ? pauseBeforeRetry(attempt, error, random) : undefined,
        sleep: (ms) => pauseUnlessAborted(clock.sleep(ms, ask.signal), ask.signal),
      },
    );
  }

  /** Sends, and reads the answer as JSON of a schema. */
  async json<T>(ask: Ask, schema: { readonly parse: (value: unknown) => T }): Promise<T> {
    const { text, status, leftOut, redirectedTo } = await this.send({
      limit: JSON_LIMIT,
      accept: 'application/json',
      ...ask,
    });
    const { method, path } = ask;
    const details: ExchangeDetails = { method, path, status, said: saidIn(text), ...redirection(redirectedTo) };
    if (leftOut > 0)
      throw new OrchestratorError(
        'too_large',
        `${ask.method} ${ask.path} was answered with more than ${JSON_LIMIT.bytes / 2 ** 20} MiB of JSON; let the DAG store large results in files and return their addresses`,
        { details },
      );
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      throw notJson(details, 'something that is no JSON');
    }
    try {
      return schema.parse(body);
    } catch (cause) {
      throw new OrchestratorError('not_json', notJson(details, 'JSON of another shape').message, { details, cause });
    }
  }

  get hasCredentials(): boolean {
    return this.#parts.authorization.isGiven;
  }

  /** Reads what the orchestrator tells everybody: without credentials, and with them where a proxy lets nobody else through. */
  async openJson<T>(ask: Ask, schema: { readonly parse: (value: unknown) => T }): Promise<T> {
    try {
      return await this.json({ ...ask, authorized: false }, schema);
    } catch (error) {
      if (!this.hasCredentials || !SHUT.some((code) => isOrchestratorError(error, code))) throw error;
    }
    return this.json(ask, schema);
  }

  async #attemptRenewing(ask: Ask, attempt: number): Promise<Outcome> {
    const { authorization } = this.#parts;
    if (ask.authorized === false) return this.#attempt(ask, undefined, attempt);
    try {
      const header = await unlessAborted(authorization.header(), ask.signal);
      const outcome = await this.#attempt(ask, header, attempt);
      if ('answer' in outcome || !isRefused(ask, outcome.error)) return outcome;
      if (!(await unlessAborted(authorization.renew(header), ask.signal))) return outcome;
      return await this.#attempt(ask, await unlessAborted(authorization.header(), ask.signal), attempt);
    } catch (error) {
      if (isOrchestratorError(error)) {
        if (isPassing(error)) return { error };
        throw error;
      }
      return { error: noToken({ method: ask.method, path: ask.path, status: null, said: '' }, error) };
    }
  }

  async #attempt(ask: Ask, authorization: string | undefined, attempt: number): Promise<Outcome> {
    const { clock, onRequest } = this.#parts;
    const began = clock.now();
    const { outcome, status } = await this.#exchange(ask, authorization);
    const problem = status === null && 'error' in outcome ? this.#problem(outcome.error) : null;
    onRequest?.({ method: ask.method, path: ask.path, status, problem, milliseconds: clock.now() - began, attempt });
    return outcome;
  }

  async #exchange(ask: Ask, authorization: string | undefined): Promise<{ outcome: Outcome; status: number | null }> {
    const { timeoutMs } = this.#parts;
    let status: number | null = null;
    try {
      const response = await this.#ask(ask, authorization);
      status = response.status;
      const date = httpDate(response.headers.get('date'));
      if (date !== undefined) this.#ahead = date - this.#parts.clock.now();
      const late = AbortSignal.timeout(timeoutMs);
      const signal = ask.signal === undefined ? late : AbortSignal.any([late, ask.signal]);
      const sink = response.ok ? ask.sink?.(response.headers) : undefined;
      const body =
        sink === undefined
          ? await readBody(response, ask.limit ?? JSON_LIMIT, signal)
          : await pourBody(response, sink, signal);
      return { outcome: outcomeOf(ask, response, { body, now: this.#parts.clock.now() }), status };
    } catch (error) {
      if (ask.signal?.aborted) throw aborted(ask.signal.reason);
      const details = { method: ask.method, path: ask.path, status, said: '' };
      const isLate = isTimeoutError(error) || (error instanceof DOMException && error.name === 'TimeoutError');
      return { outcome: { error: noAnswer(details, isLate ? timeoutMs : undefined, error) }, status };
    }
  }

  /** Why there was no answer; a library's own words of a time limit would quote the query. */
  #problem(error: OrchestratorError): string {
    return error.code === 'timeout' ? `no answer within ${this.#parts.timeoutMs / 1000} s` : reasonOf(error);
  }

  #ask(ask: Ask, authorization: string | undefined): Promise<Response> {
    const { root, timeoutMs, fetch } = this.#parts;
    const headers: Record<string, string> = { accept: ask.accept ?? 'application/json' };
    if (authorization !== undefined) headers['authorization'] = authorization;
    return ky(`${root}${ask.path}${queryOf(ask.query)}`, {
      method: ask.method,
      headers,
      fetch,
      timeout: timeoutMs,
      retry: 0,
      throwHttpErrors: false,
      credentials: 'omit',
      ...(ask.json === undefined ? {} : { json: ask.json }),
      ...(ask.signal === undefined ? {} : { signal: ask.signal }),
    });
  }
}

/**
 * What an answer means; pages of HTML are told apart from the interface's own errors, and so is a 404 in other words: an ingress says
 * `404 page not found` while it has no web server behind it, which tells nothing of a run or a DAG.
 */
function outcomeOf(
  ask: Ask,
  response: Response,
  { body, now }: { readonly body: BodyText; readonly now: number },
): Outcome {
  const { status, ok, headers } = response;
  const redirectedTo = response.redirected ? withoutQuery(response.url) : undefined;
  const said = ok ? '' : saidIn(body.text);
  const details: ExchangeDetails = { method: ask.method, path: ask.path, status, said, ...redirection(redirectedTo) };
  const isPage = /\bhtml\b/i.test(headers.get('content-type') ?? '');
  if (isPage && (ok || status === 404 || status === 405))
    return { error: notJson({ ...details, said: saidIn(body.text) }, 'a page of HTML') };
  if (ok) return { answer: { ...body, status, headers, redirectedTo } };
  if (status === 404 && !isOwnError(body.text))
    return { error: notJson(details, "something that is no error of the orchestrator's interface") };
  const retryAfterMs = isTransientStatus(status) ? askedPause(headers, now) : undefined;
  return {
    error: faultOf(retryAfterMs === undefined ? details : { ...details, retryAfterMs }, ask.subject ?? 'other'),
  };
}

const redirection = (redirectedTo: string | undefined): Pick<ExchangeDetails, 'redirectedTo'> =>
  redirectedTo === undefined ? {} : { redirectedTo };

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/** A 401; or a page to sign in, as some proxies lead to when a token has expired. A trigger may have been carried out before such a page. */
function isRefused(ask: Ask, error: OrchestratorError): boolean {
  if (error.code === 'unauthorized') return true;
  const isSignIn = isOrchestratorError(error, 'not_json') && error.details.status === 200;
  return isSignIn && (ask.method === 'GET' || ask.repeatable === true);
}

function queryOf(query: Ask['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of typeof value === 'string' ? [value] : value) search.append(name, each);
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
