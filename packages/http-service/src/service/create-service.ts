import type { Operation } from '../operation.ts';
import type { Service } from '../seam.ts';
import { createExecute, type ExecuteOptions } from './execute.ts';
import { splitUrl } from './request-line.ts';
import { compileRoutes } from './route.ts';
import { compileRouter } from './router.ts';

/** How a service is made of a table. */
export interface ServiceOptions extends Omit<ExecuteOptions, 'router'> {
  readonly operations: readonly Operation[];
  /** Largest body where its row says nothing else, bytes. */
  readonly bodyLimit: number;
  /** Runs once when the service closes. */
  readonly onClose: () => Promise<void>;
}

/** Compiles the table and returns the service that adapters mount. Throws for clashing rows. */
export function createService({ operations, onClose, bodyLimit, ...options }: ServiceOptions): Service {
  const routes = compileRoutes(operations, { bodyLimit });
  const router = compileRouter(routes);
  let closing: Promise<void> | undefined;
  return {
    paths: routes.map(({ path }) => path),
    execute: createExecute({ ...options, router }),
    owns: (url) => router(splitUrl(url).path) !== undefined,
    close: () => (closing ??= onClose()),
  };
}

/**
 * Every form of the service's paths that a host must route: with and without trailing slash, and with the doubled
 * leading slash that some clients send.
 */
export function nativePaths(service: Pick<Service, 'paths'>): readonly string[] {
  return service.paths.flatMap((path) => {
    if (path === '/') return [path];
    const bare = path.replace(/\/$/, '');
    return [bare, `${bare}/`, `/${bare}`, `/${bare}/`];
  });
}
