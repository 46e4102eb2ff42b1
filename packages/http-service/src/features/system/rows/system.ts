import { Health } from '../../../health/create-health.ts';
import { ok } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { healthFor } from '../handlers/health-for.ts';
import { referenceOperations } from './reference.ts';

const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: paths.health,
  auth: 'public',
  tag: 'system',
  summary: 'Returns the state of each part; 503 if a part fails',
  description:
    'Responds within a second, whatever the state of the parts. A superuser with a bearer token also gets details: versions, ' +
    'free space, reasons. All other callers, also those with an invalid token, get only the states. While the service closes, the status is 503.',
  responses: {
    200: ok('All required parts work', Health),
    503: ok('A required part fails; `parts` names it.', Health),
  },
  errors: [],
  noStore: true,
  isAnsweredWhileClosing: true,
  usesReserve: true,
  examples: [{ name: 'now', status: 200 }],
  async handler({ headers }, deps) {
    const report = await healthFor(headers, deps);
    return json(report.status === 'failing' ? 503 : 200, report);
  },
});

/** Operations of the service itself. */
export const systemOperations = [...referenceOperations, getHealth] satisfies readonly Operation[];
