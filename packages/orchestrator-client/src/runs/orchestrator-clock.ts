import type { DagRun } from '../model/orchestrator.ts';

/**
 * Lower bound of the orchestrator's clock, from the times that it wrote itself, since our clock may be hours off. A time that it wrote has
 * already passed there, and since then both clocks have advanced equally. The latest bound counts.
 */
export class OrchestratorClock {
  /** Orchestrator's time minus ours, ms: at least this. */
  #ahead: number | null = null;

  /** Uses the times of a run that was just read; `now` is our time at the request. */
  observe(run: DagRun, now: number): void {
    for (const written of [run.startDate, run.endDate, run.lastSchedulingDecision]) this.#take(written, now);
  }

  /** Uses a time that the orchestrator wrote and reported at our time `now`. */
  observeWritten(written: string | null, now: number): void {
    this.#take(written, now);
  }

  /** Uses the creation time of a run. */
  observeCreation(run: DagRun, now: number): void {
    this.#take(run.createdDate, now);
  }

  /** True for a run that was certainly created `marginMs` before our time `moment`, or earlier. */
  isBefore(run: DagRun, moment: number, marginMs: number): boolean {
    if (this.#ahead === null || run.createdDate === null) return false;
    return Date.parse(run.createdDate) < moment + this.#ahead - marginMs;
  }

  /** A time, ISO 8601, that the orchestrator's clock has certainly passed at our time `now`, less `overlapMs`; null = unknown. */
  atLeast(now: number, overlapMs: number): string | null {
    return this.#ahead === null ? null : new Date(now + this.#ahead - overlapMs).toISOString();
  }

  #take(written: string | null, now: number): void {
    const time = written === null ? Number.NaN : Date.parse(written);
    if (Number.isNaN(time)) return;
    this.#ahead = Math.max(this.#ahead ?? -Infinity, time - now);
  }
}
