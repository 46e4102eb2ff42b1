import { httpDate, isTransientStatus, retryAfterMs } from '@headwater/net/retry';
import { mib, type ReadLimits } from './limits.ts';
import { messageOf, TransientError, ReadError } from '../errors.ts';
import type { AccessCheck } from './access-check.ts';

/** A response, and its address after redirects. */
export interface Fetched {
  readonly href: string;
  readonly response: Response;
}

/** Options of an HTTP request. */
export interface RequestOptions {
  readonly limits: Pick<ReadLimits, 'timeoutMs' | 'mostRedirects'>;
  readonly init?: RequestInit;
  /** Called with each requested address, also of redirects. */
  readonly checkAccess: AccessCheck;
  readonly signal?: AbortSignal | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Codes of lost connections and temporary DNS failures. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'EAI_AGAIN']);

/**
 * Requests an http(s) address and follows redirects. Throws `ReadError`, or `TransientError` if a retry may succeed.
 */
export async function requestUrl(
  href: string,
  { limits, init = {}, checkAccess, signal }: RequestOptions,
): Promise<Fetched> {
  const ends = [AbortSignal.timeout(limits.timeoutMs), ...(signal === undefined ? [] : [signal])];
  const until = AbortSignal.any(ends);
  let at = href;
  for (let redirects = 0; redirects <= limits.mostRedirects; redirects++) {
    await checkAccess(httpOnly(at));
    const response = await fetch(at, { ...init, redirect: 'manual', signal: until }).catch((error: unknown) =>
      fail(at, error, { limits, signal }),
    );
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null && !isTransientStatus(response.status)) return { href: at, response };
    await response.body?.cancel();
    if (location === null) throw transientErrorOf(at, response);
    if (!URL.canParse(location, at))
      throw new ReadError(
        `${at} redirects to ${JSON.stringify(location)}, which is not an address; correct the server, or give the final address`,
      );
    at = new URL(location, at).href;
  }
  throw new ReadError(`${href} redirects more than ${String(limits.mostRedirects)} times; give the final address`);
}

function transientErrorOf(href: string, { status, headers }: Response): TransientError {
  return new TransientError(
    `${href} responded with status ${String(status)}`,
    retryAfterMs(headers.get('retry-after'), httpDate(headers.get('date')) ?? Date.now()),
  );
}

/** Bytes of a response. Throws `ReadError` over the size limit or after the timeout. */
export async function bytesOf(
  { href, response }: Fetched,
  { limits, signal }: { readonly limits: ReadLimits; readonly signal?: AbortSignal | undefined },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.byteLength;
      // Leaving the loop cancels the rest of the body.
      if (bytes > limits.mostBytes)
        throw new ReadError(`${href} is larger than ${mib(limits.mostBytes)}, the maximum of a document; split it`);
      parts.push(part);
    }
  } catch (error) {
    fail(href, error, { limits, signal });
  }
  return Buffer.concat(parts);
}

function httpOnly(href: string): string {
  const { protocol } = new URL(href);
  if (protocol === 'http:' || protocol === 'https:') return href;
  throw new ReadError(`${href}: only http and https addresses are requested, not ${protocol}`);
}

function fail(href: string, error: unknown, { limits, signal }: Pick<RequestOptions, 'limits' | 'signal'>): never {
  signal?.throwIfAborted();
  if (error instanceof ReadError) throw error;
  if (error instanceof Error && error.name === 'TimeoutError')
    throw new ReadError(`${href} did not respond within ${String(limits.timeoutMs / 1000)} s; try again later`);
  // The message of `fetch` is too general; the cause has the reason.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const Kind = isLost(cause) ? TransientError : ReadError;
  throw new Kind(`${href} cannot be reached: ${messageOf(cause)}`);
}

function isLost(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && LOST.has(cause.code);
}
