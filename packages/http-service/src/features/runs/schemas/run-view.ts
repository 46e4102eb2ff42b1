import { DomainError, type Run, type RunEvent, type RunFailure } from '@headwater/core';
import { failureFields, hasEnded, isScopeRun, withoutBulk } from '@headwater/core/runs';
import { isObject } from '@headwater/core/values';
import type { z } from 'zod';
import { wireNames } from '../../../wire/names.ts';
import { fill, paths } from '../../../wire/paths.ts';
import type { RunSummary } from './runs.ts';
import { toWire } from '../../../wire/wire-error.ts';

/** A run in wire form, without its publications and scenes. */
export type RunView = z.infer<typeof RunSummary>;

/** Converts a run into its wire form with absolute links. `baseUrl` has no trailing slash. */
export function runView(run: Run, baseUrl: string): RunView {
  const { id } = run;
  return {
    run_id: id,
    task_id: id,
    parent_run_id: run.parentId,
    after: [...run.after],
    pipeline: run.pipeline,
    params: paramsView(run),
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
      ...(isScopeRun(run) ? { tehsils: baseUrl + fill(paths.runTehsils, { id }) } : {}),
    },
  };
}

/**
 * Parameters of a run in wire form. For a run over a district or a state, they include the fields of the request that
 * starts the run of each tehsil.
 */
function paramsView(run: Run): Record<string, unknown> {
  const { request, ...params } = withoutBulk(run.params);
  if (!isScopeRun(run) || !isObject(request)) return { ...wireNames(withoutBulk(run.params)) };
  return { ...wireNames(params), ...wireNames(request) };
}

function executionSeconds({ startedAt, finishedAt }: Run): number | null {
  if (startedAt === null || finishedAt === null) return null;
  return (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
}

/** Converts an event of a run into its wire form. */
export function eventView({ runId, seq, at, kind, data }: RunEvent): Readonly<Record<string, unknown>> {
  const { error } = data;
  const shown = isFailure(error) ? { ...data, error: failureView(error) } : data;
  return { seq, run_id: runId, at, kind, data: shown };
}

/** Converts a stored failure back to its error. */
export function storedError(failure: RunFailure, details: DomainError['details'] = {}): DomainError {
  const stored = failure.details === undefined ? {} : { details: failure.details };
  return new DomainError(failure.code, failure.message, {
    fields: failureFields(failure),
    details: { ...stored, ...details },
  });
}

function failureView(failure: RunFailure): NonNullable<RunView['error']> {
  const { code, message, fields } = toWire(storedError(failure));
  const stored = failure.details === undefined ? {} : { details: failure.details };
  if (Object.keys(fields).length === 0) return { code, message, ...stored };
  return {
    code,
    message,
    ...stored,
    fields: Object.fromEntries(Object.entries(fields).map(([name, sentences]) => [name, [...sentences]])),
  };
}

// Checking two members is enough, because `stateEventData` has written all failures.
function isFailure(value: unknown): value is RunFailure {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}
