import { z } from 'zod';

const REQUIRED = 'This field is required.';
const NOT_NULL = 'This field may not be null.';
const ACCOUNT_REQUIRED = 'eo_account_id is required (gee_account_id is accepted too).';
const YEAR_WORDS = 'A year is a whole number, e.g. 2022';

/** An integer, or its digits as text; '' and null are refused, unlike with coercion. */
const wholeNumber = (message: string) =>
  z.union(
    [
      z.int(message),
      z
        .string()
        .regex(/^\s*\d{1,9}\s*$/, message)
        .transform(Number),
    ],
    {
      error: (issue) => (issue.input === undefined ? REQUIRED : issue.input === null ? NOT_NULL : message),
    },
  );

const placeName = z
  .string({
    error: (issue) => (issue.input === undefined ? REQUIRED : issue.input === null ? NOT_NULL : 'Not a valid string.'),
  })
  .max(200, 'At most 200 characters.')
  .refine((name) => name.trim() !== '', 'This field may not be blank.');

/** What a land-cover request asks for, names as given. */
export interface LulcRequest {
  readonly state: string;
  readonly district: string;
  readonly block: string;
  /** First and last hydrological year (1 July Y .. 30 June Y+1), both included. */
  readonly startYear: number;
  readonly endYear: number;
  readonly eoAccountId: number;
}

interface Aliased {
  readonly block?: unknown;
  readonly tehsil?: unknown;
  readonly eo_account_id?: unknown;
  readonly gee_account_id?: unknown;
}

/** Adds what is wrong with the members that have two names: neither given, or two values. */
function nameAliases(body: Aliased, context: z.RefinementCtx): void {
  const pairs = [
    ['block', body.block, body.tehsil, REQUIRED],
    ['eo_account_id', body.eo_account_id, body.gee_account_id, ACCOUNT_REQUIRED],
  ] as const;
  for (const [name, given, alias, required] of pairs) {
    if (given == null && alias == null) {
      const isNull = given === null || alias === null;
      context.addIssue({ code: 'custom', path: [name], message: isNull ? NOT_NULL : required });
    } else if (given != null && alias != null && textOf(given) !== textOf(alias)) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `Given under two names with two values; send ${name} only.`,
      });
    }
  }
}

// '1' and 1 are one account, 'Sila' and 'sila ' one block.
const textOf = (value: unknown): string => String(value).trim().toLowerCase();

/**
 * Body of `POST /api/v1/lulc_for_tehsil/`: `block` may be called `tehsil`, `eo_account_id` `gee_account_id`; numbers may be digits in text.
 * Other members (`version`, `wait`, `execution_id`, ...) are ignored.
 */
export const lulcRequestSchema: z.ZodType<LulcRequest> = z
  .object({
    state: placeName,
    district: placeName,
    block: placeName.nullish(),
    tehsil: placeName.nullish(),
    start_year: wholeNumber(YEAR_WORDS),
    end_year: wholeNumber(YEAR_WORDS),
    eo_account_id: wholeNumber('eo_account_id must be an integer.').nullish(),
    gee_account_id: wholeNumber('gee_account_id must be an integer.').nullish(),
  })
  // Also where another member is wrong, so that one answer names every field.
  .superRefine(nameAliases, {
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .transform((body): LulcRequest => {
    const { state, district, start_year: startYear, end_year: endYear } = body;
    const block = body.block ?? body.tehsil;
    const eoAccountId = body.eo_account_id ?? body.gee_account_id;
    if (block == null || eoAccountId == null) return z.NEVER;
    return { state, district, block, startYear, endYear, eoAccountId };
  });
