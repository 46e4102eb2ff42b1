import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that is being answered. */
export interface Incoming {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/** Maximum number of unread bytes of a body that are still read and discarded, so that the connection can be used for the next request. */
const MOST_DROPPED = 4 * 1024 * 1024;

/**
 * Reads and discards the rest of a body after an early response. Otherwise the rest would stay on the connection and
 * block the next request. If the rest has more than 4 MiB, or takes longer than `mostMs`, the connection is closed after the response instead.
 */
export function dropRest({ message, response }: Incoming, mostMs?: number): void {
  if (message.readableEnded || message.destroyed) return;
  let dropped = 0;
  const stop = (): void => {
    message.off('data', drop).pause();
    closeAfterAnswer({ message, response });
  };
  const drop = (chunk: Uint8Array): void => {
    dropped += chunk.byteLength;
    if (dropped > MOST_DROPPED) stop();
  };
  if (mostMs !== undefined) {
    const timer = setTimeout(stop, mostMs).unref();
    message.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  }
  if (Number(message.headers['content-length'] ?? 0) > MOST_DROPPED) closeAfterAnswer({ message, response });
  message.on('data', drop).resume();
}

// The socket is closed only after the response has been sent, so that the client can read the response. A finished response no
// longer has its socket, so the socket is taken from the message.
function closeAfterAnswer({ message, response }: Incoming): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  else if (response.writableFinished) message.socket.destroySoon();
  else response.once('finish', () => message.socket.destroySoon());
}
