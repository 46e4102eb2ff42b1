/** Ids with commas between them; blank ones are none. */
export function readIdsText(text: string): readonly string[] | undefined {
  const ids = idsOf(text);
  return ids.length === 0 ? undefined : ids;
}

/** A list of a body, or one text, as some clients send a single id. */
export function readIds(given: string | readonly string[]): readonly string[] {
  return [...new Set(typeof given === 'string' ? idsOf(given) : given)];
}

function idsOf(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}
