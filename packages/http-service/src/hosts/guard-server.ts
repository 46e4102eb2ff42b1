import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connection limits and timeouts of a Node server. */
export interface ServerLimits {
  /**
   * Maximum number of open connections. A further connection closes an idle one; without an idle one it becomes a
   * reserved connection.
   */
  readonly maxConnections: number;
  /**
   * Number of connections above `maxConnections`. They answer only operations with `usesReserve` (health, sign-in);
   * others get 503.
   */
  readonly reservedConnections: number;
  /** Timeout of the request headers, ms, after which the response is 408. */
  readonly headersTimeoutMs: number;
  /** Timeout of a whole request, ms, after which the response is 408. */
  readonly requestTimeoutMs: number;
  /** Time, ms, after which a client that reads nothing of a response is disconnected. */
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

/** Open connections in the order of their requests, with the last response; undefined before complete headers. */
type Connections = Map<Socket, ServerResponse | undefined>;

/** Reserved connections, each with a function that is true while the server is full. */
const reserved = new WeakMap<Socket, () => boolean>();

/** True if the connection is a reserved connection and the server is full. */
export const isOfReserve = (socket: Socket): boolean => reserved.get(socket)?.() ?? false;

/**
 * Ends connections above the limits of a server, of slow senders, and of clients that do not read. A guard works for
 * one server.
 * Fastify opens several servers for `localhost`, so let it listen on one address, such as `127.0.0.1`.
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
    // While reserved connections are open, the server stays full even after an idle connection was closed.
    if (isFull && !makeRoom(connections) && connections.size >= maxConnections + reservedConnections)
      return refuse(socket);
    if (connections.size >= maxConnections) reserved.set(socket, () => connections.size > maxConnections);
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (connections.delete(socket)) connections.set(socket, response);
  });
  // Not emitted for a slow download, because read parts of a large write count as sent.
  server.on('timeout', (socket) => {
    if (isResting(connections.get(socket)) || socket.writableLength > 0) socket.destroy();
  });
}

function isResting(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished || response.destroyed;
}

/** Closes an idle connection; false if there is none. */
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
