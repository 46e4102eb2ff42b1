import { z } from 'zod';
import type { WireError } from '../wire-error.ts';
import { JSON_TYPE, type Wording, type WordingContext } from './wording.ts';

/**
 * Error body: problem details (RFC 9457) plus the members that clients of the live system read. Sent as
 * `application/json`, because those clients only parse bodies of exactly that type. Field messages also stand flat,
 * beside `errors`, under the field's own name.
 */
const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.union([z.int(), z.enum(['error', 'failed'])]).describe('Number, or the wire text on computing routes.'),
    code: z.string().describe('Stable code of the failure.'),
    detail: z.string(),
    error: z.string().describe('Same text as `detail`.'),
    message: z.string().describe('Same text as `detail`.'),
    request_id: z.string(),
    success: z.literal(false).optional().describe('On routes whose clients read it.'),
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({ id: 'Problem' });

/** Members that say what the failure is; neither a field nor a detail replaces them. */
const OWN = new Set(['type', 'title', 'code', 'detail', 'error', 'message', 'request_id']);

/**
 * Members of problem details (RFC 9457) with those that clients of the live system read; fields also stand flat. `change`
 * replaces or adds members of a wording; details may refine `status` (a failed run) and add members.
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

/** Problem details with the members that clients of the live system read. */
export const problem = problemWith();

/** The same for computing rows: `status` holds the wire's text. */
export const compute = problemWith({ status: 'error' });

/** The same with `success: false`, as signing out answers. */
export const success = problemWith({ success: false });

/** Bodies of the STAC API: `code` and `description`, as its specification has them, beside the members of problem details. */
export const stac: Wording = {
  mediaType: JSON_TYPE,
  schema: z
    .looseObject({
      code: z.string().describe('Stable code of the failure.'),
      description: z.string().describe('The parameter at fault, its problem and the remedy.'),
      status: z.int(),
      error: z.string().describe('Same text as `description`.'),
      request_id: z.string(),
      errors: z.record(z.string(), z.array(z.string())).optional(),
    })
    .meta({ id: 'StacProblem' }),
  render: (error, context) => JSON.stringify(problemMembers(error, context, { description: error.message })),
};
