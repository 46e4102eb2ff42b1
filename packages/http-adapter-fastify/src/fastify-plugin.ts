import { Readable } from 'node:stream';
import { nativePaths, type NodeExchange, nodeRequest, type Service } from '@headwater/http-service';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';

/** Options of the plugin; Fastify's own `prefix` mounts it below a path. */
export interface HeadwaterPluginOptions {
  readonly service: Service;
}

/**
 * The service as an encapsulated plugin: `app.register(headwaterPlugin, { service })`. Content parsers are replaced in
 * its own scope only; the host's routes, parsers, 404 and error handler stay as they are.
 */
export const headwaterPlugin: FastifyPluginCallback<HeadwaterPluginOptions> = (app, { service }, done) => {
  const prefix = app.prefix.length;
  // Answers by itself: Fastify would wait for a promise of ours and look at the reply once more.
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    const { raw: message, ip: remoteAddress } = request;
    const url = prefix === 0 ? request.url : request.url.slice(prefix);
    // Our parser hands on the stream itself; anything else was parsed by a hook of the host.
    const parsedBody = request.body === message ? undefined : request.body;
    void respond(service, reply, { message, response: reply.raw, url, remoteAddress, parsedBody });
  };
  app.removeAllContentTypeParsers();
  // JSON by name as well: Fastify remembers a parser by type, but looks for '*' anew in each request.
  app.addContentTypeParser(['application/json', '*'], (_request, payload, parsed) => parsed(null, payload));
  // A content type that Fastify cannot read at all is refused before parsing; the service words that failure.
  app.setErrorHandler((error: { code?: string }, request, reply) => {
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') answer(request, reply);
    else throw error;
  });
  for (const url of nativePaths(service)) {
    // A host that ignores slashes knows the other forms of a path already.
    if (!app.hasRoute({ method: 'GET', url: `${app.prefix}${url}` })) app.all(url, answer);
  }
  done();
};

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
