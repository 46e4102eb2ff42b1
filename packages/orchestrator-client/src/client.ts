import type { Clock } from './clock.ts';
import { connector } from './api/connection.ts';
import { allEntries } from './api/paged.ts';
import { type OptionalCall, type ReadOptions, OrchestratorApi } from './api/orchestrator-api.ts';
import type { RequestNote } from './http/transport.ts';
import type { Dag, DagRun, Health, ImportFault } from './model/orchestrator.ts';
import { RunHandle } from './runs/handle.ts';
import { findRunOfJob, type JobSearch, triggerRun, type TriggerOptions } from './runs/trigger.ts';
import type { Work } from './runs/until-stored.ts';
import { type OrchestratorOptions, readSettings, type UnpausePolicy } from './settings.ts';
import { RunWatcher, type WatcherOptions } from './watch/run-watcher.ts';

type Signalled = { readonly signal?: AbortSignal | undefined };

const MOST_IMPORT_ERRORS = 1000;

/** Parts of a copy by `pausing`. The copy shares `answered` with the original client. */
interface Shared {
  readonly connectAttempts?: number;
  readonly answered?: Set<OptionalCall>;
}

/** A client of one orchestrator, without open connections. */
export class OrchestratorClient {
  readonly #options: OrchestratorOptions;
  readonly #work: Work;
  readonly #observers = new Set<(note: RequestNote) => void>();

  constructor(options: OrchestratorOptions, shared: Shared = {}) {
    const settings = readSettings(options);
    const { address, credentials, clock, random, requestTimeoutMs, attempts, fetch } = settings;
    const onRequest = (note: RequestNote): void => {
      options.onRequest?.(note);
      for (const observer of this.#observers) observer(note);
    };
    const transport = { clock, random, timeoutMs: requestTimeoutMs, attempts, fetch, onRequest };
    this.#options = { ...options, onRequest };
    this.#work = {
      api: new OrchestratorApi(connector({ address, credentials, transport, ...shared }), shared.answered),
      settings,
    };
  }

  /**
   * Returns a client that calls `around` for each pause, so that a caller can free a resource during the pause.
   * Requests for version and token serve several callers, so they have one attempt and no pause.
   */
  pausing(around: (pause: () => Promise<void>, signal?: AbortSignal) => Promise<void>): OrchestratorClient {
    const { clock } = this.#work.settings;
    const sleep: Clock['sleep'] = (ms, signal) => around(() => clock.sleep(ms, signal), signal);
    const { answered } = this.#work.api;
    return new OrchestratorClient(
      { ...this.#options, clock: { now: clock.now, sleep } },
      { connectAttempts: 1, answered },
    );
  }

  /** Root address without credentials. */
  get address(): string {
    return this.#work.settings.address.root;
  }

  /** Reports every request attempt until the returned function is called. */
  observe(observer: (note: RequestNote) => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Policy for a paused DAG before a trigger. */
  get unpausePolicy(): UnpausePolicy {
    return this.#work.settings.unpause;
  }

  /** True if the orchestrator has answered this call before. */
  offers(call: OptionalCall): boolean {
    return this.#work.api.hasAnswered(call);
  }

  /** Starts exactly one run, even if a response is lost. Unpauses the DAG first if allowed. */
  async trigger(
    dagId: string,
    conf: Readonly<Record<string, unknown>>,
    options: TriggerOptions = {},
  ): Promise<RunHandle> {
    const run = await triggerRun(this.#work, { dagId, conf, ...options });
    return this.run(dagId, run.runId);
  }

  /**
   * Finds a run by the job id in its conf (`jobKey`). `since`: time of the trigger. Without `since`, the latest 1,000
   * runs are searched.
   */
  findByJob(dagId: string, jobId: string, search: JobSearch = {}): Promise<DagRun | undefined> {
    return findRunOfJob(this.#work, { dagId, jobId, ...search });
  }

  /** Returns a handle of a run; sends no request. */
  run(dagId: string, runId: string): RunHandle {
    return new RunHandle(this.#work, { dagId, runId });
  }

  /** Creates a watcher of many runs, which needs few list requests. */
  watcher(options: WatcherOptions = {}): RunWatcher {
    return new RunWatcher(this.#work, options);
  }

  /** Reads a DAG. `attempts` overrides the option of the client. */
  dag(dagId: string, options: ReadOptions = {}): Promise<Dag> {
    return this.#work.api.dag(dagId, options);
  }

  unpause(dagId: string, { signal }: Signalled = {}): Promise<Dag> {
    return this.#work.api.setPaused(dagId, false, signal);
  }

  pause(dagId: string, { signal }: Signalled = {}): Promise<Dag> {
    return this.#work.api.setPaused(dagId, true, signal);
  }

  /** Reads the health, first without credentials, then with credentials, which a proxy may require. */
  health(options: ReadOptions = {}): Promise<Health> {
    return this.#work.api.health(options);
  }

  /** Version such as `2.10.3`, cached until a response does not fit. Throws if the orchestrator returns none. */
  version({ signal }: Signalled = {}): Promise<string> {
    return this.#work.api.version(signal);
  }

  importErrors({ signal }: Signalled = {}): Promise<readonly ImportFault[]> {
    return allEntries((offset) => this.#work.api.importErrors(offset, signal), MOST_IMPORT_ERRORS);
  }
}

/** Creates a client; throws `invalid_request` for impossible options. */
export function createOrchestratorClient(options: OrchestratorOptions): OrchestratorClient {
  return new OrchestratorClient(options);
}
