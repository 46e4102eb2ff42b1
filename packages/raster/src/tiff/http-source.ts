import { crc32 } from 'node:zlib';
import { publicAddress } from '@headwater/core/errors';
import { type NetResponse, Network, transientFailure, TransientFailure } from '@headwater/net';
import { badFile } from './bad-file.ts';
import type { BlockCache, CachedHead, Fetched } from '../remote/block-cache.ts';
import { runsOf, type Span } from '../remote/runs-of.ts';
import { stableAddress } from '../remote/stable-address.ts';
import type { RemoteVersion } from '../remote/remote-version.ts';
import type { ByteSource } from './header-bytes.ts';

const CONCURRENCY = 6;
/** Length of the first read of a file, bytes. */
export const HEAD_BYTES = 16 * 1024;
const HEAD: Span = { offset: 0, length: HEAD_BYTES };
/**
 * Maximum length of one read. This is much larger than a tile of a COG, but small enough that the reads of all threads
 * fit in memory.
 */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Network, cache and abort signal for a file. */
export interface HttpOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: a new network with the default time limits. */
  readonly network?: Network | undefined;
  /** Cache of bytes. Files without a strong ETag are not cached. */
  readonly cache?: BlockCache | undefined;
}

interface Ranged {
  readonly bytes: Uint8Array;
  readonly total: number | null;
  /** True if the response states the position of the bytes (`Content-Range`). */
  readonly isPlaced: boolean;
  readonly etag: string | undefined;
}

/**
 * Opens an http(s) file, which is read by Range requests. Retries transient errors (such as 429, 5xx, timeouts and
 * broken connections), then throws `unavailable`. Throws `input_data` for errors of the file or its address.
 */
export async function openHttpSource(href: string, options: HttpOptions = {}): Promise<ByteSource> {
  const network = options.network ?? new Network();
  const to = { href, network, signal: options.signal, cache: options.cache };
  const head = await readHead(to);
  const { bytes, total, etag } = head;
  const source = rangedSource(to, total, etag === undefined ? undefined : { etag, head: crc32(bytes) });
  return {
    ...source,
    read: (offset, length) =>
      offset + length <= bytes.byteLength ? bytes.subarray(offset, offset + length) : source.read(offset, length),
  };
}

/** Creates a source of known size and version. Sends no request before the first read. */
export function resumeHttpSource(
  { href, size, version }: Pick<ByteSource, 'href' | 'size' | 'version'>,
  { network = new Network(), cache }: HttpOptions = {},
): ByteSource {
  return rangedSource({ href, network, signal: undefined, cache }, size, version);
}

interface Target {
  readonly href: string;
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
  readonly cache: BlockCache | undefined;
}

async function readHead(to: Target): Promise<Ranged> {
  const address = stableAddress(to.href);
  const known = to.cache?.head(address);
  const head = await fetchRange(to, HEAD, known);
  if (head.etag !== undefined && head.isPlaced && head.bytes !== known?.bytes)
    to.cache?.setHead(address, { bytes: head.bytes, total: head.total, etag: head.etag });
  return head;
}

function rangedSource(to: Target, size: number | null, version: RemoteVersion | undefined): ByteSource {
  const { cache, href, signal } = to;
  const check = versionCheck(to, size, version);
  const fetch = async (span: Span): Promise<Fetched> => {
    const { bytes, etag, isPlaced } = await fetchRange(to, span);
    await check(etag);
    return { bytes, isSure: isPlaced && etag === version?.etag };
  };
  const fetchBytes = async (span: Span): Promise<Uint8Array> => (await fetch(span)).bytes;
  const cached = version && cache && { cache, file: { address: stableAddress(href), etag: version.etag } };
  const readAll = async (spans: readonly Span[]): Promise<readonly Uint8Array[]> =>
    cached === undefined
      ? await fetchAll(spans, fetchBytes)
      : await cached.cache.read(cached.file, spans, { fetch, signal });
  return {
    href,
    size,
    ...(version && { version }),
    concurrency: CONCURRENCY,
    read: async (offset, length) => (await readAll([{ offset, length }]))[0] ?? new Uint8Array(0),
    readAll,
    ...(cached && {
      readAgain: (span: Span) => {
        cached.cache.remove(cached.file, span);
        return fetchBytes(span);
      },
    }),
    close() {},
  };
}

/**
 * Returns a check of ETags. For each new ETag, the check reads the first bytes again, because a load balancer may send
 * several ETags for one file. The check throws `input_data` if these bytes or the size have changed.
 */
function versionCheck(
  to: Target,
  size: number | null,
  version: RemoteVersion | undefined,
): (etag: string | undefined) => Promise<void> {
  const seen = new Map<string, Promise<void>>();
  const compare = async (): Promise<void> => {
    const { bytes, total } = await fetchRange(to, HEAD);
    if (total !== size || crc32(bytes) !== version?.head)
      throw badFile(to.href, 'it was replaced on its server while it was read; start the run again');
  };
  return async (etag) => {
    if (etag === undefined || version === undefined || etag === version.etag) return;
    const compared = seen.get(etag) ?? compare();
    seen.set(etag, compared);
    await compared;
  };
}

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
  { href, network, signal }: Target,
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
      return { ...known, isPlaced: true };
    }
    if (answer.status !== 206) return refusal(href, answer, network.tools.now());
    return await readRange(answer, { offset, length });
  };
  return network.request({ shown: publicAddress(href), ask, signal });
}

/** Reads the range in a response. A range at another position is a transient failure, probably of a faulty proxy. */
async function readRange(answer: NetResponse, { offset, length }: Span): Promise<Ranged | TransientFailure> {
  const stated = answer.header('content-range');
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(stated ?? '') ?? [];
  if (stated !== undefined && Number(from) !== offset) {
    answer.discard();
    return new TransientFailure(`it sent "${stated.slice(0, 80)}" instead of the bytes from ${offset} on`);
  }
  const bytes = await answer.bytes(length);
  const size = total === undefined || total === '*' ? null : Number(total);
  return { bytes, total: size, isPlaced: stated !== undefined, etag: strongEtag(answer) };
}

/**
 * Returns a strong ETag. Files with the same weak ETag may differ in bytes, so weak ETags are ignored (RFC 9110 8.8.1).
 */
function strongEtag(answer: NetResponse): string | undefined {
  const etag = answer.header('etag');
  return etag?.startsWith('"') === true ? etag : undefined;
}

/**
 * Outcome of a response without the requested range. Throws `input_data` if the response to a retry would be the same.
 */
function refusal(href: string, answer: NetResponse, nowMs: number): Ranged | TransientFailure {
  answer.discard();
  if (answer.status === 416) return { bytes: new Uint8Array(0), total: null, isPlaced: false, etag: undefined };
  const may = transientFailure(answer, nowMs);
  if (may !== undefined) return may;
  if (answer.status === 200)
    throw badFile(href, 'the server ignores Range requests; use a server that responds with 206');
  throw badFile(href, `the server responded with HTTP ${answer.status}; check the address and the access rights`);
}
