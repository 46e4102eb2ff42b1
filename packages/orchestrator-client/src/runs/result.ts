import type { TaskKey } from '../api/orchestrator-api.ts';
import { isAtLeast } from '../api/dialect.ts';
import { isOrchestratorError, OrchestratorError } from '../errors.ts';
import { parseRepr } from '@headwater/net/python-literal';
import type { Work } from './until-stored.ts';

/** Key under which a task's return value is stored. */
export const RETURN_VALUE = 'return_value';

/** Map index of a task that is not mapped. */
const UNMAPPED = -1;

/**
 * Reads the value that a task returned, as JSON. Airflow before 2.10 sends Python's repr: a dictionary or list is parsed from
 * it, any other value stays a text.
 */
export async function readResult(
  work: Work,
  task: TaskKey,
  options: { readonly key: string; readonly signal?: AbortSignal | undefined },
): Promise<unknown> {
  const { api } = work;
  const value = await api.xcom(task, options.key, options.signal).catch(async (error: unknown) => {
    throw isOrchestratorError(error, 'not_found') ? await explained(error, { work, task, ...options }) : error;
  });
  if (typeof value !== 'string' || isAtLeast(await api.knownVersion(), [2, 10])) return value;
  if (!/^\s*[[{(]/.test(value)) return value;
  const literal = parseRepr(value);
  return literal === undefined ? value : literal.value;
}

interface Missing {
  readonly work: Work;
  readonly task: TaskKey;
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
}

/** Adds the explanation to a `not_found` error if the run has no such task, or the task has no such result. */
async function explained(notFound: OrchestratorError<'not_found'>, missing: Missing): Promise<OrchestratorError> {
  const why = await whyMissing(missing).catch(() => undefined);
  if (why === undefined) return notFound;
  return new OrchestratorError('not_found', `${why} ${notFound.message}`, {
    details: notFound.details,
    cause: notFound,
  });
}

/** Explains a missing result from one page of the run's tasks; undefined if the task may be on a further page. */
async function whyMissing({ work, task, key, signal }: Missing): Promise<string | undefined> {
  const { taskId, mapIndex = UNMAPPED, runId } = task;
  const { entries, total } = await work.api.tasks(task, 0, signal);
  const named = entries.filter((each) => each.taskId === taskId);
  const name = JSON.stringify(taskId);
  const found = named.find((each) => each.mapIndex === mapIndex);
  if (found !== undefined) {
    const what = key === RETURN_VALUE ? 'returned nothing' : `stored nothing under ${JSON.stringify(key)}`;
    return `Task ${name} is ${found.state ?? 'not started'} and ${what}.`;
  }
  if (entries.length < total) return undefined;
  if (named.length > 0)
    return `Task ${name} has no mapIndex ${mapIndex}; it has: ${named.map((each) => each.mapIndex).join(', ')}.`;
  const known = [...new Set(entries.map((each) => each.taskId))].toSorted().join(', ');
  return `There is no task ${name} in run ${runId}; it has: ${known === '' ? 'none' : known}.`;
}
