import { isDomainError } from '@headwater/core';
import type { Ports } from '../deps.ts';
import { absent } from '../wire/absent.ts';
import { computePath, paths } from '../wire/paths.ts';

/** Pipelines of this service; `canCompute` is true if their routes can compute. */
type Routes = Ports<'pipelines' | 'canCompute'>;

/** Maximum number of paths in a message, so that the sentence stays readable if the service has many pipelines. */
const MOST_NAMED = 3;

/**
 * Paths of the pipelines that publish one of the tables or series `names`; without `names`, of all pipelines. The text contains the
 * first paths, and the page that lists all other paths. The message that contains the text has `POST` before it. The text is '' if
 * this service cannot compute.
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

/**
 * Returns the result of work with the tables of a tehsil. If the tehsil has no tables, the error names the tehsil and the routes that
 * compute tables.
 */
export async function withRoutes<T>(deps: Routes, tehsil: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const kind = isDomainError(error) ? error.details['kind'] : undefined;
    if (kind === 'sheets' || kind === 'tables') throw absent(kind, { tehsil, routes: tableRoutes(deps) });
    throw error;
  }
}

/**
 * Headers for a response whose body cannot name the requests that compute layers: the header `Link` has these requests. No headers
 * if this service cannot compute.
 */
export function computingLink({ pipelines, canCompute, baseUrl }: Routes & Ports<'baseUrl'>): {
  readonly link?: string;
} {
  if (!canCompute || pipelines.length === 0) return {};
  const target = (route: string): string =>
    `<${baseUrl}${computePath(route)}>; rel="create-form"; title="POST computes a layer"`;
  const links = pipelines.slice(0, MOST_NAMED).map(({ route }) => target(route));
  return { link: links.join(', ') };
}

/** Paths of the pipelines that publish tables, as in `computingRoutes`. */
export function tableRoutes(deps: Routes): string {
  const tables = deps.pipelines.flatMap(({ data = [] }) => data);
  return computingRoutes(deps, tables);
}

/** Hosting platform of files that this service serves. */
export const OWN_PLATFORM = 'headwater';
