import { type AssetFile, type AssetStore, DomainError, isDomainError, type Logger } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import { type Compressed, compressedPieces } from '../../caching/compressing.ts';
import type { Encoding } from '../../reading/accept-encoding.ts';
import type { FormSource } from './wfs-form.ts';

/** Vector layers as the map servers that clients know send them. */
export interface LayerForms {
  /** What tells versions of a form apart, known without reading anything. */
  validators(form: FormSource, encoding: Encoding): Validators;
  /**
   * A layer's form as a file. It is made once, at the first request, and kept; so is each compressed form. Throws what tells that it cannot
   * be made: `internal` where a stored file is no GeoJSON, `unavailable` where what it is made of is gone or has just changed, or where too
   * many wait.
   */
  file(form: FormSource, encoding: Encoding): Promise<EncodedFile>;
  /** The same where it is there already; undefined otherwise. */
  kept(form: FormSource, encoding: Encoding): Promise<EncodedFile | undefined>;
}

/** A file and how its bytes are encoded. */
export interface EncodedFile extends AssetFile {
  readonly encoding: Encoding;
}

/** What forms are kept in; without files each is made anew for each request, and none is compressed. */
export interface FormSources {
  readonly assets: AssetStore | undefined;
  readonly logger: Logger;
}

type Validators = FormSource['validators'];
type Bytes = Pick<AssetFile, 'bytes' | 'stream'>;

const ENDINGS = { identity: '', gzip: '.gz', br: '.br' } as const;
/** Forms that are made at a time: each takes a processor, and a reader of the store. */
const AT_ONCE = 2;
/** Forms that may wait. */
const MOST_WAITING = 64;

/** Makes forms; each once, several askers at a time included. */
export function createLayerForms({ assets, logger }: FormSources): LayerForms {
  const kept = assets && keeper(assets);
  const plainOf = async (form: FormSource): Promise<Bytes> => {
    try {
      if (kept !== undefined) return await kept(keyOf(form, 'identity'), () => form.pieces());
    } catch (error) {
      if (isDomainError(error) && PASSED_ON.has(error.code)) throw error;
      // A full disk, or files that have just gone: the answer is made for this request.
      logger.error({ error, layer: form.layerName }, 'the map server form of a layer could not be kept');
    }
    return await unkept(form);
  };
  const packedOf = async (form: FormSource, encoding: Compressed): Promise<Bytes | undefined> => {
    if (kept === undefined) return undefined;
    const plain = await plainOf(form);
    try {
      return await kept(keyOf(form, encoding), () => compressedPieces(plain.stream(0, plain.bytes - 1), encoding));
    } catch (error) {
      logger.error(
        { error, layer: form.layerName },
        'a compressed form of a layer could not be kept; it is sent as it is',
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
    kept: async (form, encoding) => {
      const there = await assets?.open(keyOf(form, encoding));
      return there && encoded(form, there, encoding);
    },
  };
}

/** Failures that tell of what a form is made of, or that too many wait, and not of where it is kept. */
const PASSED_ON: ReadonlySet<string> = new Set(['internal', 'unavailable']);

/** Opens a file, or makes it where it is not there: once, however many ask, and few files at a time. */
function keeper(assets: AssetStore): (key: string, pieces: () => AsyncIterable<Uint8Array>) => Promise<AssetFile> {
  const underWay = new Map<string, Promise<AssetFile>>();
  const lanes = createKeyedLimiter({ concurrency: AT_ONCE, maxWaiting: MOST_WAITING, refuse: overloaded });
  const make = async (key: string, pieces: () => AsyncIterable<Uint8Array>): Promise<AssetFile> => {
    const [runId = '', token = '', name = ''] = key.split('/');
    await assets.write(runId, Number(token), name, pieces());
    const made = await assets.open(key);
    if (made === undefined) throw new Error(`${key}: written, and gone since`);
    return made;
  };
  return async (key, pieces) => {
    const there = underWay.get(key) ?? (await assets.open(key)) ?? underWay.get(key);
    if (there !== undefined) return await there;
    const making = lanes.run('', () => make(key, pieces)).finally(() => underWay.delete(key));
    underWay.set(key, making);
    return await making;
  };
}

function overloaded(): DomainError {
  return new DomainError('unavailable', 'Too many layers are asked for at once; try again in a minute.', {
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

/** A form that nothing keeps: counted first and made again as it is sent, so that it is never held whole. */
async function unkept(form: FormSource): Promise<Bytes> {
  let bytes = 0;
  for await (const piece of form.pieces()) bytes += piece.byteLength;
  return { bytes, stream: (start, end) => ReadableStream.from(between(form.pieces(), start, end)) };
}

/** Bytes `start` to `end` of pieces, both inclusive. */
async function* between(pieces: AsyncIterable<Uint8Array>, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    if (part.byteLength > 0) yield part;
    at += piece.byteLength;
    if (at > end) return;
  }
}
