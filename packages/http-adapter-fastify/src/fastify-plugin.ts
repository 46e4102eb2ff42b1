import { Readable } from 'node:stream';
import { nativePaths, type NodeExchange, nodeRequest, type Service } from '@headwater/http-service';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';

/** Options of the plugin; Fastify's own `prefix` mounts it below a path. */
export interface HeadwaterPluginOptions {
  readonly service: Service;
  /**
   * True: the service handles all paths below the prefix; unknown paths and methods get its errors instead of the host's 404. Default
   * false. Addresses that Fastify cannot decode never reach a plugin; `frameworkErrors` handles them.
   */
  readonly catchAll?: boolean;
}

/**
 * Errors that Fastify throws before a handler runs: an unsupported content type, a QUERY without a content type. The service responds
 * instead.
 */
const REFUSED_EARLY = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE']);

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Fastify plugin for the service: `app.register(headwaterPlugin, { service })`. Content parsers are replaced only in
 * its own scope; the host's routes, parsers, 404 and error handler do not change.
 */
export const headwaterPlugin: FastifyPluginCallback<HeadwaterPluginOptions> = (app, options, done) => {
  const { service, catchAll = false } = options;
  const handle = handlerOf(service, app.prefix.length);
  app.removeAllContentTypeParsers();
  // JSON has its own entry: Fastify caches a parser by type, but looks up '*' for each request.
  app.addContentTypeParser(['application/json', '*'], (_request, payload, parsed) => parsed(null, payload));
  app.setErrorHandler((error: { code?: string }, request, reply) => {
    if (REFUSED_EARLY.has(error.code ?? '')) handle(request, reply);
    else throw error;
  });
  if (catchAll) app.setNotFoundHandler(handle);
  addRoutes(app, service, handle);
  done();
};

/**
 * Handles requests whose address Fastify cannot decode, for a host with the service only:
 * `fastify({ frameworkErrors: frameworkErrors(service) })`.
 */
export function frameworkErrors(
  service: Service,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  const handle = handlerOf(service, 0);
  return (_error, request, reply) => handle(request, reply);
}

/** Length of the longest path parameters: ids of Items exceed Fastify's default limit of 100 characters. */
const LONGEST_PARAMETER = 500;

/**
 * Adds a route for each path of the service; the host keeps all other paths. If the `maxParamLength` of the host is too short, a path that
 * ends with a parameter below a fixed segment also gets a wildcard route; requests to it that are not ours get the host's 404.
 */
function addRoutes(app: FastifyInstance, service: Service, handle: Handler): void {
  const { ignoreTrailingSlash, ignoreDuplicateSlashes, maxParamLength = 100 } = routerOptionsOf(app);
  const asRouted = (url: string): string => {
    const single = ignoreDuplicateSlashes === true ? url.replace(/\/{2,}/g, '/') : url;
    return ignoreTrailingSlash === true ? single.replace(/(?<=.)\/$/, '') : single;
  };
  const add = (url: string, handler: Handler): void => {
    // Methods that already have a route belong to the host, or to an equal path of ours (the host may ignore trailing or duplicate
    // slashes).
    const method = app.supportedMethods.filter(
      (each) => !app.hasRoute({ method: each, url: asRouted(app.prefix + url) }),
    );
    if (method.length > 0) app.route({ method, url: asRouted(url), handler });
  };
  const ifOwned: Handler = (request, reply) => {
    if (service.owns(request.url.slice(app.prefix.length))) handle(request, reply);
    else reply.callNotFound();
  };
  for (const path of nativePaths(service)) {
    add(path, handle);
    const wildcard = path.replace(/:\w+\/?$/, '*');
    if (wildcard !== path && maxParamLength < LONGEST_PARAMETER && /\/[^/:*]/.test(wildcard)) add(wildcard, ifOwned);
  }
}

// Hosts set router options in `routerOptions`, or among the other options as in older versions of Fastify.
function routerOptionsOf({ initialConfig }: FastifyInstance): FastifyInstance['initialConfig'] {
  return { ...initialConfig, ...initialConfig.routerOptions };
}

// Does not return the promise, because Fastify would wait for it and check the reply again.
function handlerOf(service: Service, prefix: number): Handler {
  return (request, reply) => {
    const { raw: message, ip: remoteAddress, ips } = request;
    const url = prefix === 0 ? request.url : request.url.slice(prefix);
    // Our parser passes on the stream itself; any other body was parsed by a hook of the host.
    const parsedBody = request.body === message ? undefined : request.body;
    // The first of `ips` is the peer of the connection; without trusted proxies there is no list.
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
