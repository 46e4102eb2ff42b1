import { Refusal } from './reading.ts';

const LONGEST_ID = 500;

/**
 * Ids: one text with commas between them, or a list as bodies have it. Blank ones are none, and where there are none nothing
 * is asked of ids: clients send an empty list where a search has no such condition, as a parameter or as a member alike.
 */
export function readIds(given: string | readonly string[]): readonly string[] | undefined | Refusal {
  const ids = typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given;
  const told = [...new Set(ids.filter((id) => id.trim() !== ''))];
  if (told.some((id) => id.length > LONGEST_ID)) return new Refusal(`Ids have ${LONGEST_ID} characters at most.`);
  return told.length === 0 ? undefined : told;
}
