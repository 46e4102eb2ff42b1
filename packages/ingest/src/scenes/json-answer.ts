import { DomainError } from '@headwater/core';
import type { Answer } from '@headwater/raster/network';

/** Headers with which a JSON document is asked for. */
export const JSON_HEADERS = { accept: 'application/geo+json, application/json', 'accept-encoding': 'gzip' } as const;

/** A page of 200 Items has about 6 MB. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Objects, lists and members: 200 Items have about 300,000. What has more is parsed for so long that nobody else gets an answer meanwhile. */
const MAX_PARTS = 600_000;
/** `{`, `[` and `:` as bytes of UTF-8. */
const PARTS = [0x7b, 0x5b, 0x3a] as const;

/** True where the document came; the body of any other answer is not read. */
export function isGood(answer: Answer): boolean {
  const good = answer.status >= 200 && answer.status < 300;
  if (!good) answer.discard();
  return good;
}

/** The document as text that is fit to be parsed. Throws `input_data` where it is larger than any that is read. */
export async function jsonText(answer: Answer): Promise<string> {
  let parts = 0;
  // Counted as they come: at the end of 16 MiB the count alone would be felt by others.
  const bytes = await answer.bytes(MAX_BYTES, (piece) => {
    parts += partsOf(piece);
    if (parts <= MAX_PARTS) return;
    throw new DomainError(
      'input_data',
      `${answer.shown}: its answer has more than the ${MAX_PARTS} parts that are read`,
    );
  });
  return new TextDecoder().decode(bytes);
}

/** Objects, lists and members of a piece of JSON, or more: what stands within its texts counts too. */
function partsOf(bytes: Uint8Array): number {
  const [object, list, member] = PARTS;
  let count = 0;
  for (const byte of bytes) if (byte === object || byte === list || byte === member) count += 1;
  return count;
}
