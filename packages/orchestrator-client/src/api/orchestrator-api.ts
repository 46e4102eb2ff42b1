import { keySegment, runSegment } from '../ids.ts';
import {
  type AnyOrchestratorError,
  isNotOffered,
  isOrchestratorError,
  isTransient,
  OrchestratorError,
} from '../errors.ts';
import { unlessAborted } from '../http/aborted.ts';
import type { ApiRequest, Transport } from '../http/transport.ts';
import type { Connection } from './connection.ts';
import { isAtLeast } from './dialect.ts';
import { type Page, PAGE_SIZE } from './paged.ts';
import * as schemas from './schemas.ts';
import type { Dag, DagRun, Health, ImportFault, RunState, TaskInstance } from '../model/orchestrator.ts';

/** Ids of a run. */
export interface RunIds {
  readonly dagId: string;
  readonly runId: string;
}

/** A task of a run. */
export interface TaskKey extends RunIds {
  readonly taskId: string;
  /** Index of a mapped task; absent or -1: not mapped. */
  readonly mapIndex?: number;
}

/** Filters and order of a list of runs. */
export interface RunQuery {
  readonly states?: readonly RunState[];
  /** Time of the orchestrator's clock, ISO 8601 with a zone. */
  readonly updatedSince?: string;
  readonly startedSince?: string;
  readonly order?: 'id' | '-id';
  readonly offset?: number;
  readonly limit?: number;
}

type RequestParts = Omit<ApiRequest, 'method' | 'path'> & { readonly method?: ApiRequest['method'] };
type Schema<T> = { readonly parse: (value: unknown) => T };
type Signal = AbortSignal | undefined;
/** Abort signal and number of attempts of a read. */
export type ReadOptions = Pick<ApiRequest, 'signal' | 'attempts'>;

/**
 * Calls for which the client remembers if the orchestrator ever responded. All except `run` are optional: an
 * orchestrator must only offer the calls that trigger a run, read a run and unpause a DAG.
 */
export type OptionalCall = 'version' | 'health' | 'dag' | 'runs' | 'tasks' | 'run';

/** REST calls of the orchestrator, for both interfaces. */
export class OrchestratorApi {
  readonly connect: () => Promise<Connection>;
  /** Calls that got a response. */
  readonly answered: Set<OptionalCall>;
  /** True if paths have no `/api/v1`. Such paths are tried if neither address nor version shows the interface. */
  #isBare = false;

  constructor(connect: () => Promise<Connection>, answered = new Set<OptionalCall>()) {
    this.connect = async () => {
      const connection = await connect();
      if (connection.version !== undefined) answered.add('version');
      return connection;
    };
    this.answered = answered;
  }

  /** True if this call got a response before, which shows that the orchestrator offers the call. */
  hasAnswered(call: OptionalCall): boolean {
    return this.answered.has(call);
  }

  /**
   * True if the orchestrator may not offer the call that failed with `error`. The reason of `error` may also be an
   * outage. To exclude an outage, read a run: during an outage, this read fails too.
   */
  async mayLack(call: OptionalCall, error: unknown): Promise<boolean> {
    if (isNotOffered(error)) return true;
    if (this.answered.has(call) || !isTransient(error)) return false;
    return isOrchestratorError(error, 'unreachable') || (await this.knownVersion()) === undefined;
  }

  /** Returns the version. If the last read failed, the version is read again. */
  async version(signal?: Signal): Promise<string> {
    const first = await unlessAborted(this.connect(), signal);
    if (first.version !== undefined) return first.version;
    first.forget();
    const { version, problem } = await unlessAborted(this.connect(), signal);
    if (version === undefined) throw problem;
    return version;
  }

  /** Returns the known version. An unknown version is requested at most every two minutes. */
  async knownVersion(signal?: Signal): Promise<string | undefined> {
    return (await unlessAborted(this.connect(), signal)).version;
  }

  async health(options: ReadOptions = {}): Promise<Health> {
    const { transport, dialect } = await unlessAborted(this.connect(), options.signal);
    const request = {
      method: 'GET',
      path: dialect.healthPath,
      isOptional: !this.hasAnswered('health'),
      ...options,
    } as const;
    return this.#noted('health', await transport.openJson(request, schemas.healthSchema));
  }

  async importErrors(offset: number, signal?: Signal): Promise<Page<ImportFault>> {
    const query = { limit: String(PAGE_SIZE), offset: String(offset) };
    const parts = { query, isOptional: true, signal };
    const found = await this.#request('importErrors', schemas.importErrorsSchema, parts);
    return { entries: found.import_errors, total: found.total_entries };
  }

  async dag(dagId: string, options: ReadOptions = {}): Promise<Dag> {
    const path = `dags/${keySegment('dagId', dagId)}`;
    const parts = { subject: 'dag', isOptional: !this.hasAnswered('dag'), ...options } as const;
    return this.#noted('dag', await this.#request(path, schemas.dagSchema, parts));
  }

  /** Pauses or unpauses one DAG. Does not use the bulk call, because its pattern could match other DAGs. */
  async setPaused(dagId: string, isPaused: boolean, signal?: Signal): Promise<Dag> {
    const { path, parts } = await this.#pauseRequest(dagId, isPaused, signal);
    return this.#request(path, schemas.dagSchema, parts);
  }

  /** Unpauses a DAG. The body of the response may be empty. */
  async unpause(dagId: string, signal?: Signal): Promise<void> {
    const { path, parts } = await this.#pauseRequest(dagId, false, signal);
    await this.#call(path, parts, (transport, request) => transport.send(request));
  }

  async #pauseRequest(
    dagId: string,
    isPaused: boolean,
    signal: Signal,
  ): Promise<{ readonly path: string; readonly parts: RequestParts }> {
    const path = `dags/${keySegment('dagId', dagId)}`;
    const { dialect } = await unlessAborted(this.connect(), signal);
    const change = { method: 'PATCH', query: dialect.patchDagQuery, json: { is_paused: isPaused } } as const;
    return { path, parts: { ...change, repeatable: true, subject: 'dag', signal } };
  }

  /**
   * Sends a POST without retries, because each POST without a run id starts a run. Only if its path does not exist,
   * `#call` may send the POST to a second path.
   */
  async trigger(
    dagId: string,
    body: { readonly conf: Readonly<Record<string, unknown>>; readonly runId?: string | undefined },
  ): Promise<DagRun> {
    const { dialect } = await this.connect();
    const own = body.runId === undefined ? {} : { dag_run_id: body.runId };
    const json = { conf: body.conf, ...own, ...dialect.triggerExtras };
    const run = await this.#request(runsPath(dagId), schemas.runSchema, { method: 'POST', json, subject: 'dag' });
    return { ...run, dagId };
  }

  async run({ dagId, runId }: RunIds, options: ReadOptions = {}): Promise<DagRun> {
    const parts = { subject: 'run', ...options } as const;
    const path = `${runsPath(dagId)}/${runSegment(runId)}`;
    return { ...this.#noted('run', await this.#request(path, schemas.runSchema, parts)), dagId };
  }

  async setRunState({ dagId, runId }: RunIds, state: RunState, signal?: Signal): Promise<DagRun> {
    const { dialect } = await this.connect();
    const parts = { query: dialect.patchRunQuery, json: { state }, subject: 'run', isOptional: true, signal } as const;
    const path = `${runsPath(dagId)}/${runSegment(runId)}`;
    return { ...(await this.#request(path, schemas.runSchema, { method: 'PATCH', ...parts })), dagId };
  }

  /** Page of runs of a DAG, or of all visible DAGs if `dagId` is null. */
  async runs(dagId: string | null, query: RunQuery, options: ReadOptions = {}): Promise<Page<DagRun>> {
    const path = dagId === null ? 'dags/~/dagRuns' : runsPath(dagId);
    const subject = dagId === null ? 'other' : 'dag';
    const isOptional = !this.hasAnswered('runs');
    const parts = { query: queryOf(query), subject, isOptional, ...options } as const;
    const found = this.#noted('runs', await this.#request(path, schemas.runListSchema, parts));
    return { entries: found.dag_runs, total: found.total_entries };
  }

  async tasks(ids: RunIds, offset: number, signal?: Signal): Promise<Page<TaskInstance>> {
    const query = { limit: String(PAGE_SIZE), offset: String(offset) };
    const path = `${runsPath(ids.dagId)}/${runSegment(ids.runId)}/taskInstances`;
    const parts = { query, subject: 'run', isOptional: !this.hasAnswered('tasks'), signal } as const;
    const found = this.#noted('tasks', await this.#request(path, schemas.taskListSchema, parts));
    return { entries: found.task_instances, total: found.total_entries };
  }

  /**
   * Value that a task stored under a key (`return_value`: returned value). Airflow before 2.10 returns a text
   * (Python's repr) instead of the value.
   */
  async xcom(task: TaskKey, key: string, signal?: Signal): Promise<unknown> {
    const { dialect, version } = await unlessAborted(this.connect(), signal);
    if ((task.mapIndex ?? -1) >= 0 && version !== undefined && !isAtLeast(version, MAPPED_RESULTS))
      throw noMappedResults(version);
    const query = { ...dialect.resultQuery(version), ...mapQuery(task) };
    const path = `${taskPath(task)}/xcomEntries/${keySegment('key', key)}`;
    return (await this.#request(path, schemas.xcomSchema, { query, isOptional: true, signal })).value;
  }

  #noted<T>(call: OptionalCall, answer: T): T {
    this.answered.add(call);
    return answer;
  }

  #request<T>(path: string, schema: Schema<T>, parts: RequestParts): Promise<T> {
    return this.#call(path, parts, (transport, request) => transport.json(request, schema));
  }

  async #call<T>(
    path: string,
    parts: RequestParts,
    send: (transport: Transport, request: ApiRequest) => Promise<T>,
  ): Promise<T> {
    const { transport, dialect, forget, isAssumed } = await unlessAborted(this.connect(), parts.signal);
    const sendBelow = (prefix: string): Promise<T> =>
      send(transport, { method: 'GET', ...parts, path: `${prefix}${path}` });
    if (isAssumed && this.#isBare) return await sendBelow('');
    try {
      return await sendBelow(dialect.prefix);
    } catch (error) {
      // Airflow 3 responds to a path of Airflow 2 with an HTML page, so the version is read again.
      if (isOrchestratorError(error, 'not_json')) forget();
      if (!isAssumed || !isAbsent(error)) throw error;
      const answer = await sendBelow('').catch((below: unknown) => {
        // If the second path is missing too, the error of the first path is thrown. Otherwise the error of the
        // second path is thrown, because a POST to the second path may have started a run.
        const isNoPath = parts.method === 'POST' ? isAbsent(below) : isNotOffered(below);
        throw isNoPath ? error : below;
      });
      this.#isBare = true;
      return answer;
    }
  }
}

/** True if the path does not exist, so that the request had no effect. */
function isAbsent(error: unknown): error is AnyOrchestratorError {
  return isNotOffered(error) && 'status' in error.details && ABSENT.has(error.details.status ?? 0);
}

const ABSENT: ReadonlySet<number> = new Set([404, 405, 501]);

/** Oldest Airflow (major, minor) that accepts a map index for results. */
const MAPPED_RESULTS = [2, 7] as const;

function noMappedResults(version: string): OrchestratorError<'unsupported'> {
  const least = MAPPED_RESULTS.join('.');
  const message = `Airflow ${version} cannot return the result of one mapped task; ${least} can. Update Airflow, or read a task that collects the results.`;
  return new OrchestratorError('unsupported', message, { details: { version, least } });
}

/** Path of a DAG's runs. */
export const runsPath = (dagId: string): string => `dags/${keySegment('dagId', dagId)}/dagRuns`;

/** Path of a task of a run, without its map index. */
export function taskPath({ dagId, runId, taskId }: TaskKey): string {
  return `${runsPath(dagId)}/${runSegment(runId)}/taskInstances/${keySegment('taskId', taskId)}`;
}

/** Query for an instance of a mapped task; empty for others. */
export function mapQuery({ mapIndex = -1 }: TaskKey): Readonly<Record<string, string>> {
  return mapIndex >= 0 ? { map_index: String(mapIndex) } : {};
}

function queryOf({
  states,
  updatedSince,
  startedSince,
  order,
  offset,
  limit,
}: RunQuery): Record<string, string | readonly string[]> {
  return {
    limit: String(limit ?? PAGE_SIZE),
    offset: String(offset ?? 0),
    ...(order === undefined ? {} : { order_by: order }),
    ...(states === undefined ? {} : { state: states }),
    ...(updatedSince === undefined ? {} : { updated_at_gte: updatedSince }),
    ...(startedSince === undefined ? {} : { start_date_gte: startedSince }),
  };
}
