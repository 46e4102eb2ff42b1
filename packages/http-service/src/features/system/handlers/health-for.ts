import { authenticate } from '@headwater/identity';
import { within } from '@headwater/core/timing';
import type { Ports } from '../../../deps.ts';
import { type HealthReport, withoutDetails } from '../../../health/create-health.ts';
import type { ServiceRequest } from '../../../seam/request.ts';

/** Timeout of the look-up of the caller's account, ms: a database that hangs must not delay the health report. */
const ACCOUNT_TIMEOUT_MS = 700;

/** Returns the health report with details for superusers only. */
export async function healthFor(
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
    // Health answers every caller, also one with an invalid token.
    () => {},
  );
  await within(timers, ACCOUNT_TIMEOUT_MS, lookUp);
  return isSuperuser;
}
