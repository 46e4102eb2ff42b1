import { z } from 'zod';

const YEAR_WORDS = 'A year is a whole number, e.g. 2022';

/** An integer, or its digits as text; '' and null are refused, unlike with coercion. */
const wholeNumber = (message: string) =>
  z.union(
    [
      z.int(),
      z
        .string()
        .regex(/^\s*\d{1,9}\s*$/, message)
        .transform(Number),
    ],
    {
      error: (issue) =>
        issue.input === undefined
          ? 'This field is required.'
          : issue.input === null
            ? 'This field may not be null.'
            : message,
    },
  );

const placeName = z
  .string({
    error: (issue) =>
      issue.input === undefined
        ? 'This field is required.'
        : issue.input === null
          ? 'This field may not be null.'
          : 'Not a valid string.',
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

/**
 * Body of `POST /api/v1/lulc_for_tehsil/`: `block` may be called `tehsil`, `eo_account_id` `gee_account_id`; numbers may be digits in text.
 * Other members (`version`, `wait`, `execution_id`, ...) are ignored.
 */
export const lulcRequestSchema: z.ZodType<LulcRequest> = z
  .object({
    state: placeName,
    district: placeName,
    block: placeName.optional(),
    tehsil: placeName.optional(),
    start_year: wholeNumber(YEAR_WORDS),
    end_year: wholeNumber(YEAR_WORDS),
    eo_account_id: wholeNumber('eo_account_id must be an integer.').optional(),
    gee_account_id: wholeNumber('gee_account_id must be an integer.').optional(),
  })
  .transform((body, context): LulcRequest => {
    const { state, district, block = body.tehsil, eo_account_id: eoAccountId = body.gee_account_id } = body;
    if (block === undefined) context.addIssue({ code: 'custom', path: ['block'], message: 'This field is required.' });
    if (eoAccountId === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['eo_account_id'],
        message: 'eo_account_id is required (gee_account_id is accepted too).',
      });
    }
    if (block === undefined || eoAccountId === undefined) return z.NEVER;
    return { state, district, block, startYear: body.start_year, endYear: body.end_year, eoAccountId };
  });
