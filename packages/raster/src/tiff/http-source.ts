import { publicAddress } from '@headwater/core/errors';
import { type NetResponse, Network, transientFailure, type TransientFailure } from '@headwater/net';
import { badFile } from './bad-file.ts';
import type { ByteSource } from './header-bytes.ts';

const CONCURRENCY = 6;
/** Bytes of the first read of a file, which contain the first directories of a COG. */
export const HEAD_BYTES = 16 * 1024;
/** Maximum bytes of one read: many times the tile of a COG, but little enough for the memory of all readers together. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Network and abort signal for a file. */
export interface HttpOptions {
  readonly signal?: AbortSignal | undefined;
  /** Network that the reads use; default: a new network with the default time limits. */
  readonly network?: Network | undefined;
}

/** Result of one range request. */
interface Ranged {
  readonly bytes: Uint8Array;
  /** Size of the whole file from Content-Range, if stated. */
  readonly total: number | null;
}

interface Span {
  readonly offset: number;
  readonly length: number;
}

/**
 * Opens a file behind http(s), read by Range requests. Transient errors (429, 5xx, timeouts, broken connections) are retried within the
 * network's time limit. If they continue longer, `unavailable` is thrown. Throws `input_data` for errors of the file or its address.
 */
export async function openHttpSource(href: string, options: HttpOptions = {}): Promise<ByteSource> {
  const network = options.network ?? new Network();
  const to = { href, network, signal: options.signal };
  const { bytes: head, total } = await fetchRange(to, { offset: 0, length: HEAD_BYTES });
  const source = rangedSource(to, total);
  return {
    ...source,
    read: (offset, length) =>
      offset + length <= head.byteLength ? head.subarray(offset, offset + length) : source.read(offset, length),
  };
}

/** Creates a source of known size. It makes no request before the first read. */
export function resumeHttpSource(href: string, size: number | null, network = new Network()): ByteSource {
  return rangedSource({ href, network, signal: undefined }, size);
}

interface Target {
  readonly href: string;
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
}

function rangedSource(to: Target, size: number | null): ByteSource {
  return {
    href: to.href,
    size,
    concurrency: CONCURRENCY,
    read: (offset, length) => fetchRange(to, { offset, length }).then(({ bytes }) => bytes),
    close() {},
  };
}

async function fetchRange({ href, network, signal }: Target, { offset, length }: Span): Promise<Ranged> {
  if (length > MAX_READ_BYTES)
    throw badFile(href, `a single read would need ${length} bytes; rewrite it as COG with tiles of 256 or 512 pixels`);
  const headers = { range: `bytes=${offset}-${offset + length - 1}`, 'accept-encoding': 'identity' };
  const ask = async (until: AbortSignal): Promise<Ranged | TransientFailure> => {
    const answer = await network.send({ href, headers }, until);
    return answer.status === 206 ? readRange(answer, length) : refusal(href, answer, network.tools.now());
  };
  return network.request({ shown: publicAddress(href), ask, signal });
}

async function readRange(answer: NetResponse, length: number): Promise<Ranged> {
  const total = /\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1];
  return { bytes: await answer.bytes(length), total: total === undefined ? null : Number(total) };
}

/** Interprets a response that does not contain the requested bytes; throws `input_data` if a retry would get the same response. */
function refusal(href: string, answer: NetResponse, nowMs: number): Ranged | TransientFailure {
  answer.discard();
  if (answer.status === 416) return { bytes: new Uint8Array(0), total: null };
  const may = transientFailure(answer, nowMs);
  if (may !== undefined) return may;
  if (answer.status === 200)
    throw badFile(href, 'the server ignores Range requests; use a server that responds with 206');
  throw badFile(href, `the server responded with HTTP ${answer.status}; check the address and the access rights`);
}
