import { createHash } from 'node:crypto';
import { compress, type Compressed } from '../caching/compressing.ts';
import { createKeptByBytes } from '../caching/by-bytes.ts';
import type { Prepared } from '../seam/reply.ts';

/** Where compressing cannot be worth a header more. */
const LEAST_BYTES = 256;

/** Compressed forms of what no handler keeps, all together: enough for some thousand reports. */
const MOST_BYTES = 16 * 1024 * 1024;
/** What a form costs beside its bytes, or where compressing gained nothing: its name and its place. */
const ENTRY_BYTES = 256;

/** Compressed forms of prepared bytes; undefined where compressing them gains nothing. */
export interface Encodings {
  of(prepared: Prepared, encoding: Compressed): Promise<Uint8Array | undefined>;
}

type Form = Uint8Array | undefined;
type Compress = (bytes: Uint8Array, encoding: Compressed) => Promise<Form>;
type Forms = Partial<Record<Compressed, Promise<Form>>>;

/**
 * Makes each form once, several askers at a time included. It is kept for as long as somebody holds the prepared value, as handlers do
 * that keep theirs; those that were asked for last are kept by their bytes too, so that an answer which is made anew each time, and is the
 * same each time, is compressed once. A failure is not kept.
 */
export function createEncodings(compressWith: Compress = compress, mostBytes: number = MOST_BYTES): Encodings {
  const held = new WeakMap<Prepared, Forms>();
  const sizeOf = (form: Form): number => ENTRY_BYTES + (form?.byteLength ?? 0);
  const latest = createKeptByBytes<string, Form>({ mostBytes, sizeOf });
  return {
    async of(prepared, encoding) {
      const { bytes } = prepared;
      if (bytes.byteLength < LEAST_BYTES || !isText(prepared.type)) return undefined;
      const forms = held.get(prepared) ?? {};
      held.set(prepared, forms);
      const make = (): Promise<Form> => compressWith(bytes, encoding);
      try {
        return await (forms[encoding] ??= latest.of(`${encoding} ${digestOf(bytes)}`, { version: '', make }));
      } catch (error) {
        delete forms[encoding];
        throw error;
      }
    },
  };
}

// Of the bytes themselves: a tag may be that of a version, which several answers share.
function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

// Images and archives are compressed already.
function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml)\b|^application\/(?:javascript|schema)|^image\/svg/.test(type);
}
