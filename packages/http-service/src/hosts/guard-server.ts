import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connection limits and timeouts of a Node server. */
export interface ServerLimits {
  /**
   * Limit of open connections. Above it, an idle connection is closed for each new one: the first that never sent complete headers,
   * otherwise the one whose last request is the oldest, and is answered or incomplete. If all connections have a request in progress, the
   * new one belongs to the reserve.
   */
  readonly maxConnections: number;
  /**
   * Number of further connections while all others have a request in progress. On them, only rows with `usesReserve` (health, sign-in) are
   * answered, and all other requests get 503. If all of them are in use too, a new connection gets 503.
   */
  readonly reservedConnections: number;
  /** Timeout of the request headers, ms; then 408. */
  readonly headersTimeoutMs: number;
  /** Timeout of a whole request, ms; then 408. */
  readonly requestTimeoutMs: number;
  /** Time in ms for which a client may read nothing of a waiting response; then its connection is closed. */
  readonly writeTimeoutMs: number;
}

/** Default limits for slow clients: 1 MiB may take a minute, and a client may read nothing for two minutes. */
export const SERVER_LIMITS: ServerLimits = {
  maxConnections: 2000,
  reservedConnections: 50,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  writeTimeoutMs: 120_000,
};

/** Last response of each open connection, in the order of the latest requests; undefined before the first complete headers. */
type Connections = Map<Socket, ServerResponse | undefined>;

/** Functions of the reserved connections that return true while the server is full. */
const reserved = new WeakMap<Socket, () => boolean>();

/** True if a request on this connection may use the reserve only. */
export const isOfReserve = (socket: Socket): boolean => reserved.get(socket)?.() ?? false;

/**
 * Ends connections that block a server: slow senders, clients that do not read, floods. Slow responses, and downloads that progress at any
 * speed, continue. Node checks for slow senders every `connectionsCheckingInterval` (option of `createServer`, 30 s by default). It guards
 * one server: if a framework opens several (Fastify does for `localhost`), listen on one address.
 */
export function guardServer(server: Server, limits: Partial<ServerLimits> = {}): void {
  const { maxConnections, reservedConnections, ...timeouts } = { ...SERVER_LIMITS, ...limits };
  const { headersTimeoutMs, requestTimeoutMs, writeTimeoutMs } = timeouts;
  const connections: Connections = new Map();
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs);
  server.timeout = writeTimeoutMs;
  server.on('connection', (socket) => {
    const isFull = connections.size >= maxConnections;
    // A connection that replaces another one may also belong to the reserve.
    if (isFull && !makeRoom(connections) && connections.size >= maxConnections + reservedConnections)
      return refuse(socket);
    if (connections.size >= maxConnections) reserved.set(socket, () => connections.size > maxConnections);
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (connections.delete(socket)) connections.set(socket, response);
  });
  // Emitted if no bytes were sent or received for that time; the parts of a large write that a client reads count.
  server.on('timeout', (socket) => {
    if (isResting(connections.get(socket)) || socket.writableLength > 0) socket.destroy();
  });
}

/** True if no response is in progress. */
function isResting(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished || response.destroyed;
}

/** Closes one idle connection; false if there is none. */
function makeRoom(connections: Connections): boolean {
  const socket = leastMissed(connections);
  if (socket === undefined) return false;
  connections.delete(socket);
  socket.destroy();
  return true;
}

function leastMissed(connections: Connections): Socket | undefined {
  let found: Socket | undefined;
  for (const [socket, response] of connections) {
    if (response === undefined) return socket;
    if (isResting(response) || !response.req.complete) found ??= socket;
  }
  return found;
}

const FULL =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n';

function refuse(socket: Socket): void {
  socket.end(FULL);
  socket.destroySoon();
}
