import { z } from 'zod';
import { problemMembers } from './problem.ts';
import { JSON_TYPE, type Wording } from './wording.ts';

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
