import { DomainError } from '../errors.ts';

const RETRY_AFTER_SECONDS = 60;

/** The error for too many unfinished jobs of a kind. `ofWhom` names the counted callers; default: all callers. */
export function tooManyJobs(op: string, mostOpen: number, ofWhom = ''): DomainError {
  const text = `${mostOpen} jobs of the kind "${op}" are unfinished${ofWhom}, which is the maximum; retry later.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
