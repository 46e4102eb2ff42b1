import { setTimeout as delay } from 'node:timers/promises';
import { badFile } from './bad-file.ts';
import type { ByteSource } from './byte-source.ts';

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 4;
const FIRST_DELAY_MS = 250;
const CONCURRENCY = 6;

/** What one ranged request gave. */
interface Ranged {
  readonly bytes: Uint8Array;
  /** Size of the whole file from Content-Range, if stated. */
  readonly total: number | null;
}

/** A file behind http(s), read by Range requests with a timeout each and retries on network errors, 429 and 5xx. */
export async function openHttpSource(href: string, signal?: AbortSignal): Promise<ByteSource> {
  const first = await fetchRange(href, { offset: 0, length: 16 * 1024 }, signal);
  const head = first.bytes;
  return {
    href,
    size: first.total,
    concurrency: CONCURRENCY,
    read(offset, length) {
      if (offset + length <= head.byteLength) return head.subarray(offset, offset + length);
      return fetchRange(href, { offset, length }, signal).then((got) => got.bytes);
    },
    close() {},
  };
}

/** A source whose size is known already, so that no request is made before the first read. */
export function resumeHttpSource(href: string, size: number | null): ByteSource {
  return {
    href,
    size,
    concurrency: CONCURRENCY,
    read: (offset, length) => fetchRange(href, { offset, length }).then((got) => got.bytes),
    close() {},
  };
}

async function fetchRange(
  href: string,
  span: { offset: number; length: number },
  signal?: AbortSignal,
): Promise<Ranged> {
  let last: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await delay(FIRST_DELAY_MS * 2 ** (attempt - 1), undefined, signal ? { signal } : {});
    try {
      const got = await requestRange(href, span, signal);
      if (!(got instanceof Retry)) return got;
      last = got.reason;
    } catch (cause) {
      if (signal?.aborted === true || isBadFile(cause)) throw cause;
      last = cause;
    }
  }
  throw badFile(
    href,
    `no answer after ${ATTEMPTS} attempts (${describe(last)}); check the network and the server`,
    last,
  );
}

/** A refusal that another attempt may not meet. */
class Retry {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

async function requestRange(
  href: string,
  span: { offset: number; length: number },
  signal?: AbortSignal,
): Promise<Ranged | Retry> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(href, {
    headers: { range: `bytes=${span.offset}-${span.offset + span.length - 1}` },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  if (response.status === 206) {
    const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
    return { bytes: new Uint8Array(await response.arrayBuffer()), total: total === undefined ? null : Number(total) };
  }
  await response.body?.cancel();
  if (response.status === 416) return { bytes: new Uint8Array(0), total: null };
  if (response.status === 429 || response.status >= 500) return new Retry(`HTTP ${response.status}`);
  if (response.status === 200)
    throw badFile(href, 'the server ignores Range requests; serve it from one that answers 206');
  throw badFile(href, `the server answered HTTP ${response.status}; check the address and the access rights`);
}

function isBadFile(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'input_data';
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
