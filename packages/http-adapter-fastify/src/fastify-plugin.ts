import { Readable } from 'node:stream';
import { nativePaths, type NodeExchange, nodeRequest, type Service } from '@headwater/http-service';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';

/** Options of the plugin; Fastify's own `prefix` mounts it below a path. */
export interface HeadwaterPluginOptions {
  readonly service: Service;
  /**
   * Everything below the prefix is the service's: unknown paths and methods get its words instead of the host's 404. Default false.
   * Addresses that Fastify cannot decode never reach a plugin; `frameworkErrors` answers them.
   */
  readonly catchAll?: boolean;
}

/** What Fastify refuses before a handler is asked, the service's to word: a content type that it cannot read, QUERY without one. */
const REFUSED_EARLY = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE']);

type Answer = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * The service as an encapsulated plugin: `app.register(headwaterPlugin, { service })`. Content parsers are replaced in
 * its own scope only; the host's routes, parsers, 404 and error handler stay as they are.
 */
export const headwaterPlugin: FastifyPluginCallback<HeadwaterPluginOptions> = (app, options, done) => {
  const { service, catchAll = false } = options;
  const answer = answerOf(service, app.prefix.length);
  app.removeAllContentTypeParsers();
  // JSON by name as well: Fastify remembers a parser by type, but looks for '*' anew in each request.
  app.addContentTypeParser(['application/json', '*'], (_request, payload, parsed) => parsed(null, payload));
  app.setErrorHandler((error: { code?: string }, request, reply) => {
    if (REFUSED_EARLY.has(error.code ?? '')) answer(request, reply);
    else throw error;
  });
  if (catchAll) app.setNotFoundHandler(answer);
  addRoutes(app, service, answer);
  done();
};

/**
 * Answers requests whose address Fastify cannot decode, for a host that is all the service's:
 * `fastify({ frameworkErrors: frameworkErrors(service) })`.
 */
export function frameworkErrors(
  service: Service,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  const answer = answerOf(service, 0);
  return (_error, request, reply) => answer(request, reply);
}

/** Fastify refuses longer parameters by default (100 characters); ids of Items are. */
const LONGEST_PARAMETER = 500;

/**
 * Each path as it is, so that whatever else the host has there stays the host's. Where its `maxParamLength` is too short, a
 * wildcard stands beside a last parameter, below a fixed segment; what it takes beyond our paths goes on to the host's 404.
 */
function addRoutes(app: FastifyInstance, service: Service, answer: Answer): void {
  const { ignoreTrailingSlash, ignoreDuplicateSlashes, maxParamLength = 100 } = routerOptionsOf(app);
  const asRouted = (url: string): string => {
    const single = ignoreDuplicateSlashes === true ? url.replace(/\/{2,}/g, '/') : url;
    return ignoreTrailingSlash === true ? single.replace(/(?<=.)\/$/, '') : single;
  };
  const add = (url: string, handler: Answer): void => {
    // Methods that are there already are the host's, or our own where the host takes several forms of a path for one.
    const method = app.supportedMethods.filter(
      (each) => !app.hasRoute({ method: each, url: asRouted(app.prefix + url) }),
    );
    if (method.length > 0) app.route({ method, url: asRouted(url), handler });
  };
  const ifOwned: Answer = (request, reply) => {
    if (service.owns(request.url.slice(app.prefix.length))) answer(request, reply);
    else reply.callNotFound();
  };
  for (const path of nativePaths(service)) {
    add(path, answer);
    const wildcard = path.replace(/:\w+\/?$/, '*');
    if (wildcard !== path && maxParamLength < LONGEST_PARAMETER && /\/[^/:*]/.test(wildcard)) add(wildcard, ifOwned);
  }
}

// Older hosts give them beside the others, and Fastify tells them where they were given.
function routerOptionsOf({ initialConfig }: FastifyInstance): FastifyInstance['initialConfig'] {
  return { ...initialConfig, ...initialConfig.routerOptions };
}

// Answers by itself: Fastify would wait for a promise of ours and look at the reply once more.
function answerOf(service: Service, prefix: number): Answer {
  return (request, reply) => {
    const { raw: message, ip: remoteAddress } = request;
    const url = prefix === 0 ? request.url : request.url.slice(prefix);
    // Our parser hands on the stream itself; anything else was parsed by a hook of the host.
    const parsedBody = request.body === message ? undefined : request.body;
    void respond(service, reply, { message, response: reply.raw, url, remoteAddress, parsedBody });
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
