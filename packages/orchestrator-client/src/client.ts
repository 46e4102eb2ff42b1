import type { Clock } from './clock.ts';
import { connector } from './api/connection.ts';
import { allEntries } from './api/paged.ts';
import { type Looking, OrchestratorApi } from './api/orchestrator-api.ts';
import type { RequestNote } from './http/transport.ts';
import type { Dag, DagRun, Health, ImportFault } from './model/orchestrator.ts';
import { RunHandle } from './runs/handle.ts';
import { findRunOfJob, type JobSearch, triggerRun, type TriggerOptions } from './runs/trigger.ts';
import type { Work } from './runs/until-stored.ts';
import { type OrchestratorOptions, readSettings, type UnpausePolicy } from './settings.ts';
import { RunWatcher, type WatcherOptions } from './watch/run-watcher.ts';

type Signalled = { readonly signal?: AbortSignal | undefined };

/** Most import errors that are listed. */
const MOST_IMPORT_ERRORS = 1000;

/** A client of one orchestrator. It holds no connection: it needs no closing. */
export class OrchestratorClient {
  readonly #options: OrchestratorOptions;
  readonly #work: Work;
  readonly #observers = new Set<(note: RequestNote) => void>();

  constructor(options: OrchestratorOptions, connectAttempts?: number) {
    const settings = readSettings(options);
    const { address, credentials, clock, random, requestTimeoutMs, attempts, fetch } = settings;
    const onRequest = (note: RequestNote): void => {
      options.onRequest?.(note);
      for (const observer of this.#observers) observer(note);
    };
    const transport = { clock, random, timeoutMs: requestTimeoutMs, attempts, fetch, onRequest };
    this.#options = { ...options, onRequest };
    this.#work = {
      api: new OrchestratorApi(connector({ address, credentials, transport, connectAttempts })),
      settings,
    };
  }

  /**
   * The same client, each of whose pauses goes through `around`, for a caller that frees something meanwhile. The connection, which several calls
   * wait for, is tried once without a pause; the call throws what it failed with.
   */
  pausing(around: (pause: () => Promise<void>, signal?: AbortSignal) => Promise<void>): OrchestratorClient {
    const { clock } = this.#work.settings;
    const sleep: Clock['sleep'] = (ms, signal) => around(() => clock.sleep(ms, signal), signal);
    return new OrchestratorClient({ ...this.#options, clock: { now: clock.now, sleep } }, 1);
  }

  /** Root of the orchestrator, which holds no credentials. */
  get address(): string {
    return this.#work.settings.address.root;
  }

  /** Has somebody told of every attempt, beside `onRequest`, until the function that comes back is called. */
  observe(observer: (note: RequestNote) => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** What is done about a paused DAG before a trigger. */
  get unpausePolicy(): UnpausePolicy {
    return this.#work.settings.unpause;
  }

  /** Starts a run, once, whatever gets lost on the way; unpauses the DAG first where the settings say so. */
  async trigger(
    dagId: string,
    conf: Readonly<Record<string, unknown>>,
    options: TriggerOptions = {},
  ): Promise<RunHandle> {
    const run = await triggerRun(this.#work, { dagId, conf, ...options });
    return this.run(dagId, run.runId);
  }

  /**
   * The run of a DAG whose conf names this job (`jobKey`): one that another process may have started before it died. `since`: when that began;
   * without it the latest 1,000 runs are searched.
   */
  findByJob(dagId: string, jobId: string, search: JobSearch = {}): Promise<DagRun | undefined> {
    return findRunOfJob(this.#work, { dagId, jobId, ...search });
  }

  /** A run by its ids; nothing is asked yet. */
  run(dagId: string, runId: string): RunHandle {
    return new RunHandle(this.#work, { dagId, runId });
  }

  /** Watches many runs at the price of a few list calls. */
  watcher(options: WatcherOptions = {}): RunWatcher {
    return new RunWatcher(this.#work, options);
  }

  /** `attempts` in place of those of the options: 1 for who wants to know at once that nothing answers. */
  dag(dagId: string, looking: Looking = {}): Promise<Dag> {
    return this.#work.api.dag(dagId, looking);
  }

  unpause(dagId: string, { signal }: Signalled = {}): Promise<Dag> {
    return this.#work.api.setPaused(dagId, false, signal);
  }

  pause(dagId: string, { signal }: Signalled = {}): Promise<Dag> {
    return this.#work.api.setPaused(dagId, true, signal);
  }

  /** Needs no credentials, so it tells a wrong address from wrong credentials, but where a proxy lets nobody through without; `attempts` as with `dag`. */
  health(looking: Looking = {}): Promise<Health> {
    return this.#work.api.health(looking);
  }

  /** Such as `2.10.3`; asked once, and again after answers of another interface. Needs no credentials; throws `unsupported` below 2.6. */
  version({ signal }: Signalled = {}): Promise<string> {
    return this.#work.api.version(signal);
  }

  importErrors({ signal }: Signalled = {}): Promise<readonly ImportFault[]> {
    return allEntries((offset) => this.#work.api.importErrors(offset, signal), MOST_IMPORT_ERRORS);
  }
}

/** A client over the given address and credentials; throws `invalid_request` for options that could not work. */
export function createOrchestratorClient(options: OrchestratorOptions): OrchestratorClient {
  return new OrchestratorClient(options);
}
