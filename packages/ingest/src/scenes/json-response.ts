import { DomainError } from '@headwater/core';
import type { NetResponse } from '@headwater/net';
import { JsonPieces } from '../json-pieces.ts';

/** Headers of requests for a JSON document. */
export const JSON_HEADERS = { accept: 'application/geo+json, application/json', 'accept-encoding': 'gzip' } as const;

/** Maximum size of a response, bytes. A page of 200 Items has about 6 MB. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum number of values in a response; 200 Items have about 500,000. */
const MAX_VALUES = 1_000_000;
/** Maximum number of values that are parsed in one call: an Item, or a page without its Items. */
const MAX_AT_A_STRETCH = 150_000;

/** True for a status of success (2xx); discards the body of other responses. */
export function isGood(answer: NetResponse): boolean {
  const good = answer.status >= 200 && answer.status < 300;
  if (!good) answer.discard();
  return good;
}

/**
 * Parses a response piece by piece, without blocking the event loop. Throws `input_data` for a too large document,
 * SyntaxError for invalid JSON.
 */
export async function jsonOf(answer: NetResponse): Promise<unknown> {
  const pieces = new JsonPieces();
  // The bytes are scanned as they arrive, because scanning 16 MiB at the end would block the event loop.
  const bytes = await answer.bytes(MAX_BYTES, (bytes) => {
    pieces.see(bytes);
    const { all, stretch } = pieces.values;
    if (all > MAX_VALUES) throw tooMany(answer, `its response has more than ${MAX_VALUES} values`);
    if (stretch > MAX_AT_A_STRETCH)
      throw tooMany(answer, `a part of its response has more than ${MAX_AT_A_STRETCH} values`);
  });
  return pieces.parse(bytes);
}

/** Same as `jsonOf`, but throws `input_data` for invalid JSON, so that a `Network` does not repeat the request. */
export async function wellFormed(answer: NetResponse): Promise<unknown> {
  try {
    return await jsonOf(answer);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DomainError(
      'input_data',
      `${answer.shown}: its response is not JSON; check the address, or try again later`,
      {
        cause: error,
      },
    );
  }
}

function tooMany(answer: NetResponse, problem: string): DomainError {
  return new DomainError(
    'input_data',
    `${answer.shown}: ${problem}, which is the limit; use a catalogue with smaller documents`,
  );
}
