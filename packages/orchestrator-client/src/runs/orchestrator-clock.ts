import type { DagRun } from '../model/orchestrator.ts';

/**
 * Lower bound of the orchestrator's clock, which may differ from the clock of this machine by hours. If the
 * orchestrator has written a time, its clock has reached this time. Afterwards the orchestrator's clock and the clock
 * of this machine advance equally. The highest known bound is used.
 */
export class OrchestratorClock {
  /** Lower bound of the orchestrator's time minus the time of this machine, ms. */
  #ahead: number | null = null;

  /** Updates the bound from the times of a run that was just read. `now` is the time of this machine at the request. */
  observe(run: DagRun, now: number): void {
    for (const written of [run.startDate, run.endDate, run.lastSchedulingDecision]) this.#take(written, now);
  }

  /**
   * Updates the bound from a time that the orchestrator wrote. `now` is the time of this machine when the written time was
   * requested.
   */
  observeWritten(written: string | null, now: number): void {
    this.#take(written, now);
  }

  /** Updates the bound from the creation time of a run. */
  observeCreation(run: DagRun, now: number): void {
    this.#take(run.createdDate, now);
  }

  /** True for a run that was certainly created at least `marginMs` before `moment`, by the clock of this machine. */
  isBefore(run: DagRun, moment: number, marginMs: number): boolean {
    if (this.#ahead === null || run.createdDate === null) return false;
    return Date.parse(run.createdDate) < moment + this.#ahead - marginMs;
  }

  /**
   * Returns a time of the orchestrator's clock, ISO 8601; null = unknown. When the clock of this machine shows `now`,
   * the orchestrator's clock has certainly passed this time plus `overlapMs`.
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
