import { DomainError } from '@headwater/core';
import type { ZodType } from 'zod';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly expected?: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** Checks a value and returns it typed; throws `validation` with flat field messages in the live system's wording. */
export function checked<T>(schema: ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw fieldErrors(result.error.issues, value);
}

/** zod issues -> one `validation` error: `{field: [messages]}`, whole-body problems under `non_field_errors`. */
function fieldErrors(issues: readonly Issue[], value: unknown): DomainError {
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const issue of issues) {
    const field = issue.path.length === 0 ? 'non_field_errors' : issue.path.map(String).join('.');
    const text = wording(issue, value);
    // Both sides of an intersection complain of the same body.
    if (fields[field]?.includes(text) !== true) (fields[field] ??= []).push(text);
  }
  const message = Object.entries(fields)
    .map(([field, messages]) => `${field}: ${messages.join(' ')}`)
    .join('; ');
  return new DomainError('validation', message, { fields });
}

function wording(issue: Issue, root: unknown): string {
  const value = valueAt(root, issue.path);
  if (issue.path.length === 0 && !isObject(value)) {
    return `Invalid data. Expected a dictionary, but got ${kindOf(value)}.`;
  }
  if (issue.code !== 'custom' && value === undefined) return 'This field is required.';
  if (issue.code !== 'custom' && value === null) return 'This field may not be null.';
  if (issue.params?.['rule'] === 'blank') return 'This field may not be blank.';
  if (issue.code === 'invalid_type' && issue.expected === 'string' && issue.message.startsWith('Invalid input'))
    return 'Not a valid string.';
  return issue.message;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
