import type { AnyPipeline } from './types.ts';
import type { Run } from '../ports/runs.ts';

/** The request of a pipeline, or the names of its missing or invalid fields. */
export type RequestParts =
  | { readonly request: Readonly<Record<string, unknown>> }
  | { readonly lacks: readonly string[] };

/** Builds a request from the members that the pipeline's schema contains. */
export function requestFor(
  { request }: Pick<AnyPipeline, 'request'>,
  members: Readonly<Record<string, unknown>>,
): RequestParts {
  const own = Object.entries(members).filter(([member]) => Object.hasOwn(request.shape, member));
  const parsed = request.safeParse(Object.fromEntries(own));
  if (parsed.success) return { request: parsed.data };
  return { lacks: [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))] };
}

/** Parameters of a run without `bulk`, which can be large, and `call`, which is not public. */
export function withoutBulk(params: Run['params']): Run['params'] {
  const { bulk: _bulk, call: _call, ...shown } = params;
  return shown;
}
