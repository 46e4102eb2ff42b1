import { Refusal } from './reading.ts';

const LONGEST_ID = 500;

/** Comma between two ids. A comma before `_` is part of an id: the id of 'Aspur, North' contains `,_`. */
const COMMA = /,(?!_)/;

/** Reads ids from a text with commas or from a list. An empty text is no condition. An empty list selects nothing. */
export function readIds(sent: string | readonly string[]): readonly string[] | undefined | Refusal {
  const all = typeof sent === 'string' ? sent.split(COMMA).map((part) => part.trim()) : sent;
  const ids = [...new Set(all.filter((id) => id.trim() !== ''))];
  if (ids.some((id) => id.length > LONGEST_ID))
    return new Refusal(`An id has at most ${LONGEST_ID} characters; leave longer ids out.`);
  return ids.length === 0 && typeof sent === 'string' ? undefined : ids;
}
