import type { Answer } from '@headwater/raster/network';

/** Headers with which a JSON document is asked for. */
export const JSON_HEADERS = { accept: 'application/geo+json, application/json', 'accept-encoding': 'gzip' } as const;

/** A page of 250 Items has about 6 MB. What is larger would also be parsed for so long that nobody else gets an answer meanwhile. */
const MAX_BYTES = 16 * 1024 * 1024;

/** True where the document came; the body of any other answer is not read. */
export function isGood(answer: Answer): boolean {
  const good = answer.status >= 200 && answer.status < 300;
  if (!good) answer.discard();
  return good;
}

/** The document as text. Throws `input_data` where it is larger than any that is read. */
export const jsonText = async (answer: Answer): Promise<string> =>
  new TextDecoder().decode(await answer.bytes(MAX_BYTES));
