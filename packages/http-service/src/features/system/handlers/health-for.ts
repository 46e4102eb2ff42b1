import { authenticate } from '@headwater/identity';
import { within } from '@headwater/core/timing';
import type { Ports } from '../../../deps.ts';
import { type HealthReport, withoutDetails } from '../../../health/create-health.ts';
import type { ServiceRequest } from '../../../seam/request.ts';

/** How long the caller's account is looked for, ms: a database that hangs must not hold health back. */
const PATIENCE_MS = 700;

/** The report as its caller may see it. */
export async function healthFor(
  headers: ServiceRequest['headers'],
  deps: Ports<'auth' | 'healthDetails' | 'timers'>,
): Promise<HealthReport> {
  const [report, isSuperuser] = await Promise.all([deps.healthDetails(), asksSuperuser(headers, deps)]);
  return isSuperuser ? report : withoutDetails(report);
}

async function asksSuperuser(
  headers: ServiceRequest['headers'],
  { auth, timers }: Ports<'auth' | 'timers'>,
): Promise<boolean> {
  if (headers['authorization'] === undefined) return false;
  let isSuperuser = false;
  const look = authenticate('bearer', headers, auth).then(
    ({ user }) => void (isSuperuser = user.isSuperuser),
    // Whatever is wrong with the token: health refuses nobody.
    () => {},
  );
  await within(timers, PATIENCE_MS, look);
  return isSuperuser;
}
