import type { AnyPipeline } from './types.ts';

/** The request that members make for a pipeline, or the fields that it asks for and they do not have. */
export type RequestParts =
  | { readonly request: Readonly<Record<string, unknown>> }
  | { readonly lacks: readonly string[] };

/** A request out of members that many pipelines ask for, such as place, years and account: each takes its own. */
export function requestFor(
  { request }: Pick<AnyPipeline, 'request'>,
  members: Readonly<Record<string, unknown>>,
): RequestParts {
  const own = Object.entries(members).filter(([member]) => Object.hasOwn(request.shape, member));
  const parsed = request.safeParse(Object.fromEntries(own));
  if (parsed.success) return { request: parsed.data };
  return { lacks: [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))] };
}
