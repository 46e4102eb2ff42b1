import type { DagRun } from '../model/orchestrator.ts';

/**
 * Lower bound of the orchestrator's clock, which may differ from this machine's clock by hours. Each time stamp of the
 * orchestrator gives a bound, because the orchestrator's clock had reached this time. The highest bound is used.
 */
export class OrchestratorClock {
  /** Lower bound of the orchestrator's time minus the time of this machine, ms. */
  #ahead: number | null = null;

  /** Updates the bound from a run. `now`: time of the request on this machine. */
  observe(run: DagRun, now: number): void {
    for (const written of [run.startDate, run.endDate, run.lastSchedulingDecision]) this.#take(written, now);
  }

  /** Updates the bound from a written time. `now`: time of the request on this machine. */
  observeWritten(written: string | null, now: number): void {
    this.#take(written, now);
  }

  observeCreation(run: DagRun, now: number): void {
    this.#take(run.createdDate, now);
  }

  /** True for a run that was certainly created more than `marginMs` before `moment` (time of this machine). */
  isBefore(run: DagRun, moment: number, marginMs: number): boolean {
    if (this.#ahead === null || run.createdDate === null) return false;
    return Date.parse(run.createdDate) < moment + this.#ahead - marginMs;
  }

  /**
   * Lower bound of the orchestrator's time at `now` (time of this machine), minus `overlapMs`; ISO 8601; null if
   * unknown.
   */
  atLeast(now: number, overlapMs: number): string | null {
    return this.#ahead === null ? null : new Date(now + this.#ahead - overlapMs).toISOString();
  }

  #take(written: string | null, now: number): void {
    const time = written === null ? Number.NaN : Date.parse(written);
    if (Number.isNaN(time)) return;
    this.#ahead = Math.max(this.#ahead ?? -Infinity, time - now);
  }
}
