import { Readable } from 'node:stream';
import { createNodeAnswer, nativePaths, type Service } from '@headwater/http-service';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';

/** Options of the plugin; Fastify's own option `prefix` sets the path of its routes. */
export interface HeadwaterPluginOptions {
  readonly service: Service;
  /** True: the service responds to all unknown paths and methods below the prefix. Default: false. */
  readonly catchAll?: boolean;
  /** False: the service stays open when Fastify closes. Default: true. */
  readonly closesService?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Ids of the service's operations at this route, by method. */
    readonly operationIds?: Readonly<Record<string, string>>;
  }
}

/** Errors that Fastify throws before a handler runs. The service responds to these requests itself. */
const REFUSED_EARLY = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE']);

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Fastify plugin for the service: `app.register(headwaterPlugin, { service })`. The host's routes and parsers do not
 * change.
 */
export const headwaterPlugin: FastifyPluginCallback<HeadwaterPluginOptions> = (app, options, done) => {
  const { service, catchAll = false, closesService = true } = options;
  const handle = handlerOf(service, app.prefix.length);
  app.removeAllContentTypeParsers();
  // JSON is named too, because Fastify caches only the parsers of named types.
  app.addContentTypeParser(['application/json', '*'], (_request, payload, parsed) => parsed(null, payload));
  app.setErrorHandler((error: { code?: string }, request, reply) => {
    if (REFUSED_EARLY.has(error.code ?? '')) handle(request, reply);
    else throw error;
  });
  if (catchAll) app.setNotFoundHandler(handle);
  addRoutes(app, service, handle);
  // `onClose` would be too late, because event streams end only when the service closes.
  if (closesService) app.addHook('preClose', () => service.close());
  done();
};

// Metadata in the format of fastify-plugin: Fastify refuses the plugin in other major versions.
Object.assign(headwaterPlugin, {
  [Symbol.for('plugin-meta')]: { name: '@headwater/http-adapter-fastify', fastify: '5.x' },
});

/** Handles requests whose address Fastify cannot decode: `fastify({ frameworkErrors: frameworkErrors(service) })`. */
export function frameworkErrors(
  service: Service,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  const handle = handlerOf(service, 0);
  return (_error, request, reply) => handle(request, reply);
}

/**
 * Length of parameters that the service needs, because ids of Items can exceed Fastify's default limit of 100
 * characters.
 */
const LONGEST_PARAMETER = 500;

/** Adds a route for each path, and wildcard routes for ids that exceed the host's `maxParamLength`. */
function addRoutes(app: FastifyInstance, service: Service, handle: Handler): void {
  const { ignoreTrailingSlash, ignoreDuplicateSlashes, maxParamLength = 100 } = routerOptionsOf(app);
  const asRouted = (url: string): string => {
    const single = ignoreDuplicateSlashes === true ? url.replace(/\/{2,}/g, '/') : url;
    return ignoreTrailingSlash === true ? single.replace(/(?<=.)\/$/, '') : single;
  };
  const add = (url: string, handler: Handler, path = url): void => {
    // A method that already has a route at this address is left out: the route is the host's, or an earlier path of the
    // service has the same address.
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

// Options of the router. Older versions of Fastify have them among all other options.
function routerOptionsOf({ initialConfig }: FastifyInstance): FastifyInstance['initialConfig'] {
  return { ...initialConfig, ...initialConfig.routerOptions };
}

const answer = createNodeAnswer<FastifyReply>({
  send: (reply, { status, headers, body }) => {
    reply.code(status);
    for (const name in headers) reply.header(name, headers[name]);
    reply.send(body instanceof ReadableStream ? Readable.fromWeb(body) : body);
  },
  fail: (reply, error) => {
    reply.send(error);
  },
});

// Creates a handler that returns no promise, because for a promise Fastify would check the reply again.
function handlerOf(service: Service, prefix: number): Handler {
  return (request, reply) => {
    const { raw: message, ip: remoteAddress, ips } = request;
    const url = prefix === 0 ? request.url : request.url.slice(prefix);
    // If a hook of the host has parsed the body, `request.body` is not the stream.
    const parsedBody = request.body === message ? undefined : request.body;
    // `ips` contains the client and all trusted proxies.
    const trustedHops = (ips?.length ?? 1) - 1;
    answer(service, { message, response: reply.raw, url, remoteAddress, trustedHops, parsedBody }, reply);
  };
}
