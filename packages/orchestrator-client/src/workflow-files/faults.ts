import type { z } from 'zod';

/** A fault of one value, with its remedy. */
export interface WorkflowFault {
  /** Path such as `pipelines[0].title` or `!DAG.alg_type_nodes[1]`; empty for the whole file. */
  readonly field: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A fault with its position in a file. */
export interface FileFault extends WorkflowFault {
  /** One of `WORKFLOW_FILES`. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
}

/** Maximum number of reported faults. An invalid file could have a fault on every line. */
const MOST_FAULTS = 100;

/** Keeps the first `MOST_FAULTS` faults, and counts the others in a last fault. */
export class FaultList<F extends WorkflowFault> {
  readonly #listed: F[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(fault: F): void {
    this.#count += 1;
    if (this.#listed.length <= MOST_FAULTS) this.#listed.push(fault);
  }

  list(): readonly F[] {
    const next = this.#listed[MOST_FAULTS];
    if (next === undefined) return this.#listed;
    const more = this.#count - MOST_FAULTS - 1;
    const problem = `has a fault${more === 0 ? '' : `, and ${more} more follow`}`;
    return [...this.#listed.slice(0, MOST_FAULTS), { ...next, problem, remedy: 'correct the faults above first' }];
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  array: 'write a list, [] if it has no members',
  object: 'write a mapping of names and values, or leave it out if it is optional',
  boolean: 'write true or false without quotation marks',
  string: 'write a text, in quotation marks if it looks like a number or a date',
  int: 'write a whole number',
  number: 'write a number',
};

/** Describes an issue of a schema; `found`: value at its path. */
export function wordIssue(issue: z.core.$ZodIssue, found: unknown): Omit<WorkflowFault, 'field'> {
  if (issue.code === 'custom')
    return { problem: issue.message, remedy: String(issue.params?.['remedy'] ?? 'correct it') };
  if (issue.code === 'invalid_type')
    return {
      problem: found === undefined ? 'is missing' : `is ${kindOf(found)}, not ${issue.expected}`,
      remedy: REMEDIES[issue.expected] ?? `write a value of the kind ${issue.expected}`,
    };
  if (issue.code === 'invalid_value')
    return { problem: `is ${shown(found)}, which is not known`, remedy: `write one of ${issue.values.join(', ')}` };
  if (issue.code === 'invalid_union')
    return { problem: `is ${kindOf(found)}, which is not allowed here`, remedy: issue.message };
  if (issue.code === 'too_small')
    return { problem: 'has too few members or is too small', remedy: `give at least ${String(issue.minimum)}` };
  return { problem: 'is invalid', remedy: issue.message };
}

/** Value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

/** `['params', 0, 'name']` -> `params[0].name`. */
export function fieldOf(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

/** A value for a message: shortened, on one line. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  return typeof value === 'object' ? 'a mapping' : `the ${typeof value} ${shown(value)}`;
}
