import { authenticate } from '@headwater/identity';
import { within } from '@headwater/core/timing';
import { Health, type HealthReport, withoutDetails } from '../../../health/create-health.ts';
import { ok } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { guideOperations } from './guide.ts';
import { referenceOperations } from './reference.ts';
import type { Ports } from '../../../deps.ts';
import type { ServiceRequest } from '../../../seam/request.ts';

const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: paths.health,
  auth: 'public',
  tag: 'system',
  summary: 'Returns the state of each part of the service; 503 if a required part fails',
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
export const systemOperations = [...referenceOperations, ...guideOperations, getHealth] satisfies readonly Operation[];

/** Time limit of the account's look-up, ms. A database that hangs must not delay the health report. */
const ACCOUNT_TIMEOUT_MS = 700;

/** Returns the health report. Only superusers get details. */
async function healthFor(
  headers: ServiceRequest['headers'],
  deps: Ports<'auth' | 'healthDetails' | 'timers'>,
): Promise<HealthReport> {
  const [report, isSuperuser] = await Promise.all([deps.healthDetails(), isSentBySuperuser(headers, deps)]);
  return isSuperuser ? report : withoutDetails(report);
}

async function isSentBySuperuser(
  headers: ServiceRequest['headers'],
  { auth, timers }: Ports<'auth' | 'timers'>,
): Promise<boolean> {
  if (headers['authorization'] === undefined) return false;
  let isSuperuser = false;
  const lookUp = authenticate('bearer', headers, auth).then(
    ({ user }) => void (isSuperuser = user.isSuperuser),
    // Every caller may read the public part, so an invalid token is ignored.
    () => {},
  );
  await within(timers, ACCOUNT_TIMEOUT_MS, lookUp);
  return isSuperuser;
}
