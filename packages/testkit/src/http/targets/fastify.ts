import { answerClientError, headwaterPlugin } from '@headwater/http-adapter-fastify';
import fastify from 'fastify';
import { unaskedConnections } from './listening.ts';
import { HOST_TEXT, type HttpTarget } from './target.ts';

/** Fastify with its own routes, 404 and error handler around the mounted services. */
export const fastifyTarget: HttpTarget = {
  name: 'fastify',
  skips: {
    'malformed escape in a path: body':
      'Fastify answers malformed escapes itself, before any route of a plugin (400 too)',
    'body parsed by the host': 'Fastify parses per route, after routing: a host has no way to parse for a plugin',
  },
  async start({ mounts }) {
    const app = fastify({ forceCloseConnections: 'idle', clientErrorHandler: answerClientError });
    const endUnasked = unaskedConnections(app.server);
    app.addHook('preClose', async () => endUnasked());
    app.get('/host', () => ({ host: true }));
    app.post('/host/echo', (request) => ({ echo: request.body }));
    app.get('/host/throws', () => {
      throw new Error('host route failed');
    });
    app.setNotFoundHandler((_request, reply) => reply.code(418).send(HOST_TEXT.notFound));
    app.setErrorHandler((_error, _request, reply) => reply.code(500).send(HOST_TEXT.failure));
    for (const { service, prefix } of mounts) await app.register(headwaterPlugin, { service, prefix });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { url, close: () => app.close() };
  },
};
