import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connection limits and timeouts of a Node server. */
export interface ServerLimits {
  /**
   * Maximum number of open connections. If one more client connects, an open connection that waits for a request, or
   * for the rest of a request, is closed. If no connection waits, the new connection becomes a reserved connection.
   */
  readonly maxConnections: number;
  /**
   * Maximum number of reserved connections, which are accepted above `maxConnections`. They serve only operations with
   * `usesReserve` (health, metrics, sign-in).
   */
  readonly reservedConnections: number;
  /** Timeout of the request headers, ms, after which the response is 408. */
  readonly headersTimeoutMs: number;
  /** Timeout of a whole request, ms, after which the response is 408. */
  readonly requestTimeoutMs: number;
  /** Time, ms, after which the connection of a client that reads nothing is closed. */
  readonly writeTimeoutMs: number;
}

/** Default limits. A request must arrive within a minute, and a client may read nothing for two minutes. */
export const SERVER_LIMITS: ServerLimits = {
  maxConnections: 2000,
  reservedConnections: 50,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  writeTimeoutMs: 120_000,
};

/** Open connections, each with its last response. A request moves its connection to the end. */
type Connections = Map<Socket, ServerResponse | undefined>;

const reserved = new WeakMap<Socket, () => boolean>();

/** True if the connection is a reserved connection and more than `maxConnections` connections are open. */
export const isOfReserve = (socket: Socket): boolean => reserved.get(socket)?.() ?? false;

/**
 * Closes connections above the limits, and connections of clients that send slowly or do not read.
 * A guard works for one server. For `localhost`, Fastify opens several servers, so use `127.0.0.1`.
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
    // The server may still be full after an idle connection was closed, because reserved connections count too.
    if (isFull && !makeRoom(connections) && connections.size >= maxConnections + reservedConnections)
      return refuse(socket);
    if (connections.size >= maxConnections) reserved.set(socket, () => connections.size > maxConnections);
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (connections.delete(socket)) connections.set(socket, response);
  });
  // A slow download does not cause this event, because each part that the client has read counts as activity.
  server.on('timeout', (socket) => {
    if (isResting(connections.get(socket)) || socket.writableLength > 0) socket.destroy();
  });
}

function isResting(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished || response.destroyed;
}

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
