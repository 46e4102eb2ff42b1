import { DomainError, isDomainError } from '../errors.ts';
import type { PartOutcome, Run, RunPart } from '../ports/runs.ts';

/**
 * State of a part: `waiting` or `paused` before the start, then the state of its run. A failed start counts as
 * `failed`, and a queued run with `isBegun` as `running`.
 */
export type PartState = 'waiting' | 'paused' | 'queued' | 'running' | 'success' | 'failed';

/** Present state of a part of the run `scopeId`. */
export function partState({ run, runId, failure, isPaused }: RunPart, scopeId: string): PartState {
  if (failure !== null) return 'failed';
  const isStarted = runId !== null && run !== null;
  // A cancelled run of another request does not fail the part, which can be started again.
  const isCancelled = run?.state === 'failed' && run.error?.code === 'cancelled' && run.parentId !== scopeId;
  if (!isStarted || isCancelled) return isPaused ? 'paused' : 'waiting';
  return run.state === 'queued' && run.isBegun ? 'running' : run.state;
}

/** True for a part that has neither a result nor a failure. */
export function isOpenPart(part: RunPart, scopeId: string): boolean {
  const state = partState(part, scopeId);
  return state !== 'success' && state !== 'failed';
}

/** The error for a part that must not be started. */
export function partRefused(scopeId: string, part: Exclude<PartOutcome, 'ok'>): DomainError {
  return new DomainError(
    'conflict',
    `Run ${scopeId} cannot start the computation of another tehsil now (reason: ${part}).`,
    {
      details: { part },
    },
  );
}

const REFUSALS = ['lost', 'cancelled', 'paused'] as const;

/** Outcome in the details of an error of `partRefused`; undefined for any other error. */
export function partRefusal(error: unknown): Exclude<PartOutcome, 'ok'> | undefined {
  return isDomainError(error) ? REFUSALS.find((each) => each === error.details['part']) : undefined;
}

/** Expected time until the end of a run: `expected` and its range from `low` to `high`, seconds. */
export interface RemainingTime {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
  /** Number of tehsils whose computing times were measured. */
  readonly measured: number;
}

/** Counts and progress of a run over several tehsils. */
export interface ScopeSummary {
  readonly counts: Readonly<Record<PartState, number>>;
  readonly tehsils: number;
  readonly reused: number;
  readonly progress: number;
  readonly isPaused: boolean;
  /** Estimated time; undefined before the first tehsil was computed, after the end, and during a pause. */
  readonly remaining: RemainingTime | undefined;
}

/** Seconds from the start of a part to its end. Undefined for reused results and parts without success. */
export function secondsOfPart({ run, isReused }: RunPart): number | undefined {
  if (isReused || run?.state !== 'success' || run.begunAt === null || run.finishedAt === null) return undefined;
  return Math.max(0.001, (Date.parse(run.finishedAt) - Date.parse(run.begunAt)) / 1000);
}

/** Counts the parts of a run by state, and estimates the time until its end. */
export function summarize(parts: readonly RunPart[], { id }: Pick<Run, 'id'>): ScopeSummary {
  const counts = { waiting: 0, paused: 0, queued: 0, running: 0, success: 0, failed: 0 };
  let [all, done] = [0, 0];
  for (const part of parts) {
    const state = partState(part, id);
    counts[state] += 1;
    all += part.work;
    done += part.work * doneShare(part, state);
  }
  return {
    counts,
    tehsils: parts.length,
    reused: parts.filter(({ isReused }) => isReused).length,
    progress: all === 0 ? 1 : done / all,
    isPaused: counts.paused > 0,
    remaining: counts.paused > 0 ? undefined : remainingTime(parts, all - done),
  };
}

const doneShare = ({ run }: RunPart, state: PartState): number =>
  state === 'success' || state === 'failed' ? 1 : state === 'running' ? (run?.progress ?? 0) : 0;

/**
 * Estimates the remaining time from the seconds per unit of work and the number of tehsils computed at once. The
 * relative width of the range is (0.5 + spread) / sqrt(n) for n measured tehsils; `spread` is their relative deviation.
 */
function remainingTime(parts: readonly RunPart[], left: number): RemainingTime | undefined {
  const rates = parts.flatMap((part) => {
    const seconds = secondsOfPart(part);
    return seconds === undefined ? [] : [{ seconds, work: part.work }];
  });
  if (rates.length === 0 || left <= 0) return undefined;
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const mean = sum(rates.map(({ seconds }) => seconds)) / sum(rates.map(({ work }) => work));
  const errors = rates.map(({ seconds, work }) => (seconds / work / mean - 1) ** 2);
  const spread = Math.sqrt(sum(errors) / rates.length);
  const width = (0.5 + spread) / Math.sqrt(rates.length);
  const expected = (left * mean) / atOnce(parts);
  return { low: expected / (1 + width), expected, high: expected * (1 + width), measured: rates.length };
}

function atOnce(parts: readonly RunPart[]): number {
  const known = parts.flatMap(({ isReused, run }) =>
    isReused || run === null || run.begunAt === null
      ? []
      : [{ from: Date.parse(run.begunAt), to: run.finishedAt === null ? Infinity : Date.parse(run.finishedAt) }],
  );
  const last = known.reduce((latest, { from, to }) => Math.max(latest, to === Infinity ? from : to), 0);
  let [busy, covered, until] = [0, 0, -Infinity];
  for (const { from, to: end } of known.toSorted((a, b) => a.from - b.from)) {
    const to = Math.min(end, last);
    busy += to - from;
    covered += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return covered === 0 ? 1 : Math.max(1, busy / covered);
}

/** Text of the progress for lists and logs, such as `12 of 40 tehsils, 1 failed`. */
export function summaryText({ counts, tehsils, isPaused }: ScopeSummary): string {
  const failed = counts.failed === 0 ? '' : `, ${counts.failed} failed`;
  return `${counts.success} of ${tehsils} tehsils${failed}${isPaused ? ', paused' : ''}`;
}
