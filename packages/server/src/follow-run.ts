import type { Logger } from '@headwater/core';
import type { Run } from '@headwater/core';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { createProgressBar, type Showing } from '@headwater/stac-cli/terminal';

/** Output for a run's progress, and the signal that ends the output. */
export interface Following extends Showing<Logger> {
  readonly signal: AbortSignal;
}

/**
 * Shows a run's progress under a title until the run ends. `what` is the name of the run in the last line. Rejects if
 * the signal aborts first.
 */
export async function followRun(
  { runs }: Pick<Headwater, 'runs'>,
  { run, title, what }: { readonly run: Run; readonly title: string; readonly what: string },
  { signal, ...showing }: Following,
): Promise<Run> {
  const bar = createProgressBar(title, showing);
  try {
    for await (const event of runs.subscribe(run.id, 0, signal)) {
      const { progress, step } = event.data;
      if (event.kind === 'progress' && typeof progress === 'number')
        bar.update(progress, typeof step === 'string' ? step : '');
    }
    const ended = await runs.waitFor(run.id, signal);
    bar.done(closing(ended, what));
    return ended;
  } finally {
    bar.end();
  }
}

/** Seconds from the first claim of a run to its end; 0 if it has not started or not ended. */
export function secondsOf({ startedAt, finishedAt }: Run): number {
  return startedAt === null || finishedAt === null ? 0 : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
}

function closing(run: Run, what: string): string {
  if (run.state !== 'success') return `${what} failed: ${run.error?.message ?? run.state}`;
  return `${what} is done in ${secondsOf(run).toFixed(1)} s (run ${run.id})`;
}
