import { DomainError } from '../errors.ts';
import { countOf } from '../values.ts';

const RETRY_AFTER_SECONDS = 60;

/** The error for too many unfinished jobs of a kind. `ofWhom` names the counted callers; default: all callers. */
export function tooManyJobs(op: string, mostOpen: number, ofWhom = ''): DomainError {
  const jobs = `${countOf(mostOpen, 'job')} of the kind "${op}" ${mostOpen === 1 ? 'is' : 'are'}`;
  const text = `${jobs} unfinished${ofWhom}, which is the maximum; retry later.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
