import type { Ports } from '../deps.ts';
import { computePath } from '../wire/paths.ts';

/** Which routes of this service are meant, and whether they can compute. */
type Routes = Ports<'pipelines' | 'canCompute'>;

/**
 * Routes that make something, as `POST` is to be put before them: those of pipelines that publish one of these tables or series, or of all
 * pipelines. '' where none can be computed.
 */
export function makingRoutes({ pipelines, canCompute }: Routes, names?: readonly string[]): string {
  if (!canCompute) return '';
  const makers = pipelines.filter(({ data = [] }) => names === undefined || data.some((each) => names.includes(each)));
  return makers.map(({ route }) => computePath(route)).join(' or POST ');
}
