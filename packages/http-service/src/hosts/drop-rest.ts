import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that is being answered. */
export interface Incoming {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/** Limit in bytes of an unread body that is still read, so that the connection can take the next request. */
const MOST_DROPPED = 4 * 1024 * 1024;

/**
 * Reads and discards the rest of a body after an early response: otherwise it would stay on the connection and block the next request. A
 * rest above 4 MiB is not read to its end; the connection closes after the response.
 */
export function dropRest({ message, response }: Incoming): void {
  if (message.readableEnded || message.destroyed) return;
  let dropped = 0;
  const drop = (chunk: Uint8Array): void => {
    dropped += chunk.byteLength;
    if (dropped <= MOST_DROPPED) return;
    message.off('data', drop).pause();
    closeAfterAnswer({ message, response });
  };
  if (Number(message.headers['content-length'] ?? 0) > MOST_DROPPED) closeAfterAnswer({ message, response });
  message.on('data', drop).resume();
}

// The socket is not destroyed before that, so that the client can read the response. A finished response has no socket any more; the
// message still has it.
function closeAfterAnswer({ message, response }: Incoming): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  else if (response.writableFinished) message.socket.destroySoon();
  else response.once('finish', () => message.socket.destroySoon());
}
