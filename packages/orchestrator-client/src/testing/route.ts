import { isAtLeast } from '../api/dialect.ts';
import type { World } from './world.ts';
import type { FakeAnswer } from './wire.ts';
import type { Wire } from './wire.ts';

/** Input of a handler. */
export interface RouteCall {
  readonly world: World;
  readonly wire: Wire;
  /** Path segments by name, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly accept: string;
}

/** A route of the fake. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `dags/:dag/dagRuns`, below `/api/v1` or `/api/v2`. */
  readonly pattern: string;
  /** Query parameters of v1: `name`, or `name>=2.10` since Airflow 2.10; others get 400. */
  readonly query: readonly string[];
  /** True: needs no credentials. */
  readonly isPublic?: true;
  /** Fault of the body, if any. v1 reports the fault before the check of credentials, v2 after this check. */
  readonly bodyFault?: (body: unknown, wire: Wire) => FakeAnswer | undefined;
  readonly handle: (call: RouteCall) => FakeAnswer;
}

/** Parameters of a path; undefined if it does not match. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [names, segments] = [pattern.split('/'), path.split('/')];
  if (names.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = decoded(segment);
    else if (name !== segment) return undefined;
  }
  return params;
}

/** Decodes a path once; invalid paths stay unchanged. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** True if `v1` accepts this parameter at this version. */
export function takesQuery({ query }: Route, name: string, version: string): boolean {
  return query.some((known) => {
    const [itsName, since = '0.0'] = known.split('>=');
    const [major = 0, minor = 0] = since.split('.').map(Number);
    return itsName === name && isAtLeast(version, [major, minor]);
  });
}

/** Error response to an invalid limit or offset, if any. */
export function pageFault({ query, wire }: RouteCall): FakeAnswer | undefined {
  for (const name of ['limit', 'offset'] as const) {
    const value = query.get(name);
    if (value === null || /^\d+$/.test(value)) continue;
    if (wire.api === 'v2') return wire.invalid(name, 'Input should be a valid integer from 0');
    const isNumber = /^-\d+$/.test(value);
    if (isNumber && name === 'limit')
      return wire.problem({ status: 400, title: 'Page limit must be a positive integer', detail: null });
    const detail = isNumber
      ? `${value} is less than the minimum of 0`
      : `Wrong type, expected 'integer' for query parameter '${name}'`;
    return wire.problem({ status: 400, title: 'Bad Request', detail });
  }
  return undefined;
}

/** A page of a list; a limit above the maximum is lowered. */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  { usual, most }: { usual: number; most: number },
): readonly T[] {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? usual);
  return all.slice(offset, offset + Math.min(limit === 0 ? usual : limit, most));
}
