import { DomainError } from '@headwater/core';
import type { NetResponse } from '@headwater/net';
import { JsonPieces } from '../json-pieces.ts';

/** Headers with which a JSON document is asked for. */
export const JSON_HEADERS = { accept: 'application/geo+json, application/json', 'accept-encoding': 'gzip' } as const;

/** A page of 200 Items has about 6 MB. */
const MAX_BYTES = 16 * 1024 * 1024;
/** 200 Items have about 500,000 values. */
const MAX_VALUES = 1_000_000;
/** Values of one Item, or of a page beside its Items: they are parsed at a stretch, in which nobody else gets an answer. */
const MAX_AT_A_STRETCH = 150_000;

/** True where the document came; the body of any other answer is not read. */
export function isGood(answer: NetResponse): boolean {
  const good = answer.status >= 200 && answer.status < 300;
  if (!good) answer.discard();
  return good;
}

/**
 * The document, parsed piece by piece, so that others get their turn. Throws `input_data` where it is larger than any that is read,
 * SyntaxError where it is no JSON.
 */
export async function jsonOf(answer: NetResponse): Promise<unknown> {
  const pieces = new JsonPieces();
  // Looked at as they come: at the end of 16 MiB that alone would be felt by others.
  const bytes = await answer.bytes(MAX_BYTES, (bytes) => {
    pieces.see(bytes);
    const { all, stretch } = pieces.values;
    if (all > MAX_VALUES) throw tooMany(answer, `its answer has more than the ${MAX_VALUES} values`);
    if (stretch > MAX_AT_A_STRETCH)
      throw tooMany(answer, `a part of its answer has more than the ${MAX_AT_A_STRETCH} values`);
  });
  return pieces.parse(bytes);
}

function tooMany(answer: NetResponse, problem: string): DomainError {
  return new DomainError('input_data', `${answer.shown}: ${problem} that are read`);
}
