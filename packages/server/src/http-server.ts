import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  answerClientError,
  frameworkErrors,
  guardServer,
  type Headwater,
  headwaterPlugin,
  SERVER_LIMITS,
  type ServerLimits,
} from '@headwater/http-adapter-fastify';
import type { Logger } from '@headwater/core';
import { mapServerOnly, type Service } from '@headwater/http-service';
import Fastify, { type FastifyInstance } from 'fastify';
import { ConfigError, type Config } from './config/read-config.ts';

/**
 * Maximum size of request line and headers, bytes. Some map clients send every collection id in one GET, which Node
 * would refuse with 431 at its default of 16 KiB.
 */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longest interval between two checks for connections that have not sent a complete request, ms. */
const CHECK_MS = 5000;

type Address = Pick<Config, 'host' | 'port'>;

type MapAddress = Address & Pick<Config, 'mapServerPort' | 'baseUrl'> & Partial<Pick<Config, 'geoServer'>>;

/** True if the map server also has a port of its own, like the GeoServer of many existing installations. */
const hasMapPort = ({ geoServer, mapServerPort, port }: MapAddress): boolean =>
  geoServer === undefined && mapServerPort !== 0 && mapServerPort !== port;

type Serving = Partial<Pick<Config, 'trustedProxies'>> & { readonly serverLimits?: Partial<ServerLimits> };

/**
 * Listens with the service mounted at the root. If the address cannot be used, throws a `ConfigError` that names
 * BACKEND_PORT or BACKEND_HOST.
 */
export async function listen(
  address: Address & Serving,
  { service }: Pick<Headwater, 'service'>,
): Promise<FastifyInstance> {
  const app = await appOf(address, service);
  try {
    await app.listen({ host: await oneAddress(address.host), port: address.port });
  } catch (error) {
    explain(address)(error);
  }
  return app;
}

/** Also serves the map server on MAPSERVER_PORT. If the port cannot be used, the service continues without it. */
export async function listenForMaps(
  config: MapAddress & Serving,
  { service }: Pick<Headwater, 'service'>,
  logger: Logger,
): Promise<FastifyInstance | undefined> {
  const { host, mapServerPort, baseUrl } = config;
  if (!hasMapPort(config)) return undefined;
  const app = await appOf(config, mapServerOnly(service, baseUrl));
  try {
    await app.listen({ host: await oneAddress(host), port: mapServerPort });
    return app;
  } catch (error) {
    await app.close();
    logger.info({}, `warning: ${mapPortFault(config, error)}`);
    return undefined;
  }
}

function mapPortFault(
  { mapServerPort, baseUrl }: Pick<MapAddress, 'mapServerPort' | 'baseUrl'>,
  error: unknown,
): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const reason = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
  const remedy =
    'Set MAPSERVER_PORT to a free port, or to 0 for none, for example if a GeoServer at MAPSERVER_URL uses it';
  return `MAPSERVER_PORT: ${mapServerPort} ${reason}; maps are served at ${baseUrl}/geoserver. ${remedy}.`;
}

/** Returns the warning of a start if MAPSERVER_PORT cannot be used. Listens at the port briefly. */
export async function checkMapPort(config: MapAddress): Promise<string | undefined> {
  if (!hasMapPort(config)) return undefined;
  const probe = createServer().listen({ host: config.host, port: config.mapServerPort });
  try {
    await once(probe, 'listening');
  } catch (error) {
    return mapPortFault(config, error);
  }
  probe.close();
  await once(probe, 'close');
  return undefined;
}

async function appOf(address: Address & Serving, service: Service): Promise<FastifyInstance> {
  const limits = { ...SERVER_LIMITS, ...address.serverLimits };
  const app = Fastify({
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersTimeoutMs / 4),
    },
    forceCloseConnections: 'idle',
    // The service itself refuses requests while the server closes.
    return503OnClosing: false,
    // Only these proxies are trusted: other clients could forge forwarded headers, and failed logins are counted
    // by client address.
    trustProxy:
      address.trustedProxies === undefined || address.trustedProxies.length === 0 ? false : [...address.trustedProxies],
    frameworkErrors: frameworkErrors(service),
    clientErrorHandler: answerClientError,
  });
  guardServer(app.server, limits);
  // The service also handles unknown paths and methods, because this server has no other routes.
  await app.register(headwaterPlugin, { service, closesService: false, catchAll: true });
  return app;
}

/**
 * First address of a host name, IPv4 if possible. If `localhost` has several addresses, Fastify would open further
 * servers without `guardServer`.
 */
async function oneAddress(host: string): Promise<string> {
  const { address } = await lookup(host, { order: 'ipv4first' });
  return address;
}

/** Interval at which idle connections are closed, or open connections are counted. */
const SWEEP_MS = 50;
/** After this time without requests, all clients are assumed to know that their connections end. */
const QUIET_MS = 250;
/** Maximum time during which responses inform clients that their connections end. */
const LEAVE_MS = 3000;

/**
 * Responds with `connection: close` until no client sends requests. Idle connections stay open, because a request that
 * was already sent would be lost.
 */
export async function sendClientsAway({ server }: Pick<FastifyInstance, 'server'>): Promise<void> {
  const from = performance.now();
  let last = from;
  const onRequest = (_request: IncomingMessage, response: ServerResponse): void => {
    last = performance.now();
    response.shouldKeepAlive = false;
  };
  server.prependListener('request', onRequest);
  const countConnections = promisify(server.getConnections.bind(server));
  while ((await countConnections()) > 0) {
    const now = performance.now();
    if (now - last > QUIET_MS || now - from > LEAVE_MS) return;
    await pause(SWEEP_MS);
  }
}

/** Stops listening and finishes requests for at most `patienceMs`, so that waiting clients get a response. */
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

/** Listens at the address briefly, to report an unusable address before a database is created. */
export async function checkAddress(address: Address): Promise<void> {
  const probe = createServer().listen({ host: address.host, port: address.port });
  await once(probe, 'listening').catch(explain(address));
  probe.close();
  await once(probe, 'close');
}

const REMEDIES: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port }) =>
    `BACKEND_PORT: ${port} is in use by another program. Stop that program, or set BACKEND_PORT to a free port.`,
  EACCES: ({ port }) =>
    `BACKEND_PORT: this user may not listen on ${port}. Set BACKEND_PORT to a port above 1023, or give this user the right to listen on it.`,
  EADDRNOTAVAIL: ({ host }) =>
    `BACKEND_HOST: ${host} is not an address of this machine. Set BACKEND_HOST to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) => `BACKEND_HOST: the name ${host} is unknown. Set BACKEND_HOST to an address of this machine.`,
};

function explain(address: Address): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const text = REMEDIES[code]?.(address);
    throw text === undefined ? error : new ConfigError(text);
  };
}
