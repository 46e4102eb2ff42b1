import type { CorsRule, Operation } from '../rows/operation.ts';
import type { ServiceRequest } from '../seam/request.ts';
import { planOf, type RowDefaults, type RowPlan } from './row-plan.ts';

/** A path, and the operations of this path by method. */
export interface Route {
  readonly path: string;
  readonly segments: readonly string[];
  readonly plans: ReadonlyMap<string, RowPlan>;
  /** Plan of the path's first operation. Errors about methods without an operation have its format. */
  readonly first: RowPlan;
  /** Value of `Allow`. */
  readonly allow: string;
}

/** Groups operations by path. Throws one error that lists all clashes. */
export function compileRoutes(operations: readonly Operation[], defaults: RowDefaults): readonly Route[] {
  const clashes = findClashes(operations);
  if (clashes.length > 0) throw new Error(`operations: ${clashes.join('; ')}`);
  return [...Map.groupBy(operations, ({ path }) => path)].map(([path, rows]) => {
    const plans = new Map<string, RowPlan>(rows.map((row) => [row.method, planOf(row, defaults)]));
    const [first] = plans.values();
    if (first === undefined) throw new Error(`operations: no row for ${path}`);
    return { path, segments: segmentsOf(path), plans, first, allow: allowOf(plans) };
  });
}

/**
 * CORS rule of a request. A preflight request gets the rule of the announced method. If no operation has the
 * method: `any` if this is the rule of all operations of the path, otherwise `configured`.
 */
export function corsRuleOf(route: Route, { method, headers }: ServiceRequest): CorsRule {
  const announced = headers['access-control-request-method'];
  const meant = method === 'OPTIONS' && typeof announced === 'string' ? announced : method;
  const plan = route.plans.get(meant === 'HEAD' ? 'GET' : meant);
  if (plan !== undefined) return plan.cors;
  return [...route.plans.values()].every(({ cors }) => cors === 'any') ? 'any' : 'configured';
}

/** One sentence for each clash: operations with equal ids, equal method and path, or two spellings of a path. */
export function findClashes(operations: readonly Operation[]): readonly string[] {
  return [
    ...twice(operations, ({ method, path }) => `${method} ${path}`).map(([key]) => `two rows for ${key}; remove one`),
    ...twice(operations, ({ id }) => id).map(([key]) => `two rows named ${key}; rename one`),
    ...spellings(operations),
  ];
}

function twice(operations: readonly Operation[], key: (row: Operation) => string): [string, readonly Operation[]][] {
  return [...Map.groupBy(operations, key)].filter(([, rows]) => rows.length > 1);
}

// Clashes of two spellings of a path, such as `/a/:id` and `/a/:key/`. The router would use only one, so methods of
// the other would get 405.
function spellings(operations: readonly Operation[]): readonly string[] {
  return twice(operations, ({ path }) => trimmed(path).replace(/:\w+/g, ':'))
    .map(([, rows]) => [...new Set(rows.map(({ path }) => path))])
    .filter((paths) => paths.length > 1)
    .map((paths) => `${paths.join(' and ')} are one path; use one spelling`);
}

/** Path without trailing slash; the root stays `/`. */
export function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Segments of a path; the first is empty. */
export function segmentsOf(path: string): readonly string[] {
  return trimmed(path).split('/');
}

function allowOf(plans: ReadonlyMap<string, RowPlan>): string {
  const names = [...plans.keys()];
  return [...names, ...(plans.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
