import { z } from 'zod';
import { JSON_TYPE, type Wording } from './wording.ts';

/** Bodies of the work service (wire-contract 6.1): the text alone, under `detail`. */
export const work: Wording = {
  mediaType: JSON_TYPE,
  schema: z.object({ detail: z.string() }).meta({ id: 'WorkProblem' }),
  render: ({ message }) => JSON.stringify({ detail: message }),
};
