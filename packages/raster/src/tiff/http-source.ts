import { publicAddress } from '@headwater/core/errors';
import { type NetResponse, Network, transientFailure, type TransientFailure } from '@headwater/net';
import { badFile } from './bad-file.ts';
import type { BlockCache, CachedHead, FileVersion } from '../remote/block-cache.ts';
import { runsOf, type Span } from '../remote/runs-of.ts';
import { stableAddress } from '../remote/stable-address.ts';
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
  /** Cache of the bytes; default: none. Bytes of a file without a strong ETag are not cached. */
  readonly cache?: BlockCache | undefined;
}

/** Result of one range request. */
interface Ranged {
  readonly bytes: Uint8Array;
  /** Size of the whole file from Content-Range, if stated. */
  readonly total: number | null;
  /** Strong ETag of the file, if stated. */
  readonly etag: string | undefined;
}

/**
 * Opens a file behind http(s), read by Range requests. Transient errors (429, 5xx, timeouts, broken connections) are retried within the
 * network's time limit. If they continue longer, `unavailable` is thrown. Throws `input_data` for errors of the file or its address.
 */
export async function openHttpSource(href: string, options: HttpOptions = {}): Promise<ByteSource> {
  const network = options.network ?? new Network();
  const to = { href, network, signal: options.signal, cache: options.cache };
  const { bytes: head, total, etag } = await readHead(to);
  const source = rangedSource({ ...to, etag }, total);
  return {
    ...source,
    read: (offset, length) =>
      offset + length <= head.byteLength ? head.subarray(offset, offset + length) : source.read(offset, length),
  };
}

/** Creates a source of known size and version. It makes no request before the first read. */
export function resumeHttpSource(
  { href, size, etag }: Pick<ByteSource, 'href' | 'size' | 'etag'>,
  { network = new Network(), cache }: HttpOptions = {},
): ByteSource {
  return rangedSource({ href, network, signal: undefined, cache, etag }, size);
}

interface Target {
  readonly href: string;
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
  readonly cache: BlockCache | undefined;
  /** Version of the file when it was opened. */
  readonly etag?: string | undefined;
}

/** First bytes of a file. Cached bytes are used if the server confirms their version. */
async function readHead(to: Target): Promise<Ranged> {
  const address = stableAddress(to.href);
  const known = to.cache?.head(address);
  const head = await fetchRange(to, { offset: 0, length: HEAD_BYTES }, known);
  if (head.etag !== undefined && head.bytes !== known?.bytes)
    to.cache?.setHead(address, { bytes: head.bytes, total: head.total, etag: head.etag });
  return head;
}

function rangedSource(to: Target, size: number | null): ByteSource {
  const { cache, etag } = to;
  const version: FileVersion | undefined = etag === undefined ? undefined : { address: stableAddress(to.href), etag };
  const fetch = async (span: Span): Promise<Uint8Array> => (await fetchRange(to, span)).bytes;
  const readAll = async (spans: readonly Span[]): Promise<readonly Uint8Array[]> =>
    cache === undefined || version === undefined
      ? await fetchAll(spans, fetch)
      : await cache.read(version, spans, fetch);
  return {
    href: to.href,
    size,
    ...(etag === undefined ? {} : { etag }),
    concurrency: CONCURRENCY,
    read: async (offset, length) => (await readAll([{ offset, length }]))[0] ?? new Uint8Array(0),
    readAll,
    close() {},
  };
}

/** Reads spans, neighbours with one request. */
async function fetchAll(
  spans: readonly Span[],
  fetch: (span: Span) => Promise<Uint8Array>,
): Promise<readonly Uint8Array[]> {
  const runs = await Promise.all(
    runsOf(spans).map(async ({ offset, length, spans: own }) => {
      const bytes = await fetch({ offset, length });
      return own.map((span) => bytes.subarray(span.offset - offset, span.offset - offset + span.length));
    }),
  );
  return runs.flat();
}

async function fetchRange(
  { href, network, signal, cache, etag }: Target,
  { offset, length }: Span,
  known?: CachedHead,
): Promise<Ranged> {
  if (length > MAX_READ_BYTES)
    throw badFile(href, `a single read would need ${length} bytes; rewrite it as COG with tiles of 256 or 512 pixels`);
  const headers = {
    range: `bytes=${offset}-${offset + length - 1}`,
    'accept-encoding': 'identity',
    ...(known === undefined ? {} : { 'if-none-match': known.etag }),
  };
  const ask = async (until: AbortSignal): Promise<Ranged | TransientFailure> => {
    const answer = await network.send({ href, headers }, until);
    if (answer.status === 304 && known !== undefined) {
      answer.discard();
      return known;
    }
    if (answer.status !== 206) return refusal(href, answer, network.tools.now());
    if (cache !== undefined && etag !== undefined && strongEtag(answer) !== etag) {
      answer.discard();
      throw badFile(href, 'it was replaced on its server while it was read; start the run again');
    }
    return await readRange(answer, length);
  };
  return network.request({ shown: publicAddress(href), ask, signal });
}

async function readRange(answer: NetResponse, length: number): Promise<Ranged> {
  const total = /\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1];
  const bytes = await answer.bytes(length);
  return { bytes, total: total === undefined ? null : Number(total), etag: strongEtag(answer) };
}

/** The ETag of a response; undefined without one, and for a weak one, which does not promise equal bytes (RFC 9110 8.8.1). */
function strongEtag(answer: NetResponse): string | undefined {
  const etag = answer.header('etag');
  return etag?.startsWith('"') === true ? etag : undefined;
}

/** Interprets a response that does not contain the requested bytes; throws `input_data` if a retry would get the same response. */
function refusal(href: string, answer: NetResponse, nowMs: number): Ranged | TransientFailure {
  answer.discard();
  if (answer.status === 416) return { bytes: new Uint8Array(0), total: null, etag: undefined };
  const may = transientFailure(answer, nowMs);
  if (may !== undefined) return may;
  if (answer.status === 200)
    throw badFile(href, 'the server ignores Range requests; use a server that responds with 206');
  throw badFile(href, `the server responded with HTTP ${answer.status}; check the address and the access rights`);
}
