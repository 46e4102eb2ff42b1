import type { PreparedReply } from './kept-answers.ts';
import { prepared } from './prepared.ts';

/** How answers to whoever shows a key may be kept: by him, asking each time, and by nobody between. */
export const KEYED_HEADERS = { 'cache-control': 'private, no-cache', vary: 'X-API-Key' } as const;

/** JSON text for whoever shows a key. */
export function keyedAnswer(text: string): PreparedReply {
  return prepared(text, { cacheControl: KEYED_HEADERS['cache-control'], headers: { vary: KEYED_HEADERS.vary } });
}
