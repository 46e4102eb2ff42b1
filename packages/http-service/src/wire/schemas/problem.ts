import { z } from 'zod';

/**
 * Error body: problem details (RFC 9457) plus the members that clients of the live system read. Sent as
 * `application/json`, because those clients only parse bodies of exactly that type. Field messages also stand flat,
 * beside `errors`, under the field's own name.
 */
export const Problem = z
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
