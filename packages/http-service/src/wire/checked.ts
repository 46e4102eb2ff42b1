import { isObject } from '@headwater/core/values';
import { z, type ZodType } from 'zod';
import { RequestError } from './request-error.ts';
import { sentenceOf, sentences } from './sentences.ts';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly expected?: string;
  readonly params?: unknown;
}

/**
 * Validates a value and returns it typed. Throws a `RequestError` with all wrong fields; `non_field_errors` is about
 * the whole body.
 */
export function checked<T>(schema: ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusal(result.error.issues, value);
}

function refusal(issues: readonly Issue[], value: unknown): RequestError {
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const issue of issues) {
    const field = issue.path.length === 0 ? 'non_field_errors' : issue.path.map(String).join('.');
    const text = wording(issue, value);
    // Added once, because both sides of an intersection of schemas report the same problem.
    if (fields[field]?.includes(text) !== true) (fields[field] ??= []).push(text);
  }
  return new RequestError(fields);
}

function wording(issue: Issue, root: unknown): string {
  const value = valueAt(root, issue.path);
  if (issue.path.length === 0 && !isObject(value)) return sentences.notAnObject(kindOf(value));
  if (issue.code === 'custom') return customSentence(issue);
  if (value === undefined) return sentences.required;
  if (value === null) return sentences.null;
  return ownWords(issue) ?? issue.message;
}

// Sentence about a wrong type; undefined if the schema has its own message.
function ownWords({ code, expected, message }: Issue): string | undefined {
  const isUnworded = code === 'invalid_type' && expected !== undefined && message.startsWith('Invalid input');
  return isUnworded ? sentences.wrongType(expected) : undefined;
}

const Params = z.object({ rule: z.enum(['required', 'null', 'blank', 'too_long']), limit: z.number().exactOptional() });

function customSentence({ message, params, path }: Issue): string {
  const named = Params.safeParse(params);
  return named.success ? sentenceOf({ ...named.data, message }, path.map(String).join('.')) : message;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    root,
  );
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
