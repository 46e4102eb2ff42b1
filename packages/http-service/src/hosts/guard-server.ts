import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a Node server puts up with. */
export interface ServerLimits {
  /**
   * Connections at a time. Beyond it one makes room that nothing is answered on: the first that never sent a whole head, else the
   * one whose last request came longest ago and is answered, or is not here whole. Where all are being answered, a new one
   * gets 503.
   */
  readonly maxConnections: number;
  /** For the headers of a request, ms; later ones are 408. */
  readonly headersTimeoutMs: number;
  /** For a request with its body, ms; later ones are 408. */
  readonly requestTimeoutMs: number;
  /** How long a client may take nothing of an answer that waits for it, ms; then its connection ends. */
  readonly writeTimeoutMs: number;
}

/** Slow lines are given time: 1 MiB in a minute, and two minutes in which the buffers between here and there may empty. */
export const SERVER_LIMITS: ServerLimits = {
  maxConnections: 2000,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  writeTimeoutMs: 120_000,
};

/** The last answer of each open connection, that of the latest request last; undefined before the first whole head. */
type Connections = Map<Socket, ServerResponse | undefined>;

/**
 * Lets nobody hold the connections of a server: slow senders, clients that do not read, and floods end. Answers that take long to
 * be made, and downloads that move however slowly, go on. Node looks for slow senders every `connectionsCheckingInterval` (an
 * option of `createServer`, 30 s by default). It guards this server alone: where a framework opens several (Fastify does for
 * `localhost`), have it listen on one address.
 */
export function guardServer(server: Server, limits: Partial<ServerLimits> = {}): void {
  const { maxConnections, headersTimeoutMs, requestTimeoutMs, writeTimeoutMs } = { ...SERVER_LIMITS, ...limits };
  const connections: Connections = new Map();
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs);
  server.timeout = writeTimeoutMs;
  server.on('connection', (socket) => {
    if (connections.size >= maxConnections && !makeRoom(connections)) return refuse(socket);
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (connections.delete(socket)) connections.set(socket, response);
  });
  // Nothing moved for that long. Node counts what a client took of a large write as movement.
  server.on('timeout', (socket) => {
    if (isResting(connections.get(socket)) || socket.writableLength > 0) socket.destroy();
  });
}

/** True where no answer is being made or sent. */
function isResting(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished || response.destroyed;
}

/** Ends one connection that nothing is answered on; false where there is none. */
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
