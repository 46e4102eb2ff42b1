import type { Run, RunEvent, RunFailure, RunState } from '../ports/runs.ts';
import { hasEnded } from './transitions.ts';

/** A run on the wire. */
export interface RunView {
  readonly run_id: string;
  /** The same id under the name that computing clients know. */
  readonly task_id: string;
  readonly pipeline: string;
  readonly state: RunState;
  /** The state under the name that workflow callbacks read. */
  readonly status: RunState;
  readonly done: boolean;
  /** 0-1. */
  readonly progress: number;
  readonly step: string | null;
  readonly attempt: number;
  readonly cancel_requested: boolean;
  readonly params: Readonly<Record<string, unknown>>;
  readonly error: RunErrorView | null;
  /** Ids of the published Items; empty until success. */
  readonly item_ids: readonly string[];
  /** Seconds per step and other measures of the pipeline. */
  readonly timings: Readonly<Record<string, number>>;
  /** Seconds from the first attempt's start to the end, null before the end. */
  readonly execution_time: number | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly links: RunLinks;
}

/** Why a run failed, on the wire. */
export interface RunErrorView {
  readonly code: RunFailure['code'];
  readonly message: string;
  readonly fields?: NonNullable<RunFailure['fields']>;
}

/** Absolute addresses of a run's resources. */
export interface RunLinks {
  readonly self: string;
  readonly log: string;
  readonly events: string;
  readonly cancel: string;
}

/** Where the service is. */
export interface RunHrefs {
  /** Absolute public address, no trailing slash. */
  readonly base: string;
}

/** An event on the wire (`data` of a server-sent event; `seq` is its id). */
export interface RunEventView {
  readonly seq: number;
  readonly run_id: string;
  readonly at: string;
  readonly kind: RunEvent['kind'];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Run -> wire object (snake_case). */
export function runView(run: Run, hrefs: RunHrefs): RunView {
  return {
    run_id: run.id,
    task_id: run.id,
    pipeline: run.pipeline,
    state: run.state,
    status: run.state,
    done: hasEnded(run),
    progress: run.progress,
    step: run.step,
    attempt: run.attempt,
    cancel_requested: run.cancelRequested,
    params: run.params,
    error: run.error === null ? null : errorView(run.error),
    item_ids: run.itemIds,
    timings: run.timings,
    execution_time: executionSeconds(run),
    created_at: run.createdAt,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    links: runLinks(run.id, hrefs),
  };
}

/** Event -> wire object. */
export function runEventView(event: RunEvent): RunEventView {
  return { seq: event.seq, run_id: event.runId, at: event.at, kind: event.kind, data: event.data };
}

function runLinks(runId: string, { base }: RunHrefs): RunLinks {
  const self = `${base}/api/v1/runs/${runId}/`;
  return { self, log: `${self}log/`, events: `${self}events/`, cancel: `${self}cancel/` };
}

function errorView({ code, message, fields }: RunFailure): RunErrorView {
  return { code, message, ...(fields === undefined ? {} : { fields }) };
}

function executionSeconds(run: Run): number | null {
  if (run.startedAt === null || run.finishedAt === null) return null;
  return (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000;
}
