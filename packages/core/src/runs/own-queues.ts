import type { Adoption, Run, RunFailure } from '../ports/runs.ts';
import { isClaimable } from './transitions.ts';

const OWN_QUEUE = 'algorithm-';

/** Pattern of the names of queues from which only one process claims runs. */
export const OWN_QUEUES = `^${OWN_QUEUE}`;

/**
 * Returns the name of the queue of a process that computes only one request. `request`: text that identifies the
 * request, such as a digest.
 */
export const ownQueue = (request: string): string => OWN_QUEUE + request;

/** Returns true for the own queue of a process. */
export const isOwnQueue = (queue: string): boolean => queue.startsWith(OWN_QUEUE);

/**
 * Returns the claimable runs in the own queues of dead processes. A process counts as dead if its queue had no activity
 * in the last `silentMs`.
 */
export function adoptable(runs: readonly Run[], { pipelines, silentMs }: Adoption, nowMs: number): readonly Run[] {
  const own = runs.filter(({ backend, queue }) => backend === 'local' && isOwnQueue(queue));
  const isSign = (at: string | null): boolean => at !== null && Date.parse(at) > nowMs - silentMs;
  const living = own.filter((run) => [run.createdAt, run.leaseUntil, run.finishedAt].some(isSign));
  const queues = new Set(living.map(({ queue }) => queue));
  return own.filter((run) => isClaimable(run, nowMs) && pipelines.includes(run.pipeline) && !queues.has(run.queue));
}

/** Pattern of the pipeline names of imports, whose runs the importing process claims itself. */
export const IMPORT_PIPELINE = '^import_[a-z]+:';
const PATTERN = new RegExp(IMPORT_PIPELINE);

/** Failure of an import whose process died. */
export const ABANDONED_IMPORT: RunFailure = {
  code: 'unavailable',
  message:
    'The process that imported the file ended before the import was complete; nothing was stored. Import the file again.',
};

/** Returns true for the run that imports a file. */
export const isImport = ({ pipeline }: Pick<Run, 'pipeline'>): boolean => PATTERN.test(pipeline);

/** Returns true for an import with an expired lease, or not claimed within `queuedMs`. */
export function isAbandonedImport(run: Run, nowMs: number, queuedMs: number): boolean {
  if (!isImport(run) || !isClaimable(run, nowMs)) return false;
  return run.state === 'running' || Date.parse(run.createdAt) <= nowMs - queuedMs;
}
