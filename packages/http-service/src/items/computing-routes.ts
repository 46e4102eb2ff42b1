import { isDomainError } from '@headwater/core';
import type { Ports } from '../deps.ts';
import { absent } from '../wire/absent.ts';
import { computePath } from '../wire/paths.ts';

/** Pipelines of this service; `canCompute` is true if their routes can compute. */
type Routes = Ports<'pipelines' | 'canCompute'>;

/**
 * Paths of the pipelines that publish one of these tables or series; without `names`, of all pipelines. It is a text
 * for a message with `POST` before it. '' if this service cannot compute.
 */
export function computingRoutes({ pipelines, canCompute }: Routes, names?: readonly string[]): string {
  if (!canCompute) return '';
  const matching = pipelines.filter(
    ({ data = [] }) => names === undefined || data.some((each) => names.includes(each)),
  );
  return matching.map(({ route }) => computePath(route)).join(' or POST ');
}

/** Runs work with the tables of a tehsil. If the tehsil has no tables, the error names the tehsil and the routes that compute tables. */
export async function withTables<T>(deps: Routes, tehsil: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDomainError(error) || error.details['kind'] !== 'sheets') throw error;
    const tables = deps.pipelines.flatMap(({ data = [] }) => data);
    throw absent('sheets', { tehsil, routes: computingRoutes(deps, tables) });
  }
}

/** Name of the hosting platform for files that this service itself serves. */
export const OWN_PLATFORM = 'headwater';
