import { Readable } from 'node:stream';
import { nativePaths, type NodeExchange, nodeRequest, type Service } from '@headwater/http-service';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';

/** Options of the plugin. Fastify's own option `prefix` mounts the plugin below a path. */
export interface HeadwaterPluginOptions {
  readonly service: Service;
  /**
   * If true, the service handles all paths below the prefix, and responds to unknown paths and methods with its own
   * errors instead of the host's 404. Default: false. Requests whose address Fastify cannot decode never reach a
   * plugin; use `frameworkErrors` for these requests.
   */
  readonly catchAll?: boolean;
  /**
   * If false, the service stays open when Fastify closes. Default: true. The service closes before Fastify does, and
   * ends its own event streams.
   */
  readonly closesService?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Ids of the service's operations at this route, by method, for logs and metrics of the host. */
    readonly operationIds?: Readonly<Record<string, string>>;
  }
}

/**
 * Codes of errors that Fastify throws before a handler runs: for an unsupported content type, and for a QUERY request without a content
 * type. The service responds to these requests itself.
 */
const REFUSED_EARLY = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE']);

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Fastify plugin for the service: `app.register(headwaterPlugin, { service })`. The plugin replaces content parsers
 * only in its own scope. The routes, parsers, 404 and error handler of the host do not change.
 */
export const headwaterPlugin: FastifyPluginCallback<HeadwaterPluginOptions> = (app, options, done) => {
  const { service, catchAll = false, closesService = true } = options;
  const handle = handlerOf(service, app.prefix.length);
  app.removeAllContentTypeParsers();
  // '*' already includes JSON. JSON is named too, because Fastify caches the parser of a named type, but searches the
  // parser for '*' again in each request.
  app.addContentTypeParser(['application/json', '*'], (_request, payload, parsed) => parsed(null, payload));
  app.setErrorHandler((error: { code?: string }, request, reply) => {
    if (REFUSED_EARLY.has(error.code ?? '')) handle(request, reply);
    else throw error;
  });
  if (catchAll) app.setNotFoundHandler(handle);
  addRoutes(app, service, handle);
  // `onClose` would be too late: Fastify calls it after all responses are sent. Event streams end only when the service closes.
  if (closesService) app.addHook('preClose', () => service.close());
  done();
};

// Metadata in the format of the package fastify-plugin. Unlike a plugin that fastify-plugin wraps, this plugin keeps its own scope. With this metadata,
// another major version of Fastify refuses the plugin, and the error names the plugin.
Object.assign(headwaterPlugin, {
  [Symbol.for('plugin-meta')]: { name: '@headwater/http-adapter-fastify', fastify: '5.x' },
});

/**
 * Handles requests whose address Fastify cannot decode, for a host that serves nothing except Headwater: `fastify({ frameworkErrors:
 * frameworkErrors(service) })`.
 */
export function frameworkErrors(
  service: Service,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  const handle = handlerOf(service, 0);
  return (_error, request, reply) => handle(request, reply);
}

/** Maximum length of a path parameter. Ids of Items can exceed Fastify's default limit of 100 characters. */
const LONGEST_PARAMETER = 500;

/**
 * Adds a route for each path of the service; all other paths stay with the host. If the host's `maxParamLength` is too small for ids of
 * Items, paths that end with a parameter after a fixed segment also get a wildcard route. A request to a wildcard route gets the host's
 * 404 if its path is not a path of the service.
 */
function addRoutes(app: FastifyInstance, service: Service, handle: Handler): void {
  const { ignoreTrailingSlash, ignoreDuplicateSlashes, maxParamLength = 100 } = routerOptionsOf(app);
  const asRouted = (url: string): string => {
    const single = ignoreDuplicateSlashes === true ? url.replace(/\/{2,}/g, '/') : url;
    return ignoreTrailingSlash === true ? single.replace(/(?<=.)\/$/, '') : single;
  };
  const add = (url: string, handler: Handler, path = url): void => {
    // A method that already has a route is left out. That route belongs to the host or to another path of the service. Two paths can have
    // one route if the host ignores trailing or duplicate slashes.
    const method = app.supportedMethods.filter(
      (each) => !app.hasRoute({ method: each, url: asRouted(app.prefix + url) }),
    );
    if (method.length === 0) return;
    const named = method.map((each) => [each, service.operation(each, path)?.id] as const);
    const operationIds = Object.fromEntries(named.flatMap(([each, id]) => (id === undefined ? [] : [[each, id]])));
    app.route({ method, url: asRouted(url), handler, config: { operationIds } });
  };
  const ifOwned: Handler = (request, reply) => {
    if (service.owns(request.url.slice(app.prefix.length))) handle(request, reply);
    else reply.callNotFound();
  };
  for (const path of nativePaths(service)) {
    add(path, handle);
    const wildcard = path.replace(/:\w+\/?$/, '*');
    if (wildcard !== path && maxParamLength < LONGEST_PARAMETER && /\/[^/:*]/.test(wildcard))
      add(wildcard, ifOwned, path);
  }
}

// Hosts set router options in `routerOptions`. In older versions of Fastify, hosts set them directly among all other
// options.
function routerOptionsOf({ initialConfig }: FastifyInstance): FastifyInstance['initialConfig'] {
  return { ...initialConfig, ...initialConfig.routerOptions };
}

// The handler returns no promise. Fastify would wait for a promise and then check the reply again, which takes time.
function handlerOf(service: Service, prefix: number): Handler {
  return (request, reply) => {
    const { raw: message, ip: remoteAddress, ips } = request;
    const url = prefix === 0 ? request.url : request.url.slice(prefix);
    // The content parser of the plugin passes on the stream of the body. If `request.body` is something else, a hook of the
    // host has parsed the body.
    const parsedBody = request.body === message ? undefined : request.body;
    // `ips` lists addresses from the connection's peer to the client. All of these addresses except that of the client
    // belong to trusted proxies. Without trusted proxies `ips` is undefined.
    const trustedHops = (ips?.length ?? 1) - 1;
    void respond(service, reply, { message, response: reply.raw, url, remoteAddress, trustedHops, parsedBody });
  };
}

async function respond(service: Service, reply: FastifyReply, exchange: NodeExchange): Promise<void> {
  try {
    const { status, headers, body } = await service.execute(nodeRequest(exchange));
    reply.code(status);
    for (const name in headers) reply.header(name, headers[name]);
    reply.send(body instanceof ReadableStream ? Readable.fromWeb(body) : body);
  } catch (error) {
    reply.send(error);
  }
}
