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
