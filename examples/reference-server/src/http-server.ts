import { once } from 'node:events';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { type Headwater, headwaterPlugin, type Service } from '@headwater/http-adapter-fastify';
import { nodeRequest } from '@headwater/http-service';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ConfigError, type Config } from './config.ts';

/** Some map clients put every collection id into one GET; Node's default of 16 KiB answers them 431. */
const MAX_HEADER_BYTES = 64 * 1024;

type Address = Pick<Config, 'host' | 'port'>;

/** Listens with the service mounted at the root. Throws `ConfigError` naming BACKEND_PORT or BACKEND_HOST. */
export async function listen(
  address: Address & Partial<Pick<Config, 'trustedProxies'>>,
  { service }: Pick<Headwater, 'service'>,
): Promise<FastifyInstance> {
  const answer = answerOf(service);
  const app = Fastify({
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    forceCloseConnections: 'idle',
    // Nobody else's word is taken for a client's address: login attempts are counted by it.
    trustProxy:
      address.trustedProxies === undefined || address.trustedProxies.length === 0 ? false : [...address.trustedProxies],
    routerOptions: { maxParamLength: 512 },
    // Addresses that cannot be decoded or are too long.
    frameworkErrors: (_error, request, reply) => void answer(request, reply),
  });
  // Nothing else is served here, so every other path and method is the service's to refuse, in its words and in its log.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
  app.setNotFoundHandler(answer);
  app.setErrorHandler((error: { code?: string }, request, reply) => {
    if (error.code?.startsWith('FST_ERR_') === true) return answer(request, reply);
    throw error;
  });
  await app.register(headwaterPlugin, { service });
  await app.listen({ host: address.host, port: address.port }).catch(explain(address));
  return app;
}

/** How often connections are looked at whose answer is out. */
const SWEEP_MS = 50;

/**
 * Stops listening and lets answers under way be finished, for `patienceMs` at most: who waits for a run is to read that the
 * service is closing, not a broken connection.
 */
export async function stopListening(app: FastifyInstance, patienceMs: number): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const force = setTimeout(() => app.server.closeAllConnections(), patienceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(force);
  }
}

/** Tries the address and lets it go again: an address that cannot be used is told before a database is made. */
export async function checkAddress(address: Address): Promise<void> {
  const probe = createServer().listen({ host: address.host, port: address.port });
  await once(probe, 'listening').catch(explain(address));
  probe.close();
  await once(probe, 'close');
}

function answerOf(service: Service): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const { raw: message, ip: remoteAddress } = request;
    const exchange = { message, response: reply.raw, url: message.url ?? '/', remoteAddress, parsedBody: undefined };
    const { status, headers, body } = await service.execute(nodeRequest(exchange));
    reply.code(status);
    for (const name in headers) reply.header(name, headers[name]);
    return reply.send(body instanceof ReadableStream ? Readable.fromWeb(body) : body);
  };
}

const REMEDIES: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port }) =>
    `BACKEND_PORT: ${port} is in use by another program. Stop it, or set BACKEND_PORT to a free port.`,
  EACCES: ({ port }) =>
    `BACKEND_PORT: this user may not listen on ${port}. Set BACKEND_PORT to a port above 1023, or give the right to.`,
  EADDRNOTAVAIL: ({ host }) =>
    `BACKEND_HOST: ${host} is no address of this machine. Set BACKEND_HOST to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) =>
    `BACKEND_HOST: the name ${host} is not known. Set BACKEND_HOST to an address of this machine.`,
};

function explain(address: Address): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const text = REMEDIES[code]?.(address);
    throw text === undefined ? error : new ConfigError(text);
  };
}
