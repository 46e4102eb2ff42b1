import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Counts of requests and connections by outcome. */
export interface Flood {
  /** Requests with a complete response, by status. */
  readonly answered: Map<number, number>;
  /** Connections that ended during a request that was sent before `mark`. */
  dropped: number;
  /**
   * Connections that ended during a request that was sent after `mark`. The server may close an idle
   * connection at the moment of a request.
   */
  crossed: number;
  /** Connections whose last response had the header `connection: close`. */
  closed: number;
  /** Connections that ended without a request in progress. */
  idle: number;
  /** Sets the time that separates `dropped` from `crossed` to now. */
  mark(): void;
  readonly over: Promise<unknown>;
}

const HEAD_END = '\r\n\r\n';

/**
 * Opens keep-alive connections that request these paths without pause. Connections with an even index send only one
 * request. Resolves when each connection has a response.
 */
export async function openFlood(port: number, count: number, paths: readonly string[]): Promise<Flood> {
  let isMarked = false;
  const ends: Promise<void>[] = [];
  const flood: Flood = {
    answered: new Map(),
    dropped: 0,
    crossed: 0,
    closed: 0,
    idle: 0,
    mark: () => (isMarked = true),
    over: Promise.resolve(),
  };
  const begin = async (index: number): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const first = Promise.withResolvers<void>();
    const end = follow(socket, { index, paths, flood, isMarked: () => isMarked, onFirst: first.resolve });
    ends.push(end);
    await Promise.race([first.promise, end]);
  };
  // Connections are opened 50 at a time, because the system limits the queue of new connections.
  const indexes = Array.from({ length: count }, (_, index) => index);
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let index = indexes.shift(); index !== undefined; index = indexes.shift()) await begin(index);
    }),
  );
  return Object.assign(flood, { over: Promise.all(ends) });
}

interface Followed {
  readonly index: number;
  readonly paths: readonly string[];
  readonly flood: Flood;
  readonly isMarked: () => boolean;
  readonly onFirst: () => void;
}

function follow(socket: Socket, { index, paths, flood, isMarked, onFirst }: Followed): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let [text, sent, turn, isClosing]: [string, 'early' | 'late' | undefined, number, boolean] = [
    '',
    undefined,
    0,
    false,
  ];
  const send = (): void => {
    sent = isMarked() ? 'late' : 'early';
    socket.write(`GET ${paths[(index + turn++) % paths.length]} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    const response = readResponse(text);
    if (response === undefined) return;
    text = text.slice(response.length);
    flood.answered.set(response.status, (flood.answered.get(response.status) ?? 0) + 1);
    sent = undefined;
    onFirst();
    if (response.isLast) {
      isClosing = true;
      flood.closed += 1;
    } else if (index % 2 === 1) send();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    if (sent === 'early') flood.dropped += 1;
    else if (sent === 'late') flood.crossed += 1;
    else if (!isClosing) flood.idle += 1;
    resolve();
  });
  send();
  return promise;
}

function readResponse(text: string): { status: number; length: number; isLast: boolean } | undefined {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const body = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const length = end + HEAD_END.length + body;
  if (text.length < length) return undefined;
  const status = Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]);
  return { status, length, isLast: /\r\nconnection: *close/i.test(head) };
}
