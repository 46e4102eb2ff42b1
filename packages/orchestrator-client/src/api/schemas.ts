import { z } from 'zod';
import {
  type Dag,
  type DagRun,
  type Health,
  type ImportFault,
  RUN_STATES,
  type TaskInstance,
} from '../model/orchestrator.ts';

/** An optional text. Null is accepted, because Airflow sends null for values that its OpenAPI file requires. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? null);

/**
 * The conf of a run. Airflow's command line can send a conf that is not an object. It is read as empty, because
 * otherwise the whole list would be unreadable.
 */
const conf = z.unknown().transform((value): Readonly<Record<string, unknown>> => {
  const read = z.record(z.string(), z.unknown()).safeParse(value);
  return read.success ? read.data : {};
});

/** A run. Only id and state are required. */
export const runSchema = z
  .object({
    dag_id: z.string().default(''),
    dag_run_id: z.string(),
    state: z.enum(RUN_STATES),
    conf: conf.optional().default({}),
    logical_date: text,
    run_type: text,
    queued_at: text,
    run_after: text,
    start_date: text,
    end_date: text,
    last_scheduling_decision: text,
  })
  .transform((run): DagRun => ({
    dagId: run.dag_id,
    runId: run.dag_run_id,
    state: run.state,
    conf: run.conf,
    logicalDate: run.logical_date,
    runType: run.run_type,
    createdDate: run.queued_at ?? run.logical_date ?? run.run_after,
    startDate: run.start_date,
    endDate: run.end_date,
    lastSchedulingDecision: run.last_scheduling_decision,
  }));

export const runListSchema = z.object({ dag_runs: z.array(runSchema), total_entries: z.number() });

export const dagSchema = z
  .object({
    dag_id: z.string(),
    is_paused: z.boolean().nullish(),
    is_active: z.boolean().nullish(),
    is_stale: z.boolean().nullish(),
    has_import_errors: z.boolean().nullish(),
    max_active_runs: count,
    last_parsed_time: text,
  })
  .transform((dag): Dag => ({
    dagId: dag.dag_id,
    isPaused: dag.is_paused ?? false,
    isActive: dag.is_active ?? (typeof dag.is_stale === 'boolean' ? !dag.is_stale : null),
    hasImportErrors: dag.has_import_errors ?? false,
    maxActiveRuns: dag.max_active_runs,
    lastParsedTime: dag.last_parsed_time,
  }));

export const taskInstanceSchema = z
  .object({
    task_id: z.string(),
    map_index: count,
    state: text,
    try_number: count,
    start_date: text,
    end_date: text,
  })
  .transform((task): TaskInstance => ({
    taskId: task.task_id,
    mapIndex: task.map_index ?? -1,
    state: task.state,
    tryNumber: task.try_number ?? 0,
    startDate: task.start_date,
    endDate: task.end_date,
  }));

export const taskListSchema = z.object({ task_instances: z.array(taskInstanceSchema), total_entries: z.number() });

/** Health of a part. Unknown values become null. */
const wellness = z.enum(['healthy', 'unhealthy']).nullish().catch(null);

const part = z.object({ status: wellness, latest_scheduler_heartbeat: text }).nullish();

export const healthSchema = z
  .object({ metadatabase: part, scheduler: part, triggerer: part, dag_processor: part })
  .transform((health): Health => ({
    metadatabase: health.metadatabase?.status ?? null,
    scheduler: health.scheduler?.status ?? null,
    latestSchedulerHeartbeat: health.scheduler?.latest_scheduler_heartbeat ?? null,
    triggerer: health.triggerer?.status ?? null,
    dagProcessor: health.dag_processor?.status ?? null,
  }));

export const versionSchema = z.object({ version: z.string() });

export const importErrorsSchema = z.object({
  import_errors: z.array(
    z.object({ filename: text, stack_trace: text, timestamp: text }).transform((fault): ImportFault => ({
      filename: fault.filename ?? '',
      stackTrace: fault.stack_trace ?? '',
      timestamp: fault.timestamp,
    })),
  ),
  total_entries: z.number(),
});

export const xcomSchema = z.object({ key: z.string(), value: z.unknown() });
export const tokenSchema = z.object({ access_token: z.string() });
