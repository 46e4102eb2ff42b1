import { DomainError, type Run, type RunEvent, type RunFailure } from '@headwater/core';
import { failureFields, hasEnded, withoutBulk } from '@headwater/core/runs';
import { isObject } from '@headwater/core/values';
import type { z } from 'zod';
import { wireNames } from '../../../wire/names.ts';
import { fill, paths } from '../../../wire/paths.ts';
import type { RunSummary } from './runs.ts';
import { toWire } from '../../../wire/wire-error.ts';

/** A run on the wire, without its Items. */
export type RunView = z.infer<typeof RunSummary>;

/** Run -> wire object (snake_case); links are absolute, `baseUrl` has no trailing slash. */
export function runView(run: Run, baseUrl: string): RunView {
  const { id } = run;
  return {
    run_id: id,
    task_id: id,
    parent_run_id: run.parentId,
    after: [...run.after],
    pipeline: run.pipeline,
    params: { ...wireNames(withoutBulk(run.params)) },
    state: run.state,
    status: run.state,
    done: hasEnded(run),
    progress: run.progress,
    step: run.step,
    attempt: run.attempt,
    backend: run.backend,
    queue: run.queue,
    dag_id: run.dagId,
    dag_run_id: run.dagRunId,
    cancel_requested: run.cancelRequested,
    error: run.error === null ? null : failureView(run.error),
    item_ids: [...run.itemIds],
    timings: run.timings,
    created_at: run.createdAt,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    execution_time: executionSeconds(run),
    links: {
      self: baseUrl + fill(paths.run, { id }),
      log: baseUrl + fill(paths.runLog, { id }),
      events: baseUrl + fill(paths.runEvents, { id }),
      cancel: baseUrl + fill(paths.runCancel, { id }),
    },
  };
}

function executionSeconds({ startedAt, finishedAt }: Run): number | null {
  if (startedAt === null || finishedAt === null) return null;
  return (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
}

/** Event of a run -> wire object; the failure that ends a run is worded as in the run itself. */
export function eventView({ runId, seq, at, kind, data }: RunEvent): Readonly<Record<string, unknown>> {
  const { error } = data;
  const shown = isFailure(error) ? { ...data, error: failureView(error) } : data;
  return { seq, run_id: runId, at, kind, data: shown };
}

/** A stored failure as the error that it was. */
export function storedError(failure: RunFailure, details: DomainError['details'] = {}): DomainError {
  const told = failure.details === undefined ? {} : { details: failure.details };
  return new DomainError(failure.code, failure.message, {
    fields: failureFields(failure),
    details: { ...told, ...details },
  });
}

function failureView(failure: RunFailure): NonNullable<RunView['error']> {
  const { code, message, fields } = toWire(storedError(failure));
  const told = failure.details === undefined ? {} : { details: failure.details };
  if (Object.keys(fields).length === 0) return { code, message, ...told };
  return {
    code,
    message,
    ...told,
    fields: Object.fromEntries(Object.entries(fields).map(([name, sentences]) => [name, [...sentences]])),
  };
}

// Events come from the store, where a failure was written by `stateEventData`.
function isFailure(value: unknown): value is RunFailure {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}
