import { isOrchestratorError } from '../errors.ts';
import type { RunIds } from '../api/orchestrator-api.ts';
import type { DagRun } from '../model/orchestrator.ts';
import type { OrchestratorClock } from '../runs/orchestrator-clock.ts';
import type { Work } from '../runs/until-stored.ts';
import type { WatchedRun } from './watched-runs.ts';

/**
 * Time, ms, used only if the version of the orchestrator is unknown. If all reads of a run during this time end in a
 * 404 without the JSON of an Airflow error, the run counts as deleted. A shorter series of such 404s may come from a
 * proxy during an outage.
 */
const GONE_AFTER_MS = 15 * 60_000;

/** Result of a failed read. */
export const FAILED = Symbol('failed');

/** Reads of single runs in passes. Errors are thrown at the end of a pass, so that all other runs are read first. */
export class SingleReads {
  readonly #work: Work;
  readonly #orchestrator: OrchestratorClock;
  #pass = 0;
  #calls = 0;
  #failures: unknown[] = [];

  constructor(work: Work, orchestrator: OrchestratorClock) {
    this.#work = work;
    this.#orchestrator = orchestrator;
  }

  get calls(): number {
    return this.#calls;
  }

  beginPass(): void {
    this.#pass += 1;
    this.#calls = 0;
    this.#failures = [];
  }

  /** Throws the first error of this pass, if any. */
  throwFirst(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  /** True if this pass has tried to read the run. */
  wasTried({ readPass }: WatchedRun): boolean {
    return readPass === this.#pass;
  }

  /** True if this pass could not read the run. */
  hasFailed({ failedPass }: WatchedRun): boolean {
    return failedPass === this.#pass;
  }

  /** Reads a run; undefined if it was deleted. Throws only `aborted`. */
  async read(watched: WatchedRun, signal: AbortSignal | undefined): Promise<DagRun | typeof FAILED | undefined> {
    watched.readPass = this.#pass;
    try {
      const run = await this.#read(watched, signal);
      watched.missingSince = Infinity;
      return run;
    } catch (error) {
      if (isOrchestratorError(error, 'aborted')) throw error;
      if (this.#isGone(watched, error)) return undefined;
      watched.failedPass = this.#pass;
      this.#failures.push(error);
      return FAILED;
    }
  }

  async #read(ids: RunIds, signal: AbortSignal | undefined): Promise<DagRun | undefined> {
    const now = this.#work.settings.clock.now();
    this.#calls += 1;
    try {
      const run = await this.#work.api.run(ids, { signal });
      this.#orchestrator.observe(run, now);
      return run;
    } catch (error) {
      if (isOrchestratorError(error, 'unknown_run')) return undefined;
      throw error;
    }
  }

  #isGone(watched: WatchedRun, error: unknown): boolean {
    const { api, settings } = this.#work;
    const isMissing = isOrchestratorError(error, 'not_json') && error.details.status === 404;
    const now = settings.clock.now();
    watched.missingSince = isMissing && !api.hasAnswered('version') ? Math.min(watched.missingSince, now) : Infinity;
    return now - watched.missingSince >= GONE_AFTER_MS;
  }
}
