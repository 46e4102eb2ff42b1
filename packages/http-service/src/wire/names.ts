const OTHER_WORD: Readonly<Record<string, string>> = { tehsil: 'block' };

/**
 * Name of a domain field on the wire: `tehsil` -> `block`, `eoAccountId` -> `eo_account_id`. Other texts are unchanged.
 */
export function wireName(name: string): string {
  if (Object.hasOwn(OTHER_WORD, name)) return OTHER_WORD[name] ?? name;
  return /^[a-z][A-Za-z0-9]*$/.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
}

/** Converts the names of members to their names on the wire. */
export function wireNames(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [wireName(name), value]));
}
