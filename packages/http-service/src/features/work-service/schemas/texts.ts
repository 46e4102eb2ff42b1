const LONGEST = 200;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?$/i;

/** Removes the quotes and spaces that orchestrators add around a text. */
export function unquoted(text: string): string {
  const plain = text.trim();
  const [, inner = plain] = /^(?:"(.*)"|'(.*)')$/s.exec(plain)?.filter((part) => part !== undefined) ?? [];
  return inner.trim();
}

/** True if a member is present, and neither null nor a blank text. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && unquoted(value) === '');

/** Reads a number or its decimal text; undefined for other values. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > LONGEST) return undefined;
  const text = unquoted(value);
  return NUMBER.test(text) ? Number(text) : undefined;
}

/** Reads the first year of a hydrological year, such as 2021, "2021", "2021-2022" or "2021-22"; otherwise undefined. */
export function yearOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > LONGEST) return undefined;
  const text = unquoted(value);
  const alone = /^(\d{4})(?:\.0*)?$/.exec(text)?.[1];
  if (alone !== undefined) return Number(alone);
  const [, first, second] = /^(\d{4})\s?[-_/]\s?(\d{2}|\d{4})$/.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const next = String(Number(first) + 1);
  return second === next || second === next.slice(-2) ? Number(first) : undefined;
}

/** True and false as browsers, Python and shells write them. */
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** Reads true or false, also as text in any case; undefined for other values. */
export const booleanOf = (value: unknown): boolean | undefined =>
  BOOLEANS.get(typeof value === 'string' ? unquoted(value).toLowerCase() : value);

/** Formats a value for a message: short, on one line. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`;
}
