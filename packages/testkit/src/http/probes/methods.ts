import { fieldsBody, type Operation } from '@headwater/http-service';
import { z } from 'zod';
import { ANY, PROBE } from './shared.ts';

/** Test operations with the same path, one each for PUT, PATCH and DELETE. */
export function methodProbes(): readonly Operation[] {
  return (['PUT', 'PATCH', 'DELETE'] as const).map((method): Operation => ({
    ...PROBE,
    id: `probe${method}`,
    method,
    path: '/probe/methods/:id/',
    params: z.object({ id: z.string() }),
    body: fieldsBody(z.unknown()),
    responses: { 200: ANY },
    handler: ({ params, body, method: used }) => ({ status: 200, json: { params, body, method: used } }),
  }));
}
