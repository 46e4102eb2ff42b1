import { hasEnded, type Run } from '@headwater/core';
import type { z } from 'zod';
import type { RunSummary } from '../schemas/runs.ts';

/** A run on the wire, without its Items. */
export type RunView = z.infer<typeof RunSummary>;

/** Run -> wire object (snake_case); links are absolute, `baseUrl` has no trailing slash. */
export function runView(run: Run, baseUrl: string): RunView {
  const self = `${baseUrl}/api/v1/runs/${run.id}/`;
  return {
    run_id: run.id,
    task_id: run.id,
    pipeline: run.pipeline,
    params: snakeKeys(run.params),
    state: run.state,
    status: run.state,
    done: hasEnded(run),
    progress: run.progress,
    step: run.step,
    attempt: run.attempt,
    cancel_requested: run.cancelRequested,
    error: run.error === null ? null : errorView(run.error),
    item_ids: [...run.itemIds],
    timings: run.timings,
    created_at: run.createdAt,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    execution_time: executionSeconds(run),
    links: { self, log: `${self}log/`, events: `${self}events/`, cancel: `${self}cancel/` },
  };
}

function executionSeconds({ startedAt, finishedAt }: Run): number | null {
  if (startedAt === null || finishedAt === null) return null;
  return (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
}

function errorView({ code, message, fields }: NonNullable<Run['error']>): NonNullable<RunView['error']> {
  if (fields === undefined) return { code, message };
  return {
    code,
    message,
    fields: Object.fromEntries(Object.entries(fields).map(([name, texts]) => [name, [...texts]])),
  };
}

// Stored parameters are camelCase; on the wire every name is snake_case.
function snakeKeys(params: Run['params']): Record<string, unknown> {
  const entries = Object.entries(params);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
