import type { Operation } from '../operation.ts';
import { decode } from './query.ts';

/** A path of the table with its rows by method. */
export interface Route {
  readonly path: string;
  readonly segments: readonly string[];
  readonly methods: ReadonlyMap<string, Operation>;
  /** Value of `Allow`: what the rows offer, HEAD beside GET, OPTIONS always. */
  readonly allow: string;
}

/** A route that matched, with its still encoded parameters. */
export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>> | undefined;
}

/** Finds the route of a path; undefined when none matches. */
export type Router = (path: string) => Match | undefined;

/** Groups rows by path; throws when two rows share a method and a path, or an id. */
export function compileRoutes(operations: readonly Operation[]): readonly Route[] {
  const byPath = new Map<string, Map<string, Operation>>();
  const ids = new Set<string>();
  for (const row of operations) {
    const methods = byPath.get(row.path) ?? new Map<string, Operation>();
    if (methods.has(row.method)) throw new Error(`operations: two rows for ${row.method} ${row.path}`);
    if (ids.has(row.id)) throw new Error(`operations: two rows named ${row.id}`);
    ids.add(row.id);
    methods.set(row.method, row);
    byPath.set(row.path, methods);
  }
  return [...byPath].map(([path, methods]) => ({ path, segments: split(path), methods, allow: allowOf(methods) }));
}

/** Exact paths by one lookup, the others by their number of segments; a trailing slash or none is the same path. */
export function compileRouter(routes: readonly Route[]): Router {
  const fixed = new Map<string, Match>();
  const dynamic = new Map<number, Route[]>();
  for (const route of routes) {
    if (!route.path.includes(':')) fixed.set(trim(route.path), { route, params: undefined });
    else dynamic.set(route.segments.length, [...(dynamic.get(route.segments.length) ?? []), route]);
  }
  for (const list of dynamic.values()) list.sort((a, b) => literals(b) - literals(a));
  return (path) => {
    const exact = fixed.get(trim(path));
    if (exact !== undefined) return exact;
    const segments = split(path);
    for (const route of dynamic.get(segments.length) ?? []) {
      const params = bind(route.segments, segments);
      if (params !== undefined) return { route, params };
    }
    return undefined;
  };
}

/** Decodes matched parameters; throws `parse` for bad escapes. */
export function decodeParams(params: Match['params']): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(params ?? {})) result[name] = decode(value, name);
  return result;
}

function bind(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = segments[index] ?? '';
    if (part.startsWith(':')) {
      if (value === '') return undefined;
      params[part.slice(1)] = value;
    } else if (part !== value) return undefined;
  }
  return params;
}

function literals(route: Route): number {
  return route.segments.filter((part) => !part.startsWith(':')).length;
}

function trim(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function split(path: string): readonly string[] {
  return trim(path).split('/');
}

function allowOf(methods: ReadonlyMap<string, Operation>): string {
  const names = [...methods.keys()];
  return [...names, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
