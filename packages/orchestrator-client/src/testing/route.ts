import { isAtLeast } from '../api/dialect.ts';
import type { World } from './world.ts';
import type { FakeAnswer } from './wire.ts';
import type { Wire } from './wire.ts';

/** Input of a route's handler. */
export interface RouteCall {
  readonly world: World;
  readonly wire: Wire;
  /** Segments of the path by the names of the pattern, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly accept: string;
}

/** A route of the fake orchestrator's API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `dags/:dag/dagRuns`, below `/api/v1` or `/api/v2`. */
  readonly pattern: string;
  /**
   * Query parameters that v1 accepts: `name`, or `name>=2.10` if it exists since Airflow 2.10. v1 responds with 400 to any other parameter.
   */
  readonly query: readonly string[];
  /** True = needs no credentials. */
  readonly isPublic?: true;
  /**
   * Finds a fault of the body; undefined = no fault. v1 reports this fault before it checks the credentials, and v2
   * reports it after this check.
   */
  readonly bodyFault?: (body: unknown, wire: Wire) => FakeAnswer | undefined;
  readonly handle: (call: RouteCall) => FakeAnswer;
}

/** Returns the parameters of a path, or undefined if it does not match. */
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

/** Decodes a path once; returns it unchanged if it is invalid. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** True if a route of `v1` accepts this query parameter at this version. */
export function takesQuery({ query }: Route, name: string, version: string): boolean {
  return query.some((known) => {
    const [itsName, since = '0.0'] = known.split('>=');
    const [major = 0, minor = 0] = since.split('.').map(Number);
    return itsName === name && isAtLeast(version, [major, minor]);
  });
}

/** The error response to an invalid limit or offset of a list; undefined = no fault. */
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

/** Returns a page of a list; a limit above the maximum is silently lowered. */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  { usual, most }: { usual: number; most: number },
): readonly T[] {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? usual);
  return all.slice(offset, offset + Math.min(limit === 0 ? usual : limit, most));
}
