import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Prepared } from '../reply.ts';
import type { Encoding } from './accept-encoding.ts';

type Compressed = Exclude<Encoding, 'identity'>;

/** Beyond this sum of compressed bytes those that were not asked for longest are dropped. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Where compressing cannot be worth a header more. */
const LEAST_BYTES = 256;
/** Of 11: nearly its smallest size at a tenth of its time. */
const BROTLI_QUALITY = 7;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Compressed forms of prepared bytes; undefined where compressing them gains nothing. */
export interface Encodings {
  of(prepared: Prepared, encoding: Compressed): Promise<Uint8Array | undefined>;
}

interface Entry {
  readonly made: Promise<Uint8Array | undefined>;
  bytes: number;
}

/** Makes each form once, several askers at a time included, and keeps at most `mostBytes` of them. */
export function createEncodings(mostBytes = MOST_BYTES): Encodings {
  const kept: Readonly<Record<Compressed, Map<Prepared, Entry>>> = { br: new Map(), gzip: new Map() };
  let total = 0;
  const drop = (from: Map<Prepared, Entry>, key: Prepared): void => {
    total -= from.get(key)?.bytes ?? 0;
    from.delete(key);
  };
  const remember = (from: Map<Prepared, Entry>, key: Prepared, entry: Entry): void => {
    if (from.get(key) !== entry) return;
    total += entry.bytes;
    for (const map of [kept.br, kept.gzip]) {
      for (const oldest of map.keys()) {
        if (total <= mostBytes) return;
        drop(map, oldest);
      }
    }
  };
  return {
    async of(prepared, encoding) {
      if (prepared.bytes.byteLength < LEAST_BYTES || !isText(prepared.type)) return undefined;
      const map = kept[encoding];
      const known = map.get(prepared);
      if (known !== undefined) {
        // The newest stands last.
        map.delete(prepared);
        map.set(prepared, known);
        return known.made;
      }
      const entry: Entry = { made: compress(prepared.bytes, encoding), bytes: 0 };
      map.set(prepared, entry);
      const compressed = await entry.made;
      entry.bytes = compressed?.byteLength ?? 0;
      remember(map, prepared, entry);
      return compressed;
    },
  };
}

async function compress(bytes: Uint8Array, encoding: Compressed): Promise<Uint8Array | undefined> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const made = await (encoding === 'gzip' ? gzipAsync(bytes) : brotliAsync(bytes, { params }));
  return made.byteLength < bytes.byteLength ? made : undefined;
}

// Images and archives are compressed already.
function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml)\b|^application\/(?:javascript|schema)|^image\/svg/.test(type);
}
