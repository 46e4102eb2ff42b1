/** Fields whose name on the wire is another word than in the domain. */
const OTHER_WORD: Readonly<Record<string, string>> = { tehsil: 'block' };

/**
 * Name of a domain field on the wire: `tehsil` -> `block`, `eoAccountId` -> `eo_account_id`. Names that are on the wire already, and texts
 * that are not camelCase, stay unchanged.
 */
export function wireName(name: string): string {
  if (Object.hasOwn(OTHER_WORD, name)) return OTHER_WORD[name] ?? name;
  return /^[a-z][A-Za-z0-9]*$/.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
}

/** The same members with their names on the wire. */
export function wireNames(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [wireName(name), value]));
}
