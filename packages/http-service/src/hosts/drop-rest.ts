import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that is being answered. */
export interface Incoming {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/** Bytes of a body nobody wants that are read all the same, so that the connection can take the next request. */
const MOST_DROPPED = 4 * 1024 * 1024;

/**
 * Reads and drops what is left of a body after an early end: Node would leave it on the connection, and the next request there
 * would never be seen. Of a large rest only so much is read, then the connection ends after the answer.
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

// Not destroyed before: the client is to read the answer. An answer that is finished has let go of its socket, the message has not.
function closeAfterAnswer({ message, response }: Incoming): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  else if (response.writableFinished) message.socket.destroySoon();
  else response.once('finish', () => message.socket.destroySoon());
}
