import { isDomainError } from '@headwater/core';
import type { Ports } from '../deps.ts';
import { absent } from '../wire/absent.ts';
import { computePath, paths } from '../wire/paths.ts';

type Routes = Ports<'pipelines' | 'canCompute'>;

const MOST_NAMED = 3;

/**
 * Paths of at most three pipelines, as text after `POST `. With `names`: only pipelines that publish one of these
 * tables or series. If there are more, the text ends with the number of the other pipelines and the page of all paths.
 * Returns '' without such a pipeline, or if this service cannot compute.
 */
export function computingRoutes({ pipelines, canCompute }: Routes, names?: readonly string[]): string {
  if (!canCompute) return '';
  const matching = pipelines.filter(
    ({ data = [] }) => names === undefined || data.some((each) => names.includes(each)),
  );
  const shown = matching.slice(0, MOST_NAMED).map(({ route }) => computePath(route));
  const others = matching.length - shown.length;
  return shown.join(' or POST ') + (others === 0 ? '' : ` (or ${others} other routes: GET ${paths.docs})`);
}

/** Returns the result of work with a tehsil's tables. Without tables, the error names the routes that compute them. */
export async function withRoutes<T>(deps: Routes, tehsil: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const kind = isDomainError(error) ? error.details['kind'] : undefined;
    if (kind === 'sheets' || kind === 'tables') throw absent(kind, { tehsil, routes: tableRoutes(deps) });
    throw error;
  }
}

/** Header `Link` with at most three requests that compute layers. Empty if this service cannot compute. */
export function computingLink({ pipelines, canCompute, baseUrl }: Routes & Ports<'baseUrl'>): {
  readonly link?: string;
} {
  if (!canCompute || pipelines.length === 0) return {};
  const target = (route: string): string =>
    `<${baseUrl}${computePath(route)}>; rel="create-form"; title="POST computes a layer"`;
  const links = pipelines.slice(0, MOST_NAMED).map(({ route }) => target(route));
  return { link: links.join(', ') };
}

/** Paths of the pipelines that publish tables or series, as text of `computingRoutes`. */
export function tableRoutes(deps: Routes): string {
  const tables = deps.pipelines.flatMap(({ data = [] }) => data);
  return computingRoutes(deps, tables);
}

/** Hosting platform of files that this service serves. */
export const OWN_PLATFORM = 'headwater';
