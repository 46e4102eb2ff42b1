import { keySegment, runSegment } from '../ids.ts';
import { isOrchestratorError, OrchestratorError } from '../errors.ts';
import { unlessAborted } from '../http/aborted.ts';
import type { ApiRequest } from '../http/transport.ts';
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
  /** Index of a mapped task; absent or -1 = not mapped. */
  readonly mapIndex?: number;
}

/** Filters and order of a list of runs; each filter narrows it further. */
export interface RunQuery {
  readonly states?: readonly RunState[];
  /** ISO 8601 with a zone, of the orchestrator's clock. */
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

/** The orchestrator's REST calls, one method each, over either interface. */
export class OrchestratorApi {
  readonly connect: () => Promise<Connection>;

  constructor(connect: () => Promise<Connection>) {
    this.connect = connect;
  }

  async version(signal?: Signal): Promise<string> {
    return (await unlessAborted(this.connect(), signal)).version;
  }

  async health(options: ReadOptions = {}): Promise<Health> {
    const { transport, dialect } = await unlessAborted(this.connect(), options.signal);
    return transport.openJson({ method: 'GET', path: dialect.healthPath, ...options }, schemas.healthSchema);
  }

  async importErrors(offset: number, signal?: Signal): Promise<Page<ImportFault>> {
    const query = { limit: String(PAGE_SIZE), offset: String(offset) };
    const found = await this.#request('importErrors', schemas.importErrorsSchema, { query, signal });
    return { entries: found.import_errors, total: found.total_entries };
  }

  dag(dagId: string, options: ReadOptions = {}): Promise<Dag> {
    return this.#request(`dags/${keySegment('dagId', dagId)}`, schemas.dagSchema, { subject: 'dag', ...options });
  }

  /** Pauses or unpauses this DAG only; the bulk call takes a pattern and could match others. */
  async setPaused(dagId: string, isPaused: boolean, signal?: Signal): Promise<Dag> {
    const path = `dags/${keySegment('dagId', dagId)}`;
    const parts = { query: { update_mask: 'is_paused' }, json: { is_paused: isPaused }, repeatable: true } as const;
    return this.#request(path, schemas.dagSchema, { method: 'PATCH', ...parts, subject: 'dag', signal });
  }

  /** Sends one POST without retries: without a run id each POST starts a run. */
  async trigger(
    dagId: string,
    body: { readonly conf: Readonly<Record<string, unknown>>; readonly runId?: string | undefined },
  ): Promise<DagRun> {
    const { dialect } = await this.connect();
    const own = body.runId === undefined ? {} : { dag_run_id: body.runId };
    const json = { conf: body.conf, ...own, ...dialect.triggerExtras };
    return this.#request(runsPath(dagId), schemas.runSchema, { method: 'POST', json, subject: 'dag' });
  }

  run({ dagId, runId }: RunIds, signal?: Signal): Promise<DagRun> {
    return this.#request(`${runsPath(dagId)}/${runSegment(runId)}`, schemas.runSchema, { subject: 'run', signal });
  }

  async setRunState({ dagId, runId }: RunIds, state: RunState, signal?: Signal): Promise<DagRun> {
    const { dialect } = await this.connect();
    const parts = { query: dialect.patchRunQuery, json: { state }, subject: 'run', signal } as const;
    return this.#request(`${runsPath(dagId)}/${runSegment(runId)}`, schemas.runSchema, { method: 'PATCH', ...parts });
  }

  /** Returns a page of runs of one DAG, or of all DAGs that this user may see if `dagId` is null. */
  async runs(dagId: string | null, query: RunQuery, signal?: Signal): Promise<Page<DagRun>> {
    const path = dagId === null ? 'dags/~/dagRuns' : runsPath(dagId);
    const subject = dagId === null ? 'other' : 'dag';
    const found = await this.#request(path, schemas.runListSchema, { query: queryOf(query), subject, signal });
    return { entries: found.dag_runs, total: found.total_entries };
  }

  async tasks(ids: RunIds, offset: number, signal?: Signal): Promise<Page<TaskInstance>> {
    const query = { limit: String(PAGE_SIZE), offset: String(offset) };
    const path = `${runsPath(ids.dagId)}/${runSegment(ids.runId)}/taskInstances`;
    const found = await this.#request(path, schemas.taskListSchema, { query, subject: 'run', signal });
    return { entries: found.task_instances, total: found.total_entries };
  }

  /** Reads the value that a task returned, or stored under another key; a text on Airflow before 2.10. */
  async xcom(task: TaskKey, key: string, signal?: Signal): Promise<unknown> {
    const { dialect, version } = await unlessAborted(this.connect(), signal);
    if ((task.mapIndex ?? -1) >= 0 && !isAtLeast(version, MAPPED_RESULTS)) throw noMappedResults(version);
    const query = { ...dialect.resultQuery(version), ...mapQuery(task) };
    const path = `${taskPath(task)}/xcomEntries/${keySegment('key', key)}`;
    return (await this.#request(path, schemas.xcomSchema, { query, signal })).value;
  }

  async #request<T>(path: string, schema: Schema<T>, parts: RequestParts): Promise<T> {
    const { transport, dialect, forget } = await unlessAborted(this.connect(), parts.signal);
    try {
      return await transport.json({ method: 'GET', ...parts, path: `${dialect.prefix}${path}` }, schema);
    } catch (error) {
      // The response of an Airflow 3 to a path of the Airflow 2 that it replaced.
      if (isOrchestratorError(error, 'not_json')) forget();
      throw error;
    }
  }
}

/** Oldest Airflow that accepts a map index, to read the result of one mapped task. */
const MAPPED_RESULTS = [2, 7] as const;

function noMappedResults(version: string): OrchestratorError<'unsupported'> {
  const least = MAPPED_RESULTS.join('.');
  const message = `Airflow ${version} cannot return the result of one mapped task; ${least} can. Update Airflow, or read a task that collects the results.`;
  return new OrchestratorError('unsupported', message, { details: { version, least } });
}

/** Path of a DAG's runs. */
export const runsPath = (dagId: string): string => `dags/${keySegment('dagId', dagId)}/dagRuns`;

/** Path of a task of a run, without its map index, which most calls take as a query. */
export function taskPath({ dagId, runId, taskId }: TaskKey): string {
  return `${runsPath(dagId)}/${runSegment(runId)}/taskInstances/${keySegment('taskId', taskId)}`;
}

/** Query that selects a mapped task; empty for an unmapped one. */
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
