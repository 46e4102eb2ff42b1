import { DomainError, type Run } from '@headwater/core';
import { hasEnded } from '@headwater/core/runs';
import type { Ports } from '../../../deps.ts';

/** Until when somebody waits, and where he looks afterwards. */
export interface Patience {
  /** Aborts when he leaves. */
  readonly left: AbortSignal;
  readonly look: string;
}

/** The run as it ended; the run itself goes on whoever leaves. Throws `unavailable` when the service closes first. */
export async function endedRun(
  run: Run,
  { left, look }: Patience,
  { runs, closing }: Ports<'runs' | 'closing'>,
): Promise<Run> {
  if (hasEnded(run)) return run;
  const signal = AbortSignal.any([left, closing]);
  try {
    return await runs.waitFor(run.id, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new DomainError('unavailable', `The service is closing; the run goes on, look at ${look} later`, { cause });
  }
}
