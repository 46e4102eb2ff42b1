import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  answerClientError,
  frameworkErrors,
  guardServer,
  type Headwater,
  headwaterPlugin,
  SERVER_LIMITS,
  type ServerLimits,
} from '@headwater/http-adapter-fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { ConfigError, type Config } from './config/read-config.ts';

/** Some map clients put every collection id into one GET; Node's default of 16 KiB answers them 431. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longest pause between looks at connections whose request does not come, ms. */
const LOOK_MS = 5000;

type Address = Pick<Config, 'host' | 'port'>;

/** How to serve, beside the address. */
type Serving = Partial<Pick<Config, 'trustedProxies'>> & { readonly serverLimits?: Partial<ServerLimits> };

/** Listens with the service mounted at the root. Throws `ConfigError` naming BACKEND_PORT or BACKEND_HOST. */
export async function listen(
  address: Address & Serving,
  { service }: Pick<Headwater, 'service'>,
): Promise<FastifyInstance> {
  const limits = { ...SERVER_LIMITS, ...address.serverLimits };
  const app = Fastify({
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: Math.min(LOOK_MS, limits.headersTimeoutMs / 4),
    },
    forceCloseConnections: 'idle',
    // The service refuses what comes while it closes, in its own words.
    return503OnClosing: false,
    // Nobody else's word is taken for a client's address: login attempts are counted by it.
    trustProxy:
      address.trustedProxies === undefined || address.trustedProxies.length === 0 ? false : [...address.trustedProxies],
    frameworkErrors: frameworkErrors(service),
    clientErrorHandler: answerClientError,
  });
  guardServer(app.server, limits);
  // Nothing else is served here, so every other path and method is the service's to refuse, in its words and in its log.
  await app.register(headwaterPlugin, { service, catchAll: true });
  try {
    await app.listen({ host: await oneAddress(address.host), port: address.port });
  } catch (error) {
    explain(address)(error);
  }
  return app;
}

/** An address of a name: for `localhost` Fastify would open a server more for each further one, which nothing guards. */
async function oneAddress(host: string): Promise<string> {
  const { address } = await lookup(host, { order: 'ipv4first' });
  return address;
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
