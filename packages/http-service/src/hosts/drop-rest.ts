import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that is being answered. */
export interface Incoming {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/** Maximum number of unread bytes that are discarded, so that the connection can be used again. */
const MOST_DROPPED = 4 * 1024 * 1024;

/** Discards the rest of a body after an early response. After 4 MiB or `mostMs`, closes the connection. */
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

// Closes the socket after the response was sent. A finished response has no socket, so the message's socket is used.
function closeAfterAnswer({ message, response }: Incoming): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  else if (response.writableFinished) message.socket.destroySoon();
  else response.once('finish', () => message.socket.destroySoon());
}
