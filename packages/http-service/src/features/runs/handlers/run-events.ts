import type { RunEvent } from '@headwater/core';
import { eventView } from '../schemas/run-view.ts';

/** Interval of comment lines, ms. Proxies close streams that are idle for long. */
const HEARTBEAT_MS = 15_000;
const ENCODER = new TextEncoder();

/**
 * Converts events to Server-Sent Events with heartbeats. At the end of the stream, `stop` is called and the iterator is
 * closed.
 */
export function eventStream(events: AsyncIterable<RunEvent>, stop: () => void): ReadableStream<Uint8Array> {
  const source = withHeartbeats(events[Symbol.asyncIterator]());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await source.next();
          if (next.done !== true) return controller.enqueue(ENCODER.encode(next.value));
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        stop();
      },
      async cancel() {
        // `stop` comes first, because otherwise `return` would wait for a read of the store.
        stop();
        await source.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* withHeartbeats(events: AsyncIterator<RunEvent>): AsyncGenerator<string, undefined> {
  try {
    yield 'retry: 3000\n\n';
    let pending = events.next();
    for (;;) {
      const winner = await Promise.race([pending, pause(pending)]);
      if (winner === 'idle') yield ': heartbeat\n\n';
      else if (winner.done === true) return undefined;
      else {
        yield frame(winner.value);
        pending = events.next();
      }
    }
  } finally {
    await events.return?.();
  }
}

// Waits for the heartbeat interval, or until `against` settles. A closed stream settles `against`, so that no timer
// keeps the process alive.
function pause(against: Promise<unknown>): Promise<'idle'> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, HEARTBEAT_MS, 'idle');
    const clear = (): void => clearTimeout(timer);
    against.then(clear, clear);
  });
}

function frame(event: RunEvent): string {
  return `id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(eventView(event))}\n\n`;
}
