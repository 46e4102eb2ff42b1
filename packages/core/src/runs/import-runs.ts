import type { Run, RunFailure } from '../ports/runs.ts';
import { isClaimable } from './transitions.ts';

/** Pattern of pipeline names of imports. No worker has such a pipeline; only the process that imports the file claims its run. */
export const IMPORT_PIPELINE = '^import_[a-z]+:';
const PATTERN = new RegExp(IMPORT_PIPELINE);

/** Failure of an import whose process died. */
export const ABANDONED_IMPORT: RunFailure = {
  code: 'unavailable',
  message: 'The process that imported the file ended before it was done; nothing was stored. Import the file again.',
};

/** True for the run that imports a file. */
export const isImport = ({ pipeline }: Pick<Run, 'pipeline'>): boolean => PATTERN.test(pipeline);

/** True for an import whose process died: its lease is over, or it was not claimed within `queuedMs` (a living process claims at once). */
export function isAbandonedImport(run: Run, nowMs: number, queuedMs: number): boolean {
  if (!isImport(run) || !isClaimable(run, nowMs)) return false;
  return run.state === 'running' || Date.parse(run.createdAt) <= nowMs - queuedMs;
}
