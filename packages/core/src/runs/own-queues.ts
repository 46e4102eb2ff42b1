import type { Adoption, Run } from '../ports/runs.ts';
import { isClaimable } from './transitions.ts';

/** Name prefix of a queue that only one process takes from. */
const OWN_QUEUE = 'algorithm-';

/** Pattern of the names of such queues. */
export const OWN_QUEUES = `^${OWN_QUEUE}`;

/** The queue of the process with this name. */
export const ownQueue = (name: string): string => OWN_QUEUE + name;

/** True for a queue that only one process takes from; its runs are abandoned when that process dies. */
export const isOwnQueue = (queue: string): boolean => queue.startsWith(OWN_QUEUE);

/** Runs that an adoption takes. */
export function adoptable(runs: readonly Run[], { pipelines, silentMs }: Adoption, nowMs: number): readonly Run[] {
  const own = runs.filter(({ backend, queue }) => backend === 'local' && isOwnQueue(queue));
  const isSign = (at: string | null): boolean => at !== null && Date.parse(at) > nowMs - silentMs;
  const living = own.filter((run) => [run.createdAt, run.leaseUntil, run.finishedAt].some(isSign));
  const queues = new Set(living.map(({ queue }) => queue));
  return own.filter((run) => isClaimable(run, nowMs) && pipelines.includes(run.pipeline) && !queues.has(run.queue));
}
