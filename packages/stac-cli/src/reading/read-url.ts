import { httpDate, isTransientStatus, retryAfterMs } from '@headwater/net/retry';
import { mib, type ReadLimits } from './limits.ts';
import { messageOf, PassingError, ReadError } from './read-error.ts';
import type { Reach } from './reach.ts';

/** An answer with the address that gave it, after redirects. */
export interface Fetched {
  readonly href: string;
  readonly response: Response;
}

/** What an HTTP request is made with. */
export interface Asking {
  readonly limits: Pick<ReadLimits, 'timeoutMs' | 'mostRedirects'>;
  readonly init?: RequestInit;
  /** Asked of each address on the way. */
  readonly reach: Reach;
  readonly signal?: AbortSignal | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What the system calls a connection that was there and is no more, and names that cannot be looked up for now. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'EAI_AGAIN']);

/**
 * Asks an http(s) address and follows its redirects, which may lead to such addresses only. Throws `ReadError`, and the kind of it that may
 * pass where the server has too much to do or the connection is lost.
 */
export async function askUrl(href: string, { limits, init = {}, reach, signal }: Asking): Promise<Fetched> {
  const ends = [AbortSignal.timeout(limits.timeoutMs), ...(signal === undefined ? [] : [signal])];
  const until = AbortSignal.any(ends);
  let at = href;
  for (let redirects = 0; redirects <= limits.mostRedirects; redirects++) {
    await reach(httpOnly(at));
    const response = await fetch(at, { ...init, redirect: 'manual', signal: until }).catch((error: unknown) =>
      fail(at, error, { limits, signal }),
    );
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null && !isTransientStatus(response.status)) return { href: at, response };
    await response.body?.cancel();
    if (location === null) throw passing(at, response);
    if (!URL.canParse(location, at))
      throw new ReadError(`${at} redirects to ${JSON.stringify(location)}, which is no address`);
    at = new URL(location, at).href;
  }
  throw new ReadError(`${href} redirects more than ${String(limits.mostRedirects)} times`);
}

function passing(href: string, { status, headers }: Response): PassingError {
  return new PassingError(
    `${href} answered with status ${String(status)}`,
    retryAfterMs(headers.get('retry-after'), httpDate(headers.get('date')) ?? Date.now()),
  );
}

/** The bytes of an answer. Throws `ReadError` where there are more than allowed, or they do not come in time. */
export async function bytesOf(
  { href, response }: Fetched,
  { limits, signal }: { readonly limits: ReadLimits; readonly signal?: AbortSignal | undefined },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.byteLength;
      // Leaving the loop ends the answer.
      if (bytes > limits.mostBytes) throw new ReadError(`${href} is larger than ${mib(limits.mostBytes)}`);
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
  throw new ReadError(`${href}: only http and https addresses are asked, not ${protocol}`);
}

function fail(href: string, error: unknown, { limits, signal }: Pick<Asking, 'limits' | 'signal'>): never {
  signal?.throwIfAborted();
  if (error instanceof ReadError) throw error;
  if (error instanceof Error && error.name === 'TimeoutError')
    throw new ReadError(`${href} did not answer within ${String(limits.timeoutMs / 1000)} s`);
  // What the network says stands in the cause; fetch itself only says that it failed.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const Kind = isLost(cause) ? PassingError : ReadError;
  throw new Kind(`${href} cannot be reached: ${messageOf(cause)}`);
}

function isLost(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && LOST.has(cause.code);
}
