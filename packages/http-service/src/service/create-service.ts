import type { Operation } from '../rows/operation.ts';
import type { Service } from '../seam/request.ts';
import type { RequestCounter } from './request-counter.ts';
import { createExecute, type Execute, type ExecuteOptions } from './execute.ts';
import { mountedLinks } from './mounted-links.ts';
import { splitUrl } from './request-line.ts';
import { compileRoutes } from './route.ts';
import { compileRouter } from './router.ts';

/** Options of `createService`. */
export interface ServiceOptions extends Omit<
  ExecuteOptions,
  'router' | 'isRefusing' | 'mountedLinks' | 'requestCounter'
> {
  /** True if only some features are mounted; links to operations that are not mounted are then removed. */
  readonly isPart?: boolean;
  readonly operations: readonly Operation[];
  /** Default maximum size of a body, bytes. */
  readonly bodyLimit: number;
  readonly onClose: () => Promise<void>;
  readonly requestCounter: RequestCounter;
}

/** Service, and the function that answers requests that the service sends to itself. */
export interface OwnService {
  /** The service; it refuses requests while it closes. */
  readonly service: Service;
  /**
   * Answers requests that the service sends to itself (to read the status of its own addresses), also while it
   * closes. They are not counted as requests in progress.
   */
  readonly executeOwn: Execute;
}

/** Compiles the table of operations to a service. Throws if operations clash. */
export function createService({
  operations,
  onClose,
  bodyLimit,
  requestCounter,
  isPart = false,
  ...given
}: ServiceOptions): OwnService {
  const routes = compileRoutes(operations, { bodyLimit, host: given.deps.auth.host });
  const router = compileRouter(routes);
  const isMounted = (path: string): boolean => router(path) !== undefined;
  const links = isPart ? mountedLinks({ baseUrl: given.deps.baseUrl, isMounted }) : undefined;
  const options = { ...given, mountedLinks: links };
  let closing: Promise<void> | undefined;
  const { closing: whenClosing } = options.deps;
  const execute = createExecute({ ...options, router, isRefusing: () => whenClosing.aborted, requestCounter });
  const service: Service = {
    paths: routes.map(({ path }) => path),
    execute,
    operation: (method, url) => {
      const route = router(splitUrl(url).path)?.route;
      const row = route?.plans.get(method === 'HEAD' ? 'GET' : method)?.row;
      return row === undefined ? undefined : { id: row.id, path: row.path };
    },
    owns: (url) => router(splitUrl(url).path) !== undefined,
    close: () => (closing ??= onClose()),
  };
  return { service, executeOwn: createExecute({ ...options, router, isRefusing: () => false }) };
}

/**
 * All forms of the service's paths that a host must route: with and without trailing slash, and with two leading
 * slashes.
 */
export function nativePaths(service: Pick<Service, 'paths'>): readonly string[] {
  return service.paths.flatMap((path) => {
    if (path === '/') return [path];
    const bare = path.replace(/\/$/, '');
    return [bare, `${bare}/`, `/${bare}`, `/${bare}/`];
  });
}
