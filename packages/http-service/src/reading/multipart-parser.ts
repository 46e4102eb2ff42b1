import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { DomainError, messageOf } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import type { PartLimits } from '../seam/row-body.ts';
import { sentences } from '../wire/sentences.ts';

/** Longest name of a part, bytes. */
const MOST_NAME = 200;
/** Headers of one part, in pairs. */
const MOST_HEADERS = 32;
/** What the parser puts in place of bytes that are no text. */
const REPLACEMENT = '\u{fffd}';

/** Parser of a multipart body with these limits. Throws `parse` where the content type names no boundary. */
export function createParser(contentType: string, { field, file, parts }: PartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: field, fileSize: file, parts, headerPairs: MOST_HEADERS },
    });
  } catch (error) {
    throw broken(error);
  }
}

/** Why a part is refused: its name (absent where `name` is none), or a text that cannot be stored. Undefined for a sound one. */
export function faultOf(name: unknown, texts: readonly string[]): DomainError | undefined {
  if (typeof name !== 'string') return broken('a part has no name');
  // The parser has no limit of its own for names.
  if (Buffer.byteLength(name) > MOST_NAME) return broken(`the name of a part is longer than ${MOST_NAME} bytes`);
  for (const text of [name, ...texts]) {
    if (!isStorable(text)) return broken('text holds a NUL, which cannot be stored');
    // The parser replaces what it cannot decode and does not tell; the bytes are gone by now.
    if (text.includes(REPLACEMENT)) return broken('text is not UTF-8, or holds U+FFFD, which stands for lost text');
  }
  return undefined;
}

/** The refusal of a body that cannot be read. */
export function broken(reason: unknown): DomainError {
  const text = messageOf(reason);
  return new DomainError('parse', sentences.unreadable('Multipart form', text), { cause: reason });
}

/** The refusal of a body of too many parts. */
export function tooManyParts(limit: number): DomainError {
  return new DomainError('payload_too_large', `body: more than ${limit} parts; send fewer`);
}
