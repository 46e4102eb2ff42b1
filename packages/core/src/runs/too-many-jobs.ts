import { DomainError } from '../errors.ts';

/** Seconds after which whoever was refused may ask again. */
const ASK_AGAIN_SECONDS = 60;

/** The refusal of one unfinished job more than there may be. */
export function tooManyJobs(mostOpen: number): DomainError {
  const text = `${mostOpen} jobs are unfinished, which is the most at a time; ask again later.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: ASK_AGAIN_SECONDS } });
}
