import { type AssetFile, type AssetStore, DomainError, isDomainError, type Logger } from '@headwater/core';
import { createByteLimitedCache, ownBytes } from '@headwater/core/caching';
import { createKeyedLimiter } from '@headwater/core/timing';
import { dropOldest } from '@headwater/core/values';
import { type Compressed, compressedPieces } from '../../caching/compressing.ts';
import type { Encoding } from '../../reading/accept-encoding.ts';
import type { FormSource } from './wfs-form.ts';

/** Builds and caches the WFS responses of vector layers, in the shape that GeoServer sends. */
export interface LayerForms {
  /** ETag and time of the response; known without reading a file. */
  validators(form: FormSource, encoding: Encoding): Validators;
  /**
   * Returns a response from the cache, or builds it. Throws `internal` for a damaged file, `unavailable` for a changed
   * source or a full queue.
   */
  file(form: FormSource, encoding: Encoding): Promise<EncodedFile>;
  cached(form: FormSource, encoding: Encoding): Promise<EncodedFile | undefined>;
}

/** A file and its content encoding. */
export interface EncodedFile extends AssetFile, Pick<Bytes, 'whole'> {
  readonly encoding: Encoding;
}

/** Dependencies of `createLayerForms`. Without `assets`, nothing is cached. */
export interface FormSources {
  readonly assets: AssetStore | undefined;
  readonly logger: Logger;
}

type Validators = FormSource['validators'];
type Piece = string | Uint8Array;
interface Bytes extends Pick<AssetFile, 'bytes' | 'stream'> {
  /** The content, if it is in memory. */
  readonly whole?: Piece | undefined;
}

const ENDINGS = { identity: '', gzip: '.gz', br: '.br' } as const;
const CONCURRENCY = 4;
/** Maximum size of a response that is built in memory, bytes. Larger responses are written to a file piece by piece. */
const MEMORY_BYTES = 1024 * 1024;
/** Length of the pieces of a response that is sent while it is built, UTF-16 code units. */
const PIECE_LENGTH = 64 * 1024;
const CACHE_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 1024;
const MOST_WAITING = 64;
const MOST_LARGE = 1000;

/** Creates the builder of responses. Simultaneous requests share one build. */
export function createLayerForms({ assets, logger }: FormSources): LayerForms {
  const cache = assets && createFormCache(assets);
  const plainOf = async (form: FormSource): Promise<Bytes> => {
    try {
      if (cache !== undefined) return await cache.findOrBuild(form);
    } catch (error) {
      if (isDomainError(error) && RETHROWN.has(error.code)) throw error;
      // If the response cannot be cached, it is built for this request only.
      logger.error({ error, layer: form.layerName }, 'could not cache the WFS response of a layer');
    }
    return await uncached(form);
  };
  const packedOf = async (form: FormSource, encoding: Compressed): Promise<Bytes | undefined> => {
    if (cache === undefined) return undefined;
    const key = keyOf(form, encoding);
    const found = await cache.find(key);
    if (found !== undefined) return found;
    const plain = await plainOf(form);
    try {
      return await cache.findOrBuild({
        key,
        // The compressed form of a large response is cached in a file, because reading it takes less time than
        // compressing.
        isCheap: form.isCheap && plain.bytes <= MEMORY_BYTES,
        // The folder also contains the uncompressed response, which `begin` would delete.
        ownsFolder: false,
        pieces: () => compressedPieces(plain.stream(0, plain.bytes - 1), encoding),
      });
    } catch (error) {
      logger.error(
        { error, layer: form.layerName },
        'could not cache a compressed WFS response; it is sent uncompressed',
      );
      return undefined;
    }
  };
  return {
    validators,
    file: async (form, encoding) => {
      const packed = encoding === 'identity' ? undefined : await packedOf(form, encoding);
      return packed === undefined ? encoded(form, await plainOf(form), 'identity') : encoded(form, packed, encoding);
    },
    cached: async (form, encoding) => {
      const file = await cache?.find(keyOf(form, encoding));
      return file && encoded(form, file, encoding);
    },
  };
}

/** Errors that the caller gets. Errors of the cache are only logged. */
const RETHROWN: ReadonlySet<string> = new Set(['internal', 'unavailable']);

interface Build extends Pick<FormSource, 'key' | 'isCheap' | 'ownsFolder'> {
  readonly pieces: (length: number) => AsyncIterable<Piece>;
}

interface FormCache {
  find(key: string): Promise<Bytes | undefined>;
  findOrBuild(build: Build): Promise<Bytes>;
}

interface Built {
  readonly form: Bytes;
  readonly isOnlyInMemory: boolean;
}

function createFormCache(assets: AssetStore): FormCache {
  const built = createByteLimitedCache<string, Built>({
    mostBytes: CACHE_BYTES,
    // A response that is stored in a file must not stay in memory after its build. So its size counts as infinite.
    sizeOf: ({ form, isOnlyInMemory }) => (isOnlyInMemory ? form.bytes + ENTRY_BYTES : Infinity),
  });
  /** Keys of responses that are cheap to build, but too large for the memory. */
  const large = new Map<string, true>();
  const limiter = createKeyedLimiter({ concurrency: CONCURRENCY, maxWaiting: MOST_WAITING, refuse: overloaded });
  const find = async (key: string): Promise<Bytes | undefined> => built.cached(key)?.form ?? (await assets.open(key));
  const create = async ({ key, isCheap, ownsFolder, pieces }: Build): Promise<Built> => {
    const { start, rest } = await beginningOf(pieces(MEMORY_BYTES));
    const whole = rest === undefined ? inMemory(start) : undefined;
    if (whole !== undefined && isCheap) return { form: whole, isOnlyInMemory: true };
    if (isCheap) {
      large.set(key, true);
      dropOldest(large, MOST_LARGE);
    }
    const [runId = '', token = '', name = ''] = key.split('/');
    try {
      if (ownsFolder) {
        // Another process may have written the response in the meantime, and `begin` would delete it.
        const other = await assets.open(key);
        if (other !== undefined) return { form: other, isOnlyInMemory: false };
        await assets.begin(runId, Number(token));
      }
      await assets.write(runId, Number(token), name, joined(start, rest));
    } finally {
      await rest?.return(undefined);
    }
    const form = whole ?? (await assets.open(key));
    if (form === undefined) throw new Error(`${key}: the file was deleted just after it was written`);
    return { form, isOnlyInMemory: false };
  };
  return {
    find,
    findOrBuild: async (build) => {
      const { key, isCheap } = build;
      // Most responses that are cheap to build are small, so no file is looked for before the size is known.
      const found = isCheap && !large.has(key) ? built.cached(key)?.form : await find(key);
      if (found !== undefined) return found;
      return (await built.of(key, { version: '', make: () => limiter.run('', () => create(build)) })).form;
    },
  };
}

async function beginningOf(pieces: AsyncIterable<Piece>): Promise<{
  readonly start: readonly Piece[];
  readonly rest: AsyncGenerator<Piece, undefined, undefined> | undefined;
}> {
  const all = generated(pieces);
  const start: Piece[] = [];
  for (let bytes = 0; bytes <= MEMORY_BYTES;) {
    const { done, value } = await all.next();
    if (done === true) return { start, rest: undefined };
    start.push(value);
    bytes += Buffer.byteLength(value);
  }
  return { start, rest: all };
}

async function* generated(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, undefined, undefined> {
  yield* pieces;
}

async function* joined(start: readonly Piece[], rest: AsyncIterable<Piece> | undefined): AsyncGenerator<Uint8Array> {
  for (const piece of start) yield bytesOf(piece);
  if (rest !== undefined) for await (const piece of rest) yield bytesOf(piece);
}

const bytesOf = (piece: Piece): Uint8Array => (typeof piece === 'string' ? Buffer.from(piece) : piece);

/**
 * Content in memory. A single text is not converted to bytes, because cached bytes are outside of V8's heap, and V8
 * would then collect garbage far more often.
 */
function inMemory(pieces: readonly Piece[]): Bytes {
  const [first] = pieces;
  const isText = typeof first === 'string' && pieces.length === 1;
  const whole = isText ? first : ownBytes(Buffer.concat(pieces.map(bytesOf)));
  return {
    bytes: Buffer.byteLength(whole),
    whole,
    stream: (start, end) => ReadableStream.from([bytesOf(whole).subarray(start, end + 1)]),
  };
}

function overloaded(): DomainError {
  return new DomainError('unavailable', 'Too many layers are requested at the same time; try again in a minute.', {
    details: { retryAfterSeconds: 60 },
  });
}

function encoded(form: FormSource, bytes: Bytes, encoding: Encoding): EncodedFile {
  const stream: AssetFile['stream'] = (start, end) => bytes.stream(start, end);
  return { bytes: bytes.bytes, whole: bytes.whole, stream, ...validators(form, encoding), encoding };
}

const keyOf = ({ key }: FormSource, encoding: Encoding): string => `${key}${ENDINGS[encoding]}`;

function validators({ validators: { etag, modified } }: FormSource, encoding: Encoding): Validators {
  return { etag: `${etag}${encoding === 'identity' ? '' : `-${encoding}`}`, modified };
}

/**
 * A response that is not cached. It is built twice: first to count its bytes, then to send them. So the whole
 * response is never in memory.
 */
async function uncached(form: FormSource): Promise<Bytes> {
  let bytes = 0;
  for await (const piece of form.pieces(PIECE_LENGTH)) bytes += Buffer.byteLength(piece);
  return { bytes, stream: (start, end) => ReadableStream.from(between(form.pieces(PIECE_LENGTH), start, end)) };
}

async function* between(texts: AsyncIterable<string>, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const text of texts) {
    const piece = Buffer.from(text);
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    if (part.byteLength > 0) yield part;
    at += piece.byteLength;
    if (at > end) return;
  }
}
