import { DomainError } from '@headwater/core';
import type { Answer } from '@headwater/raster/network';
import { beginsValue } from '../json-text.ts';

/** Headers with which a JSON document is asked for. */
export const JSON_HEADERS = { accept: 'application/geo+json, application/json', 'accept-encoding': 'gzip' } as const;

/** A page of 200 Items has about 6 MB. */
const MAX_BYTES = 16 * 1024 * 1024;
/** 200 Items have about 500,000 values. What has more is parsed for so long that nobody else gets an answer meanwhile. */
const MAX_VALUES = 1_000_000;

/** True where the document came; the body of any other answer is not read. */
export function isGood(answer: Answer): boolean {
  const good = answer.status >= 200 && answer.status < 300;
  if (!good) answer.discard();
  return good;
}

/** The document as text that is fit to be parsed. Throws `input_data` where it is larger than any that is read. */
export async function jsonText(answer: Answer): Promise<string> {
  let values = 0;
  // Counted as they come: at the end of 16 MiB the count alone would be felt by others.
  const bytes = await answer.bytes(MAX_BYTES, (piece) => {
    for (const byte of piece) if (beginsValue(byte)) values += 1;
    if (values <= MAX_VALUES) return;
    throw new DomainError(
      'input_data',
      `${answer.shown}: its answer has more than the ${MAX_VALUES} values that are read`,
    );
  });
  // The decoder drops a byte order mark.
  return new TextDecoder().decode(bytes);
}
