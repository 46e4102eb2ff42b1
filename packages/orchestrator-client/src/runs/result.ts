import type { TaskKey } from '../api/orchestrator-api.ts';
import { isAtLeast } from '../api/dialect.ts';
import { parsePythonLiteral } from '../logs/python-literal.ts';
import type { Work } from './work.ts';

/** Key under which a task's return value is stored. */
export const RETURN_VALUE = 'return_value';

/**
 * What a task returned, as JSON. An orchestrator older than 2.10 sends Python's repr: a dictionary or a list is read from it,
 * anything else stays the text that was sent.
 */
export async function readResult(
  { api }: Work,
  task: TaskKey,
  options: { readonly key: string; readonly signal?: AbortSignal | undefined },
): Promise<unknown> {
  const value = await api.xcom(task, options.key, options.signal);
  if (typeof value !== 'string' || isAtLeast(await api.version(), [2, 10])) return value;
  if (!/^\s*[[{(]/.test(value)) return value;
  const literal = parsePythonLiteral(value);
  return literal === undefined ? value : literal.value;
}
