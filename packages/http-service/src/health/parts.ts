import { isDomainError, type RunWorker } from '@headwater/core';
import type { QueueState, RunCounts } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import { failing, type HealthPart, off, ok } from './report.ts';

/** Limits of the free space, bytes: health warns below `warnBytes` and fails below `failBytes`. */
export interface DiskLimits {
  readonly warnBytes: number;
  readonly failBytes: number;
}

/** Default limits. A run writes at most some hundred MB. */
export const DISK_LIMITS: DiskLimits = { warnBytes: 1e9, failBytes: 1e8 };

/** Time without an answer to a claim, ms, after which the queue counts as hanging. */
const HUNG_MS = 15_000;

/** State of the database, tested with a query. */
export async function databasePart(stores: Pick<Stores, 'ping'>): Promise<HealthPart> {
  const { kind, version } = await stores.ping();
  return ok(kind === 'memory' ? 'in memory, lost with the process' : `${kind}, ${version}`);
}

/** State of the worker, derived from the answers of its queue. */
export function workerPart(worker: RunWorker | undefined, now: Date): HealthPart {
  if (worker === undefined) return off('no worker in this process');
  const { stage, queue, active } = worker;
  if (stage === 'not started') return { state: 'starting', detail: 'not started: runs are stored and wait' };
  if (stage === 'stopped') return failing('stopped');
  const { answeredAt, askingSince, failing: refused } = queue;
  const last = answeredAt === undefined ? 'no answer before' : `last answer at ${answeredAt.toISOString()}`;
  if (refused !== undefined)
    return failing(`the queue of runs has failed since ${refused.since.toISOString()} (${last}): ${refused.reason}`);
  if (askingSince !== undefined && now.getTime() - askingSince.getTime() >= HUNG_MS)
    return failing(`the queue of runs has not answered the request of ${askingSince.toISOString()} (${last})`);
  if (answeredAt === undefined) return { state: 'starting', detail: 'the queue of runs has not answered yet' };
  return ok(
    `${active === 0 ? 'idle' : `${active} in progress`}; the queue of runs answered last at ${answeredAt.toISOString()}`,
  );
}

/** Time without a claim while a run waits, ms, after which health warns. It is longer than the restart of a worker. */
const UNSEEN_MS = 30_000;

/** State of the workers in other processes, derived from their queue. */
export function queuePart(queue: string, { waiting, working, oldestAt, claimedAt }: QueueState, now: Date): HealthPart {
  const runs = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);
  const last = claimedAt === null ? 'none was claimed yet' : `the last one was claimed at ${claimedAt}`;
  const summary = `no worker in this process; queue ${queue}: ${runs(working)} in progress, ${waiting} waiting, ${last}`;
  const since = Math.max(Date.parse(oldestAt ?? ''), Date.parse(claimedAt ?? oldestAt ?? ''));
  const silentMs = now.getTime() - since;
  if (waiting === 0 || working > 0 || silentMs < UNSEEN_MS) return off(summary);
  const verb = waiting === 1 ? 'waits' : 'wait';
  return {
    state: 'warning',
    detail: `${runs(waiting)} ${verb} and no worker of queue ${queue} has claimed one for ${Math.round(silentMs / 1000)} s: start \`headwater worker --queue ${queue}\``,
  };
}

/** State of the disk, derived from its free space. */
export function diskPart(free: number, { warnBytes, failBytes }: DiskLimits): HealthPart {
  const detail = `${(free / 1e9).toFixed(1)} GB free`;
  if (free < failBytes) return failing(`${detail}; free some space for results`);
  return free < warnBytes ? { state: 'warning', detail: `${detail}; free some space soon` } : ok(detail);
}

/** State of the scene sources. Missing scenes are only a warning. */
export async function scenesPart(check: () => Promise<string | HealthPart>): Promise<HealthPart> {
  try {
    const found = await check();
    return typeof found === 'string' ? ok(found) : found;
  } catch (error) {
    if (isDomainError(error) && error.code === 'no_scenes') return { state: 'warning', detail: error.message };
    throw error;
  }
}

/** Limits of warnings. With 0 or without a limit, the part is not reported. */
export interface WarningLimits {
  /** Age of the oldest waiting run, ms, from which health warns. */
  readonly queueMs: number;
  /** Age of the last successful backup, ms, from which health warns. */
  readonly backupMs: number;
}

/** The waiting runs, and the end of the last drain (see `headwater drain`). */
export interface WaitingRuns extends Pick<RunCounts, 'waiting' | 'oldestAt'> {
  readonly drainingUntil: string | undefined;
}

/** State of the queue, from the drain and the age of the oldest run that is ready. */
export function agePart(
  { waiting, oldestAt, drainingUntil = '' }: WaitingRuns,
  limitMs: number,
  now: Date,
): HealthPart {
  const summary = `${waiting} ${waiting === 1 ? 'run waits' : 'runs wait'}`;
  if (Date.parse(drainingUntil) > now.getTime())
    return {
      state: 'warning',
      detail: `${summary}; no run is started until ${drainingUntil}, or until \`headwater drain --end\``,
    };
  if (oldestAt === null || now.getTime() - Date.parse(oldestAt) < limitMs) return ok(summary);
  return {
    state: 'warning',
    detail: `${summary}, the oldest since ${oldestAt}; start more workers, or find out what delays the runs`,
  };
}

/** Times from which the age of the backups is computed. */
export interface BackupTimes {
  readonly lastAt: string | undefined;
  readonly startedAt: string | undefined;
}

/** State of the backups. Without a backup, the time of the first start counts. */
export function backupPart({ lastAt, startedAt }: BackupTimes, limitMs: number, now: Date): HealthPart {
  // False also if `at` is not a time.
  const isRecent = (at: string): boolean => now.getTime() - Date.parse(at) < limitMs;
  if (lastAt === undefined) {
    const none = 'no backup has been made yet';
    if (startedAt === undefined || isRecent(startedAt)) return off(none);
    return { state: 'warning', detail: `${none}, and the service has existed since ${startedAt}; make one` };
  }
  if (isRecent(lastAt)) return ok(`last backup at ${lastAt}`);
  return {
    state: 'warning',
    detail: `the last successful backup was at ${lastAt}; make one, and find out why no later backup was made`,
  };
}
