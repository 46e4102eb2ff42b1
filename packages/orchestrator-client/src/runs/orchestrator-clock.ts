import type { DagRun } from '../model/orchestrator.ts';

/**
 * What is known of the orchestrator's clock, from the times that it wrote itself: ours may be hours off. A time that it wrote
 * has passed; as much time has passed there since as here. The latest of these bounds is kept.
 */
export class OrchestratorClock {
  /** Orchestrator's time minus ours, ms: at least this. */
  #ahead: number | null = null;

  /** Takes the times of a run that was just read; `now` is our time when it was asked for. */
  observe(run: DagRun, now: number): void {
    for (const written of [run.startDate, run.endDate, run.lastSchedulingDecision]) this.#take(written, now);
  }

  /** Takes a time of the orchestrator's own that it told at our time `now`. */
  observeWritten(written: string | null, now: number): void {
    this.#take(written, now);
  }

  /** Takes when a run was made, which bounds when it can have changed. */
  observeCreation(run: DagRun, now: number): void {
    this.#take(run.createdDate, now);
  }

  /** True for a run that was made `marginMs` before our time `moment`, or earlier. */
  isBefore(run: DagRun, moment: number, marginMs: number): boolean {
    if (this.#ahead === null || run.createdDate === null) return false;
    return Date.parse(run.createdDate) < moment + this.#ahead - marginMs;
  }

  /** A time, ISO 8601, that the orchestrator's clock has certainly passed at our time `now`, less `overlapMs`; null = nothing is known. */
  atLeast(now: number, overlapMs: number): string | null {
    return this.#ahead === null ? null : new Date(now + this.#ahead - overlapMs).toISOString();
  }

  #take(written: string | null, now: number): void {
    const time = written === null ? Number.NaN : Date.parse(written);
    if (Number.isNaN(time)) return;
    this.#ahead = Math.max(this.#ahead ?? -Infinity, time - now);
  }
}
