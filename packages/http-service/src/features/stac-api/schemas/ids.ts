import { Refusal } from './reading.ts';

const LONGEST_ID = 500;

/** Pattern of a comma between ids. A comma before `_` belongs to an id, such as that of the place 'Aspur, North'; no id begins with `_`. */
const COMMA = /,(?!_)/;

/**
 * Reads ids from one text with commas or from a list of a body; blank ids are ignored. An empty text, in a query or a body, is an empty
 * form field and gives no condition. An empty list selects nothing, because the client computed a list of ids and found none.
 */
export function readIds(sent: string | readonly string[]): readonly string[] | undefined | Refusal {
  const all = typeof sent === 'string' ? sent.split(COMMA).map((part) => part.trim()) : sent;
  const ids = [...new Set(all.filter((id) => id.trim() !== ''))];
  if (ids.some((id) => id.length > LONGEST_ID)) return new Refusal(`An id has at most ${LONGEST_ID} characters.`);
  return ids.length === 0 && typeof sent === 'string' ? undefined : ids;
}
