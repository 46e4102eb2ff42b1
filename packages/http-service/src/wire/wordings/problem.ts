import type { ErrorCode } from '@headwater/core';
import { z } from 'zod';
import { STATUS_OF } from '../status.ts';
import type { WireError } from '../wire-error.ts';
import { JSON_TYPE, type Wording, type WordingContext } from './wording.ts';

/** Member with the text of an error. */
export type TextMember = 'detail' | 'error' | 'message';

/** Codes of `STATUS_OF`. */
export const CodeMember = z
  .enum(Object.keys(STATUS_OF) as ErrorCode[])
  .meta({ id: 'ErrorCode', description: 'Stable error code.' });

const MEMBERS = {
  type: z.string(),
  title: z.string(),
  status: z
    .union([z.int(), z.enum(['error', 'failed'])])
    .describe('HTTP status as a number; on computing routes, `error` or `failed`.'),
  code: CodeMember,
  detail: z.string(),
  request_id: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
};

const SAME = z.string().describe('Same text as `detail`.');

/** Problem details (RFC 9457). The media type is `application/json`, because existing clients parse only JSON. */
const Problem = z.looseObject(MEMBERS).meta({ id: 'Problem' });

const ProblemWithError = z
  .looseObject({
    ...MEMBERS,
    error: SAME,
    success: z.literal(false).optional().describe('Present only on routes whose existing clients read it.'),
  })
  .meta({ id: 'ProblemWithError' });

const ComputeProblem = z.looseObject({ ...MEMBERS, error: SAME, message: SAME }).meta({ id: 'ComputeProblem' });

const OWN = new Set(['type', 'title', 'code', 'detail', 'error', 'message', 'request_id']);

/** Members of an error format. */
export interface ProblemForm {
  /** Members with the text, in their order in the body. */
  readonly texts: readonly TextMember[];
  /** Added or replaced members. */
  readonly change?: Readonly<Record<string, unknown>>;
}

/**
 * Members of problem details (RFC 9457). Each faulty field is in `errors` and, unless its name is taken, also a
 * top-level member. `members` of the error may replace `status` and `errors`.
 */
export function problemMembers(
  { status, code, title, message, fields, members }: WireError,
  { requestId }: WordingContext,
  { texts, change = {} }: ProblemForm,
): Record<string, unknown> {
  const named = Object.fromEntries(texts.map((name) => [name, message]));
  const own = { type: 'about:blank', title, status, code, ...named, request_id: requestId };
  const flat = Object.entries(fields).filter(([name]) => !(name in own) && !OWN.has(name) && name !== '__proto__');
  const errors = Object.keys(fields).length === 0 ? {} : { errors: fields };
  const more = Object.entries(members).filter(([name]) => !OWN.has(name));
  return { ...Object.fromEntries(flat), ...own, ...change, ...errors, ...Object.fromEntries(more) };
}

function problemWith(schema: z.ZodType, form: ProblemForm): Wording {
  return {
    mediaType: JSON_TYPE,
    schema,
    render: (error, context) => JSON.stringify(problemMembers(error, context, form)),
  };
}

/** Problem details with the text in `detail`. */
export const problem = problemWith(Problem, { texts: ['detail'] });

/** Error format for clients that read `error` or `detail`. */
export const withError = problemWith(ProblemWithError, { texts: ['detail', 'error'] });

/** Error format for clients that read `detail`, `error` or `message`, and `status` as a text. */
export const compute = problemWith(ComputeProblem, {
  texts: ['detail', 'error', 'message'],
  change: { status: 'error' },
});

/** Error format of the operation that logs out: its clients read `success` and `error`. */
export const success = problemWith(ProblemWithError, { texts: ['detail', 'error'], change: { success: false } });

/** Error format of the STAC API: problem details with the text in `description`. */
export const stac: Wording = {
  mediaType: JSON_TYPE,
  schema: z
    .looseObject({
      code: CodeMember,
      description: z.string().describe('Problem and remedy; names a wrong parameter.'),
      status: z.int(),
      request_id: z.string(),
      errors: z.record(z.string(), z.array(z.string())).optional(),
    })
    .meta({ id: 'StacProblem' }),
  render: (error, context) =>
    JSON.stringify(problemMembers(error, context, { texts: [], change: { description: error.message } })),
};
