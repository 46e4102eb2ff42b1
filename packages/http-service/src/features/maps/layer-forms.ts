import { type AssetFile, type AssetStore, DomainError, isDomainError, type Logger } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import { type Compressed, compressedPieces } from '../../caching/compressing.ts';
import type { Encoding } from '../../reading/accept-encoding.ts';
import type { FormSource } from './wfs-form.ts';

/** Builds and caches the WFS responses of vector layers, in the shape that GeoServer sends. */
export interface LayerForms {
  /** ETag and time of the response; known without reading a file. */
  validators(form: FormSource, encoding: Encoding): Validators;
  /**
   * Returns a layer's response as a file. The first request builds and caches this file; compressed responses are cached in the
   * same way. Throws `internal` if the stored file is not GeoJSON. Throws `unavailable` if the source was removed or has just
   * changed, and if too many requests wait.
   */
  file(form: FormSource, encoding: Encoding): Promise<EncodedFile>;
  /** Returns the cached response; undefined if there is none. */
  cached(form: FormSource, encoding: Encoding): Promise<EncodedFile | undefined>;
}

/** A file and its content encoding. */
export interface EncodedFile extends AssetFile {
  readonly encoding: Encoding;
}

/** Store of cached responses. Without this store, each request builds its own response, uncompressed. */
export interface FormSources {
  readonly assets: AssetStore | undefined;
  readonly logger: Logger;
}

type Validators = FormSource['validators'];
type Bytes = Pick<AssetFile, 'bytes' | 'stream'>;

const ENDINGS = { identity: '', gzip: '.gz', br: '.br' } as const;
/** Maximum number of responses that are built at the same time. Each occupies a processor or waits for the store. */
const CONCURRENCY = 4;
/** A response of at most this size is sent from memory by the requests that waited for it. Larger responses are read from the cache. */
const MEMORY_BYTES = 1024 * 1024;
/** Maximum number of requests that wait until a response is built. */
const MOST_WAITING = 64;

/** Creates the builder of responses. Simultaneous requests for the same response share one build. */
export function createLayerForms({ assets, logger }: FormSources): LayerForms {
  const cachedFile = assets && createFileCache(assets);
  const plainOf = async (form: FormSource): Promise<Bytes> => {
    try {
      if (cachedFile !== undefined) return await cachedFile(keyOf(form, 'identity'), () => form.pieces());
    } catch (error) {
      if (isDomainError(error) && RETHROWN.has(error.code)) throw error;
      // If the disk is full or the files have just been deleted, the response is built for this request only.
      logger.error({ error, layer: form.layerName }, 'could not cache the WFS response of a layer');
    }
    return await uncached(form);
  };
  const packedOf = async (form: FormSource, encoding: Compressed): Promise<Bytes | undefined> => {
    if (cachedFile === undefined) return undefined;
    const plain = await plainOf(form);
    try {
      return await cachedFile(keyOf(form, encoding), () =>
        compressedPieces(plain.stream(0, plain.bytes - 1), encoding),
      );
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
      const file = await assets?.open(keyOf(form, encoding));
      return file && encoded(form, file, encoding);
    },
  };
}

/** Codes of errors of the source or the queue, which the caller gets. Errors of the cache are only logged. */
const RETHROWN: ReadonlySet<string> = new Set(['internal', 'unavailable']);

/**
 * Creates a function that opens a cached file, and builds the file first if it is missing. Simultaneous callers share
 * one build; `CONCURRENCY` limits the builds.
 */
function createFileCache(assets: AssetStore): (key: string, pieces: () => AsyncIterable<Uint8Array>) => Promise<Bytes> {
  const underWay = new Map<string, Promise<Bytes>>();
  const limiter = createKeyedLimiter({ concurrency: CONCURRENCY, maxWaiting: MOST_WAITING, refuse: overloaded });
  const build = async (key: string, pieces: () => AsyncIterable<Uint8Array>): Promise<Bytes> => {
    const [runId = '', token = '', name = ''] = key.split('/');
    const memory: Uint8Array[] = [];
    const { bytes } = await assets.write(runId, Number(token), name, remembered(pieces(), memory));
    if (bytes <= MEMORY_BYTES) return bytesOf(Buffer.concat(memory));
    const file = await assets.open(key);
    if (file === undefined) throw new Error(`${key}: the file was deleted just after it was written`);
    return file;
  };
  return async (key, pieces) => {
    const existing = underWay.get(key) ?? (await assets.open(key)) ?? underWay.get(key);
    if (existing !== undefined) return await existing;
    const building = limiter.run('', () => build(key, pieces)).finally(() => underWay.delete(key));
    underWay.set(key, building);
    return await building;
  };
}

/** Yields the pieces, and also adds them to `memory` up to `MEMORY_BYTES`; after that, `memory` is emptied. */
async function* remembered(pieces: AsyncIterable<Uint8Array>, memory: Uint8Array[]): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes <= MEMORY_BYTES) memory.push(piece);
    else memory.length = 0;
    yield piece;
  }
}

const bytesOf = (whole: Uint8Array): Bytes => ({
  bytes: whole.byteLength,
  stream: (start, end) => ReadableStream.from([whole.subarray(start, end + 1)]),
});

function overloaded(): DomainError {
  return new DomainError('unavailable', 'Too many layers are requested at the same time; try again in a minute.', {
    details: { retryAfterSeconds: 60 },
  });
}

function encoded(form: FormSource, bytes: Bytes, encoding: Encoding): EncodedFile {
  const stream: AssetFile['stream'] = (start, end) => bytes.stream(start, end);
  return { bytes: bytes.bytes, stream, ...validators(form, encoding), encoding };
}

const keyOf = ({ key }: FormSource, encoding: Encoding): string => `${key}${ENDINGS[encoding]}`;

function validators({ validators: { etag, modified } }: FormSource, encoding: Encoding): Validators {
  return { etag: `${etag}${encoding === 'identity' ? '' : `-${encoding}`}`, modified };
}

/**
 * Response that is not cached. It is built twice: once to count the bytes, and again while it is sent. So the whole response is
 * never in memory.
 */
async function uncached(form: FormSource): Promise<Bytes> {
  let bytes = 0;
  for await (const piece of form.pieces()) bytes += piece.byteLength;
  return { bytes, stream: (start, end) => ReadableStream.from(between(form.pieces(), start, end)) };
}

/** Yields the bytes from `start` to `end` (both inclusive) of the pieces. */
async function* between(pieces: AsyncIterable<Uint8Array>, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    if (part.byteLength > 0) yield part;
    at += piece.byteLength;
    if (at > end) return;
  }
}
