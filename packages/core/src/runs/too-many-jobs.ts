import { DomainError } from '../errors.ts';

/** Seconds after which whoever was refused may ask again. */
const ASK_AGAIN_SECONDS = 60;

/** The refusal of one unfinished job of a kind more than there may be. */
export function tooManyJobs(op: string, mostOpen: number): DomainError {
  const text = `${mostOpen} jobs of the kind "${op}" are unfinished, which is the most at a time; ask again later.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: ASK_AGAIN_SECONDS } });
}
