import { decode } from '../reading/query.ts';
import { segmentsOf, trimmed, type Route } from './route.ts';

/** Matching route with undecoded parameters. */
export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>> | undefined;
}

/** Finds the route of a path. */
export type Router = (path: string) => Match | undefined;

/** Compiles the router. It ignores a trailing slash. */
export function compileRouter(routes: readonly Route[]): Router {
  const fixed = new Map<string, Match>();
  const dynamic = new Map<number, Route[]>();
  for (const route of routes) {
    if (!route.path.includes(':')) fixed.set(trimmed(route.path), { route, params: undefined });
    else dynamic.set(route.segments.length, [...(dynamic.get(route.segments.length) ?? []), route]);
  }
  for (const list of dynamic.values()) list.sort((a, b) => literals(b) - literals(a));
  return (path) => {
    const exact = fixed.get(trimmed(path));
    if (exact !== undefined) return exact;
    const segments = segmentsOf(path);
    for (const route of dynamic.get(segments.length) ?? []) {
      const params = bind(route.segments, segments);
      if (params !== undefined) return { route, params };
    }
    return undefined;
  };
}

/** Decodes matched parameters. Throws `parse` for invalid escapes. */
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
