import type { World } from './world.ts';
import type { FakeAnswer } from './answer.ts';
import type { Wire } from './wire.ts';

/** What a handler is given. */
export interface RouteCall {
  readonly world: World;
  readonly wire: Wire;
  /** Segments of the path by the names of the pattern, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly accept: string;
}

/** A call of the interface. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `dags/:dag/dagRuns`, below `/api/v1` or `/api/v2`. */
  readonly pattern: string;
  /** Query parameters that it knows; v1 answers 400 to any other. */
  readonly query: readonly string[];
  /** False = needs no credentials. */
  readonly isPublic?: true;
  /** A fault of the body, found before the credentials are looked at; undefined = none. */
  readonly bodyFault?: (body: unknown, wire: Wire) => FakeAnswer | undefined;
  readonly handle: (call: RouteCall) => FakeAnswer;
}

/** Parameters of a path, or undefined where it is another. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [names, segments] = [pattern.split('/'), path.split('/')];
  if (names.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = decodeURIComponent(segment);
    else if (name !== segment) return undefined;
  }
  return params;
}

/** A page of a list: offset, and a limit that is lowered in silence to the most. */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  { usual, most }: { usual: number; most: number },
): readonly T[] {
  const offset = Number(query.get('offset') ?? 0);
  return all.slice(offset, offset + Math.min(Number(query.get('limit') ?? usual), most));
}
