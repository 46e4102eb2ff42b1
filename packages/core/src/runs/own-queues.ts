import type { Adoption, Run, RunFailure } from '../ports/runs.ts';
import { isClaimable } from './transitions.ts';

/** Name prefix of a queue from which only one process claims runs. */
const OWN_QUEUE = 'algorithm-';

/** Pattern of the names of queues from which only one process claims runs. */
export const OWN_QUEUES = `^${OWN_QUEUE}`;

/** Name of the queue of the process with this name. */
export const ownQueue = (name: string): string => OWN_QUEUE + name;

/** True for a queue from which only one process claims runs. If that process dies, the queue's runs are abandoned. */
export const isOwnQueue = (queue: string): boolean => queue.startsWith(OWN_QUEUE);

/**
 * Claimable runs in the own queues of dead processes. A worker adopts these runs. The process of a queue counts as
 * alive if, in the last `silentMs`, one of the queue's runs was created, had a valid lease, or finished.
 */
export function adoptable(runs: readonly Run[], { pipelines, silentMs }: Adoption, nowMs: number): readonly Run[] {
  const own = runs.filter(({ backend, queue }) => backend === 'local' && isOwnQueue(queue));
  const isSign = (at: string | null): boolean => at !== null && Date.parse(at) > nowMs - silentMs;
  const living = own.filter((run) => [run.createdAt, run.leaseUntil, run.finishedAt].some(isSign));
  const queues = new Set(living.map(({ queue }) => queue));
  return own.filter((run) => isClaimable(run, nowMs) && pipelines.includes(run.pipeline) && !queues.has(run.queue));
}

/**
 * Pattern of the pipeline names of imports. No worker has such a pipeline: the process that imports a file claims the
 * import's run itself.
 */
export const IMPORT_PIPELINE = '^import_[a-z]+:';
const PATTERN = new RegExp(IMPORT_PIPELINE);

/** Failure of an import whose process died. */
export const ABANDONED_IMPORT: RunFailure = {
  code: 'unavailable',
  message:
    'The process that imported the file ended before the import was complete; nothing was stored. Import the file again.',
};

/** True for the run that imports a file. */
export const isImport = ({ pipeline }: Pick<Run, 'pipeline'>): boolean => PATTERN.test(pipeline);

/**
 * True for an import whose process died: the run's lease has expired, or the run was not claimed within `queuedMs`. A
 * living process claims the run of its import immediately.
 */
export function isAbandonedImport(run: Run, nowMs: number, queuedMs: number): boolean {
  if (!isImport(run) || !isClaimable(run, nowMs)) return false;
  return run.state === 'running' || Date.parse(run.createdAt) <= nowMs - queuedMs;
}
