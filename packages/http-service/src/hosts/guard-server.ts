import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connection limits and timeouts of a Node server. */
export interface ServerLimits {
  /**
   * Maximum number of open connections. For each further connection, an idle connection is closed. The closed connection is the
   * first connection that has never sent complete headers. If there is none, it is the connection with the oldest last request,
   * among the connections whose last request is answered or incomplete. If all connections have a request in progress, the new
   * connection becomes a reserved connection.
   */
  readonly maxConnections: number;
  /**
   * Number of reserved connections: further connections that are accepted while all `maxConnections` connections have a request in
   * progress. On a reserved connection, only operations with `usesReserve` (health, sign-in) are answered; all other requests get
   * 503. If all reserved connections are in use, a new connection gets 503.
   */
  readonly reservedConnections: number;
  /** Timeout of the request headers, ms, after which the response is 408. */
  readonly headersTimeoutMs: number;
  /** Timeout of a whole request, ms, after which the response is 408. */
  readonly requestTimeoutMs: number;
  /**
   * Time, ms, for which a client may read nothing of a response. After this time, the connection of the client is closed.
   */
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

/**
 * Open connections in the order of their latest requests, each with its last response. The response is undefined until complete
 * request headers have arrived on the connection.
 */
type Connections = Map<Socket, ServerResponse | undefined>;

/** Reserved connections, each with a function that returns true while the server is full. */
const reserved = new WeakMap<Socket, () => boolean>();

/** True if the connection is a reserved connection and the server is full. */
export const isOfReserve = (socket: Socket): boolean => reserved.get(socket)?.() ?? false;

/**
 * Ends connections that block a server: connections of slow senders and of clients that do not read, and connections above the
 * maximum number. Slow responses continue, and also downloads that progress at any speed. Node checks for slow senders every
 * `connectionsCheckingInterval` (option of `createServer`, 30 s by default). A guard works for one server only. Fastify opens
 * several servers for `localhost`, so let Fastify listen on one address, such as `127.0.0.1`.
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
    // While reserved connections are open, the server stays above `maxConnections` even after an idle connection was closed. So
    // the new connection may be a reserved one even then.
    if (isFull && !makeRoom(connections) && connections.size >= maxConnections + reservedConnections)
      return refuse(socket);
    if (connections.size >= maxConnections) reserved.set(socket, () => connections.size > maxConnections);
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (connections.delete(socket)) connections.set(socket, response);
  });
  // Node emits this event if no bytes were sent or received for `writeTimeoutMs`. A slow download does not cause the event, because
  // parts of a large write that the client has read count as sent.
  server.on('timeout', (socket) => {
    if (isResting(connections.get(socket)) || socket.writableLength > 0) socket.destroy();
  });
}

/** True if no response is in progress. */
function isResting(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished || response.destroyed;
}

/** Closes one idle connection. Returns false if no connection is idle. */
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
