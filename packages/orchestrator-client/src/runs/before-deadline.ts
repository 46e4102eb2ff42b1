import { invalidRequest, isOrchestratorError } from '../errors.ts';
import type { Work } from './work.ts';

/** Said of work that the deadline cut off. */
export const LATE = Symbol('late');

/** How long somebody waits. */
export interface Limits {
  /** Ends the wait, not the run. */
  readonly signal?: AbortSignal | undefined;
  /** The last moment of the wait, by this machine's clock; the run goes on after it. */
  readonly deadline?: Date | undefined;
}

/** Does `task` until the deadline, by the client's clock, and then aborts what it has under way; LATE = it did not end before. */
export async function beforeDeadline<T>(
  { settings: { clock } }: Work,
  { signal, deadline }: Limits,
  task: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T | typeof LATE> {
  if (deadline === undefined) return task(signal);
  const left = msLeft(deadline, clock.now());
  if (left <= 0) return LATE;
  const [stop, done] = [new AbortController(), new AbortController()];
  const abort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  let isLate = false;
  const watchClock = async (): Promise<void> => {
    await clock.sleep(left, done.signal);
    isLate = true;
    stop.abort(new Error('the deadline has passed'));
  };
  void watchClock().catch(() => undefined);
  try {
    return await task(stop.signal);
  } catch (error) {
    if (isLate && isOrchestratorError(error, 'aborted')) return LATE;
    throw error;
  } finally {
    done.abort();
    signal?.removeEventListener('abort', abort);
  }
}

/** Milliseconds from `now` to the deadline; throws `invalid_request` for a date that is none. */
export function msLeft(deadline: Date, now: number): number {
  const left = deadline.getTime() - now;
  if (Number.isNaN(left)) throw invalidRequest('deadline', 'is no date; give a Date of a moment that exists');
  return left;
}
