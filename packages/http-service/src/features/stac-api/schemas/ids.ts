import { Refusal } from './reading.ts';

const LONGEST_ID = 500;

/** Between ids. One with `_` after it belongs to an id: a place called 'Aspur, North' makes such, and no id begins with `_`. */
const COMMA = /,(?!_)/;

/**
 * Ids: one text with commas between them, or a list as bodies have it; blank ones are none. An empty text is a field that nobody filled
 * in, as a parameter or as a member alike. An empty list finds nothing: a program that computed it has found nothing.
 */
export function readIds(given: string | readonly string[]): readonly string[] | undefined | Refusal {
  const ids = typeof given === 'string' ? given.split(COMMA).map((part) => part.trim()) : given;
  const told = [...new Set(ids.filter((id) => id.trim() !== ''))];
  if (told.some((id) => id.length > LONGEST_ID)) return new Refusal(`Ids have ${LONGEST_ID} characters at most.`);
  return told.length === 0 && typeof given === 'string' ? undefined : told;
}
