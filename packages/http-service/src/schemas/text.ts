import { z } from 'zod';

/** True when text holds no NUL and no lone surrogate: what PostgreSQL and UTF-8 can store. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Text of a request: well formed, at most `max` characters, not blank unless `max` alone is asked for. */
export function text(max: number): z.ZodType<string> {
  return z
    .string('Not a valid string.')
    .min(1, 'This field may not be blank.')
    .max(max, `Ensure this field has no more than ${max} characters.`)
    .refine(isStorable, 'Characters that cannot be stored (NUL or a lone surrogate) are not allowed.');
}

const DIGITS = /^\d{1,10}$/;
/** Largest value of PostgreSQL's `integer`, the type of ids. */
const INT4_MAX = 2_147_483_647;

/** Decimal text of a query -> integer within [min, max]; anything else is refused, never clamped. */
export function integerText(min: number, max = INT4_MAX): z.ZodType<number, string> {
  return z
    .string()
    .regex(DIGITS, 'A valid integer is required.')
    .transform(Number)
    .pipe(z.int().min(min, `Must be at least ${min}.`).max(max, `Must be at most ${max}.`));
}

/** `true`/`false`, `1`/`0` as text -> boolean. */
export const booleanText: z.ZodType<boolean, string> = z
  .enum(['true', 'false', '1', '0'], 'Must be true or false.')
  .transform((value) => value === 'true' || value === '1')
  .pipe(z.boolean());
