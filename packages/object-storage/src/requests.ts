import { DomainError, isDomainError, messageOf } from '@headwater/core/errors';
import type { Timers } from '@headwater/core';
import { backoffMs, isTransientStatus, retry, retryAfterMs } from '@headwater/net/retry';
import type { Send, StorageRequest, StorageResponse } from './object-store.ts';

const TEXT_BYTES = 8 * 2 ** 20;

/** Tools and limits of requests to one bucket. */
export interface RequestOptions {
  readonly send: Send;
  readonly timers: Timers;
  readonly now?: () => Date;
  readonly random?: () => number;
  /** Attempts of a request. Default: 4. Uploads are also retried by the caller. */
  readonly tries?: number;
  readonly firstPauseMs?: number;
  /** Time limit of an attempt with its response, ms, plus the time to send a body. Default: 30,000. */
  readonly timeoutMs?: number;
}

const LONGEST_PAUSE_MS = 10_000;
/** Slowest connection on which uploads succeed, bytes per ms. */
const SLOWEST_BYTES_PER_MS = 20;

/** A request without its credentials. */
export type PlainRequest = Omit<StorageRequest, 'authorization'>;

/** Adds credentials. `sign` is called for each attempt, because credentials expire. */
export interface Authorize {
  sign(request: PlainRequest): Promise<StorageRequest>;
  /** Called after a 401. Returns false if there are no new credentials; the request is then not repeated. */
  renew(): boolean;
}

const NETWORK = 'Check the network of this machine, or try again later.';

class Transient extends Error {
  /** Advice, shown if the last attempt has this error. */
  readonly remedy: string;
  readonly pauseMs: number | undefined;

  constructor(reason: string, remedy: string, pauseMs?: number) {
    super(reason);
    this.remedy = remedy;
    this.pauseMs = pauseMs;
  }
}

/** Error for an unexpected status, with the body of the response. */
export class Refused extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** Sends requests to one bucket with credentials, time limits and a few retries. */
export class Requests {
  readonly #name: string;
  readonly #authorize: Authorize;
  readonly #options: Required<Omit<RequestOptions, 'now'>> & { readonly now: () => Date };

  constructor(name: string, authorize: Authorize, options: RequestOptions) {
    this.#name = name;
    this.#authorize = authorize;
    this.#options = {
      random: Math.random,
      tries: 4,
      firstPauseMs: 300,
      timeoutMs: 30_000,
      now: () => new Date(),
      ...options,
    };
  }

  get now(): () => Date {
    return this.#options.now;
  }

  /** Waits before a retry that the caller makes. The pause grows with the number of failures. */
  async pause(failures: number, signal?: AbortSignal): Promise<void> {
    const { timers, firstPauseMs, random } = this.#options;
    await timers.sleep(backoffMs(failures, { firstPauseMs, longestPauseMs: LONGEST_PAUSE_MS, random }), signal);
    signal?.throwIfAborted();
  }

  /**
   * Sends a request, with retries after transient errors, and returns the result of `read`. `read` gets only responses
   * without a transient status, and throws `Refused` for an unexpected status. Throws `unavailable` for a refused
   * request and after the last attempt, `storage_full` for a full bucket.
   */
  async send<T>(
    request: PlainRequest,
    read: (response: StorageResponse) => T | Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { tries, timers, firstPauseMs, random } = this.#options;
    let attempts = 0;
    const send = (attempt: number): Promise<T> => {
      attempts = attempt;
      return this.#attempt(request, read, signal);
    };
    try {
      return await retry(send, {
        pauseAfter: (error, attempt) => {
          if (!(error instanceof Transient) || attempt >= tries || signal?.aborted === true) return undefined;
          return error.pauseMs ?? backoffMs(attempt, { firstPauseMs, longestPauseMs: LONGEST_PAUSE_MS, random });
        },
        sleep: (ms, until) => timers.sleep(ms, until),
        signal,
      });
    } catch (error) {
      throw this.#asDomainError(error, attempts);
    }
  }

  async #attempt<T>(
    request: PlainRequest,
    read: (response: StorageResponse) => T | Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    // The timeout grows with the body, because on a slow connection a part takes minutes.
    const timeout = AbortSignal.timeout(
      this.#options.timeoutMs + Math.ceil((request.body?.byteLength ?? 0) / SLOWEST_BYTES_PER_MS),
    );
    const until = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      const response = await this.#options.send(await this.#authorize.sign(request), until);
      const { status } = response;
      if (status === 401 && this.#authorize.renew())
        throw new Transient('HTTP 401 (expired credentials)', 'Check the credentials.');
      if (isTransientStatus(status)) {
        await throwIfFull(response);
        throw new Transient(`HTTP ${status}`, 'Try again later.', this.#pauseOf(response));
      }
      return await read(response);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Transient || error instanceof Refused || isDomainError(error)) throw error;
      throw new Transient(messageOf(error).replaceAll(/https?:\/\/\S+/gi, 'its address'), NETWORK);
    }
  }

  #pauseOf(response: StorageResponse): number | undefined {
    const ms = retryAfterMs(response.header('retry-after'), this.#options.now().getTime());
    return ms === undefined ? undefined : Math.min(ms, LONGEST_PAUSE_MS);
  }

  #asDomainError(error: unknown, attempts: number): unknown {
    if (error instanceof Transient) {
      // A caller may retry a request with one attempt, so the message omits the number 1.
      const after = attempts > 1 ? ` after ${attempts} attempts` : '';
      return new DomainError('unavailable', `${this.#name}: ${error.message}${after}. ${error.remedy}`);
    }
    return error instanceof Refused ? refusal(this.#name, error) : error;
  }
}

/** Codes of a full bucket (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html; MinIO, Ceph). */
const FULL = /QuotaExceeded|XMinioStorageFull|InsufficientStorage|StorageFull/;

/** Reads the body. Throws `Refused` if the storage is full, because a retry does not help then, even after a 5xx. */
async function throwIfFull(response: StorageResponse): Promise<void> {
  const body = await textOf(response);
  if (response.status === 507 || FULL.test(body)) throw new Refused(507, body);
}

/** Error of a refused request. It quotes only the code, because the body may contain parts of a signature. */
function refusal(name: string, cause: Refused): DomainError {
  const { status, body } = cause;
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body)?.[1] ?? /"reason":\s*"([A-Za-z]{1,60})"/.exec(body)?.[1];
  const reason = `HTTP ${status}${code === undefined ? '' : `, ${code}`}`;
  if (status === 507 || FULL.test(body))
    return new DomainError(
      'storage_full',
      `${name}: the bucket is full (${reason}). Raise its quota, or remove objects.`,
    );
  if (status === 401 || status === 403)
    return new DomainError(
      'unavailable',
      `${name}: access is denied (${reason}). Check the credentials, and grant them the roles that docs/operate.md lists.`,
    );
  if (status === 404) {
    const text =
      code === 'NoSuchUpload'
        ? `the upload has expired (${reason}). The next attempt starts it again.`
        : `the bucket, or an object in it, was not found (${reason}). Create the bucket, or correct its name.`;
    return new DomainError('unavailable', `${name}: ${text}`, { cause });
  }
  return new DomainError(
    'unavailable',
    `${name}: unexpected response (${reason}). Check that the address is that of the storage, or try again later.`,
    { cause },
  );
}

/** Body as text, up to a limit. */
export async function textOf(response: StorageResponse): Promise<string> {
  return new TextDecoder().decode(await response.bytes(TEXT_BYTES));
}

/** Returns the response if its status is in `statuses`; otherwise throws `Refused`. */
export async function expectStatus(
  response: StorageResponse,
  ...statuses: readonly number[]
): Promise<StorageResponse> {
  if (statuses.includes(response.status)) return response;
  throw new Refused(response.status, await textOf(response));
}

/** Requests bytes of one version. `readSpan` repeats the request for missing bytes. */
export interface SpanRequest {
  readonly request: (range: string) => PlainRequest;
  readonly span: { readonly start: number; readonly end: number };
  readonly signal?: AbortSignal | undefined;
  /**
   * True if the response has bytes of another version. Some services send them despite the condition of the request.
   */
  readonly isOther?: (response: StorageResponse) => boolean;
}

/** `cause` of errors about a version that no longer exists. */
class ReplacedObject extends Error {}

/** True for the error of a read whose object was removed or replaced. */
export const isReplaced = (error: unknown): boolean =>
  error instanceof DomainError && error.cause instanceof ReplacedObject;

/** A read fails after this number of consecutive responses without bytes. */
const EMPTY_TRIES = 4;

/** Yields the bytes of a span; continues after a broken connection. */
export async function* readSpan(
  requests: Requests,
  { request, span, signal, isOther = () => false }: SpanRequest,
): AsyncGenerator<Uint8Array> {
  let at = span.start;
  for (let empty = 0; at <= span.end;) {
    const response = await requests.send(request(`bytes=${at}-${span.end}`), asSpan(at, isOther), signal);
    const before = at;
    try {
      for await (const piece of response.pieces()) {
        const rest = piece.subarray(0, span.end - at + 1);
        at += rest.byteLength;
        yield rest;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isDomainError(error)) throw error;
    }
    empty = at > before ? 0 : empty + 1;
    if (empty === EMPTY_TRIES)
      throw new DomainError('unavailable', 'The storage ended its responses without content; send the request again.');
  }
}

const asSpan =
  (start: number, isOther: (response: StorageResponse) => boolean) => async (response: StorageResponse) => {
    // The object was removed (404), was replaced (412) or became shorter (416).
    if ([404, 412, 416].includes(response.status) || isOther(response)) {
      response.discard();
      throw new DomainError(
        'unavailable',
        'The file was removed or replaced while it was read; send the request again.',
        { cause: new ReplacedObject() },
      );
    }
    await expectStatus(response, 206, 200);
    const range = response.header('content-range');
    const isWhole = response.status === 200 && start === 0;
    if (isWhole || (range?.startsWith(`bytes ${start}-`) ?? false)) return response;
    response.discard();
    throw new DomainError(
      'unavailable',
      'The storage ignores Range requests; use a storage that responds with 206, or remove the proxy between service and storage.',
    );
  };
