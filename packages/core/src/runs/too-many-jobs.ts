import { DomainError } from '../errors.ts';

const RETRY_AFTER_SECONDS = 60;

/** The error for too many unfinished jobs of a kind. `ofWhom` names the counted callers; default: all callers. */
export function tooManyJobs(op: string, mostOpen: number, ofWhom = ''): DomainError {
  const jobs = mostOpen === 1 ? `1 job of the kind "${op}" is` : `${mostOpen} jobs of the kind "${op}" are`;
  const text = `${jobs} unfinished${ofWhom}, which is the maximum; retry later.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
