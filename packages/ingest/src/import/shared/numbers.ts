const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
/** How people and programs write that a value is not known. */
const UNKNOWN = /^(nan|na|n\/a|none|null|nat|[+-]?inf(inity)?)$/i;

/** The number that a text writes; undefined for anything else, and for one that is not finite. */
export function decimal(text: string): number | undefined {
  const number = DECIMAL.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Whether a text says that a value is not known. */
export const isUnknown = (text: string): boolean => UNKNOWN.test(text.trim());

/** The same for texts, which may be names: only what programs write. */
export const isUnknownText = (text: string): boolean => ['nan', 'NaN', 'None', 'NaT'].includes(text.trim());
