import { answerClientError, headwaterPlugin } from '@headwater/http-adapter-fastify';
import fastify from 'fastify';
import { unusedConnections } from '@headwater/testkit/http';
import { HOST_TEXT, type HttpTarget } from './target.ts';

/** Fastify host with own routes, 404 and error handler. */
export const fastifyTarget: HttpTarget = {
  name: 'fastify',
  skips: {
    'a malformed escape in a path returns an error body with the code parse':
      'Fastify rejects malformed escapes itself (also with 400), before any route of a plugin',
    'accepts fields that the host parsed from JSON or a URL-encoded form':
      'Fastify parses per route, after routing, so a host cannot parse for a plugin',
  },
  async start({ mounts, trustsProxy = false }) {
    const trustProxy = trustsProxy ? '127.0.0.1' : false;
    const app = fastify({ forceCloseConnections: 'idle', clientErrorHandler: answerClientError, trustProxy });
    const endUnused = unusedConnections(app.server);
    app.addHook('preClose', async () => endUnused());
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
