import { DomainError, type Run } from '@headwater/core';
import { hasEnded } from '@headwater/core/runs';
import type { Ports } from '../../../deps.ts';

/** Signal of a client that waits for a run, and the address for later requests. */
export interface WaitOptions {
  /** Aborts when the client disconnects. */
  readonly left: AbortSignal;
  readonly address: string;
}

/**
 * Waits for the end of a run. Throws `unavailable` if the client disconnects or the service closes; the run then
 * continues.
 */
export async function endedRun(
  run: Run,
  { left, address }: WaitOptions,
  { runs, closing }: Ports<'runs' | 'closing'>,
): Promise<Run> {
  if (hasEnded(run)) return run;
  const signal = AbortSignal.any([left, closing]);
  try {
    return await runs.waitFor(run.id, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new DomainError('unavailable', `The service is closing; the run continues. Later, request ${address}.`, {
      cause,
    });
  }
}
