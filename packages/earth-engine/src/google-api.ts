import { messageOf } from '@headwater/core';
import { isDomainError } from '@headwater/core/errors';
import { isObject } from '@headwater/core/values';
import type { GoogleTokens } from '@headwater/net/google';
import { isTransientStatus, retryAfterMs } from '@headwater/net/retry';

/** Kinds of failures, each with its own remedy. */
export type FailureKind = 'transient' | 'quota' | 'denied' | 'missing' | 'exists' | 'refused';

/** A request that the platform did not fulfil. The message names the host, and may quote the platform's message. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly kind: FailureKind;
  /** Pause that the platform requests, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, pauseMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = pauseMs;
  }
}

/** Origins of the platform's interfaces. */
export interface GoogleHosts {
  readonly earthEngine: string;
  readonly storage: string;
  readonly monitoring: string;
}

/** Origins of the real interfaces. */
export const DEFAULT_HOSTS: GoogleHosts = {
  earthEngine: 'https://earthengine.googleapis.com',
  storage: 'https://storage.googleapis.com',
  monitoring: 'https://monitoring.googleapis.com',
};

/** Options of `createGoogleApi`. */
export interface GoogleApiOptions {
  readonly hosts: GoogleHosts;
  readonly tokens: GoogleTokens;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Remedies for the messages of failures; default: the remedies of exports. */
  readonly remedies?: Readonly<Record<FailureKind, string>>;
}

/** A request to one of the interfaces. */
export interface ApiRequest {
  readonly host: keyof GoogleHosts;
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly json?: object;
  /** Creates the content of a file, once for each attempt. */
  readonly file?: () => ReadableStream<Uint8Array>;
  /** Time limit of the request with its response, ms; default: a minute, or half an hour for a file. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Requests to the platform with the rights of one service account. */
export interface GoogleApi {
  /** Returns the JSON object of the response. Throws `PlatformError`. */
  readonly request: (request: ApiRequest) => Promise<Readonly<Record<string, unknown>>>;
  /** Returns a GeoTIFF. Throws `PlatformError`, also for more than `most` bytes and for HTML of a proxy. */
  readonly pixels: (request: ApiRequest, most: number) => Promise<Uint8Array>;
}

const TIMEOUT_MS = 60_000;
const UPLOAD_TIMEOUT_MS = 1_800_000;
/** Longest pause after a response. A longer requested pause is probably an error and is shortened. */
const MOST_PAUSE_MS = 31 * 86_400_000;
const MOST_JSON = 50_000_000;
const MOST_MESSAGE = 300;

/** Creates the client of a service account. Replaces a refused token once. */
export function createGoogleApi({ hosts, tokens, fetch: send, now, remedies = REMEDIES }: GoogleApiOptions): GoogleApi {
  const attempt = async (request: ApiRequest, token: string): Promise<Response> => {
    const { host, path, method = 'GET', json, file, signal } = request;
    const { timeoutMs = file === undefined ? TIMEOUT_MS : UPLOAD_TIMEOUT_MS } = request;
    const timeout = AbortSignal.timeout(timeoutMs);
    const type = json === undefined ? 'image/tiff' : 'application/json';
    const body = json === undefined ? file?.() : JSON.stringify(json);
    return await send(hosts[host] + path, {
      method,
      redirect: 'error',
      signal: AbortSignal.any([signal, timeout]),
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
      ...(file === undefined ? {} : { duplex: 'half' }),
    });
  };
  const tokenOf = async (signal: AbortSignal): Promise<string> => {
    try {
      return await tokens.token(signal);
    } catch (error) {
      signal.throwIfAborted();
      const isRefused = isDomainError(error) && error.code === 'input_data';
      throw new PlatformError(isRefused ? 'denied' : 'transient', messageOf(error));
    }
  };
  const answerTo = async (request: ApiRequest, most: number): Promise<WholeAnswer> => {
    for (let isSecond = false; ; isSecond = true) {
      const token = await tokenOf(request.signal);
      try {
        const answer = await attempt(request, token);
        const bytes = await wholeBody(answer, answer.ok ? most : MOST_JSON);
        if (answer.status !== 401 || isSecond) return { answer, bytes };
      } catch (error) {
        request.signal.throwIfAborted();
        throw new PlatformError(
          'transient',
          `${hostName(request, hosts)} sent no complete response (${reasonOf(error)})`,
        );
      }
      tokens.forget(token);
    }
  };
  const refused = (request: ApiRequest, { answer, bytes }: WholeAnswer): PlatformError =>
    failureOf(answer, parsed(bytes) ?? {}, { host: hostName(request, hosts), now: now(), remedies });
  return {
    request: async (request) => {
      const whole = await answerTo(request, MOST_JSON);
      if (!whole.answer.ok) throw refused(request, whole);
      const content = parsed(whole.bytes);
      if (content !== undefined) return content;
      throw new PlatformError('transient', `${hostName(request, hosts)} sent a response that is not JSON`);
    },
    pixels: async (request, most) => {
      const whole = await answerTo(request, most);
      if (!whole.answer.ok) throw refused(request, whole);
      if (isTiff(whole.bytes)) return whole.bytes;
      const type = (whole.answer.headers.get('content-type') ?? 'no type').slice(0, 60);
      throw new PlatformError(
        'transient',
        `${hostName(request, hosts)} sent a response that is not a GeoTIFF (${type})`,
      );
    },
  };
}

interface WholeAnswer {
  readonly answer: Response;
  readonly bytes: Uint8Array;
}

/** Reads a body. Throws a `RangeError` for more than `most` bytes, and for another length than declared. */
async function wholeBody({ body, headers }: Response, most: number): Promise<Uint8Array> {
  const declared = Number(headers.get('content-length') ?? Number.NaN);
  const isEncoded = headers.get('content-encoding') !== null;
  const limit = Number.isNaN(declared) || isEncoded ? most : Math.min(declared, most);
  if (declared > most) {
    await body?.cancel();
    throw new RangeError('too large');
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.byteLength;
    if (length > limit) throw new RangeError('too large');
    pieces.push(piece);
  }
  if (!isEncoded && length < declared) throw new RangeError('too short');
  return Buffer.concat(pieces, length);
}

const isTiff = ([a, b, c, d]: Uint8Array): boolean =>
  (a === 0x49 && b === 0x49 && (c === 42 || c === 43) && d === 0) ||
  (a === 0x4d && b === 0x4d && c === 0 && (d === 42 || d === 43));

const hostName = ({ host }: ApiRequest, hosts: GoogleHosts): string => new URL(hosts[host]).host;

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (typeof code === 'string') return code;
  if (error instanceof RangeError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (bytes.byteLength === 0) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function failureOf(
  answer: Response,
  content: Readonly<Record<string, unknown>>,
  { host, now, remedies }: { readonly host: string; readonly now: Date } & Required<Pick<GoogleApiOptions, 'remedies'>>,
): PlatformError {
  const error = isObject(content['error']) ? content['error'] : {};
  const { message, status: name, details } = error;
  const said = typeof message === 'string' ? `: ${message.slice(0, MOST_MESSAGE).replace(/\.+$/, '')}` : '';
  const limits = [message, ...(Array.isArray(details) ? details.map(limitOf) : [])].join(' ');
  const kind = kindOf(answer.status, { name: String(name), limits });
  const text = `${host} responded HTTP ${answer.status}${said}${remedies[kind]}`;
  const pauseMs = retryAfterMs(answer.headers.get('retry-after'), now.getTime());
  return new PlatformError(kind, text, pauseMs === undefined ? undefined : Math.min(pauseMs, MOST_PAUSE_MS));
}

/** Name of the limit in a google.rpc.ErrorInfo, such as `RequestsPerMinutePerProject`. */
const limitOf = (detail: unknown): unknown =>
  isObject(detail) && isObject(detail['metadata']) ? detail['metadata']['quota_limit'] : undefined;

/**
 * Limits per minute or second, and of concurrent requests. Their messages contain the word quota, although the quota of
 * the project is not spent.
 */
const SHORT_LIMIT = /per ?(?:minute|second)|concurren/i;

function kindOf(status: number, { name, limits }: { readonly name: string; readonly limits: string }): FailureKind {
  if (name === 'RESOURCE_EXHAUSTED' && /quota/i.test(limits) && !SHORT_LIMIT.test(limits)) return 'quota';
  // Status 401 is transient, because the platform may refuse a new token for some seconds. Missing rights cause 403.
  if (status === 401 || isTransientStatus(status)) return 'transient';
  if (status === 404) return 'missing';
  if (status === 409 || status === 412 || name === 'ALREADY_EXISTS') return 'exists';
  return status === 403 ? 'denied' : 'refused';
}

const REMEDIES: Readonly<Record<FailureKind, string>> = {
  transient: '. The request is retried later.',
  quota: '. The quota of the project is spent; the request is retried later.',
  denied:
    '. Register the project for Earth Engine, and give the service account the roles Earth Engine Resource Writer and Storage Object Admin; then retry.',
  missing: '. Check the project of the service account and the name of the bucket; then retry.',
  exists: '.',
  refused: '. Correct the cause; then retry.',
};
