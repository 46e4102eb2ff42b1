import { z } from 'zod';
import type { WireError } from '../wire-error.ts';
import { JSON_TYPE, type Wording, type WordingContext } from './wording.ts';

/**
 * Error body: problem details (RFC 9457) plus the members that existing clients read. Sent as `application/json`, because those clients
 * parse only bodies of exactly that type. Field messages are in `errors` and also top-level members under their field names.
 */
const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.union([z.int(), z.enum(['error', 'failed'])]).describe('Number, or a text on computing routes.'),
    code: z.string().describe('Stable error code.'),
    detail: z.string(),
    error: z.string().describe('Same text as `detail`.'),
    message: z.string().describe('Same text as `detail`.'),
    request_id: z.string(),
    success: z.literal(false).optional().describe('On routes whose clients need it.'),
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({ id: 'Problem' });

/** Members that fields and details never replace. */
const OWN = new Set(['type', 'title', 'code', 'detail', 'error', 'message', 'request_id']);

/**
 * Members of problem details (RFC 9457) plus those that existing clients read; fields are also top-level members. `change` replaces or adds
 * members for an error format; details may replace `status` (of a failed run) and add members.
 */
export function problemMembers(
  { status, code, title, message, fields, members }: WireError,
  { requestId }: WordingContext,
  change: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const texts = { detail: message, error: message, message };
  const own = { type: 'about:blank', title, status, code, ...texts, request_id: requestId };
  const flat = Object.entries(fields).filter(([name]) => !(name in own) && name !== '__proto__');
  const errors = Object.keys(fields).length === 0 ? {} : { errors: fields };
  const more = Object.entries(members).filter(([name]) => !OWN.has(name));
  return { ...Object.fromEntries(flat), ...own, ...change, ...errors, ...Object.fromEntries(more) };
}

function problemWith(change?: Readonly<Record<string, unknown>>): Wording {
  return {
    mediaType: JSON_TYPE,
    schema: Problem,
    render: (error, context) => JSON.stringify(problemMembers(error, context, change)),
  };
}

/** Problem details with the members that existing clients read. */
export const problem = problemWith();

/** The same for computing rows: `status` is a text. */
export const compute = problemWith({ status: 'error' });

/** The same with `success: false`, for logout. */
export const success = problemWith({ success: false });

/** Bodies of the STAC API: `code` and `description` by its specification, and the members of problem details. */
export const stac: Wording = {
  mediaType: JSON_TYPE,
  schema: z
    .looseObject({
      code: z.string().describe('Stable error code.'),
      description: z.string().describe('The parameter, its problem and the remedy.'),
      status: z.int(),
      error: z.string().describe('Same text as `description`.'),
      request_id: z.string(),
      errors: z.record(z.string(), z.array(z.string())).optional(),
    })
    .meta({ id: 'StacProblem' }),
  render: (error, context) => JSON.stringify(problemMembers(error, context, { description: error.message })),
};
