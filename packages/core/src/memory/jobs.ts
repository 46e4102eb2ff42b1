import type { Job, JobStore } from '../ports/jobs.ts';
import type { Clock } from '../ports/system.ts';
import { tooManyJobs } from '../runs/too-many-jobs.ts';
import { copy } from './copy.ts';

/** Jobs in memory. */
export function memoryJobs(clock: Clock): JobStore {
  const jobs = new Map<string, Job>();
  const now = (): string => clock.now().toISOString();
  return {
    add: async ({ id, op, params }, { mostOpen, mostEnded, keepMs }) => {
      const oldest = clock.now().getTime() - keepMs;
      for (const job of jobs.values()) if (Date.parse(job.createdAt) < oldest) jobs.delete(job.id);
      const alike = [...jobs.values()].filter((job) => job.op === op);
      for (const job of alike.filter(hasEnded).sort(latestFirst).slice(mostEnded)) jobs.delete(job.id);
      if (alike.filter((job) => !hasEnded(job)).length >= mostOpen) throw tooManyJobs(op, mostOpen);
      jobs.set(id, copy({ id, op, params, outcome: null, createdAt: now(), finishedAt: null }));
    },
    get: async (id) => copy(jobs.get(id)),
    open: async () =>
      [...jobs.values()]
        .filter((job) => !hasEnded(job))
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
        .map(({ id, op, createdAt }) => ({ id, op, createdAt })),
    rename: async (id, to) => {
      const job = jobs.get(id);
      if (job === undefined || hasEnded(job) || jobs.has(to)) return;
      jobs.delete(id);
      jobs.set(to, { ...job, id: to });
    },
    finish: async (id, outcome) => {
      const job = jobs.get(id);
      if (job === undefined) return 'unknown';
      if (job.outcome !== null) return 'finished';
      jobs.set(id, { ...job, outcome: copy(outcome), finishedAt: now() });
      return 'stored';
    },
  };
}

const hasEnded = ({ outcome }: Job): boolean => outcome !== null;

const latestFirst = (a: Job, b: Job): number =>
  (b.finishedAt ?? '').localeCompare(a.finishedAt ?? '') || b.id.localeCompare(a.id);
