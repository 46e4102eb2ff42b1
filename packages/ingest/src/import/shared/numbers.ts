const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
/** Texts that people and programs write for an unknown value. */
const UNKNOWN = /^(nan|na|n\/a|none|null|nat|[+-]?inf(inity)?)$/i;

/** Decimal number; undefined for other texts and infinite numbers. */
export function decimal(text: string): number | undefined {
  const number = DECIMAL.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** True if a text means an unknown value. */
export const isUnknown = (text: string): boolean => UNKNOWN.test(text.trim());

/**
 * True for the spellings of an unknown value that programs write (`nan`, `NaN`, `None`, `NaT`). In text columns, other
 * spellings such as `Na` may be names.
 */
export const isUnknownText = (text: string): boolean => ['nan', 'NaN', 'None', 'NaT'].includes(text.trim());

const UNITS = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['kB', 1024],
] as const;

/** Limit of a size for messages, such as `2 GB`. Units are powers of 1,024; the number is rounded down. */
export function limitText(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${Math.floor(bytes / size)} ${unit}`;
}
