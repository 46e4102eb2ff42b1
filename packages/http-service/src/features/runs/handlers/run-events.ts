import type { RunEvent } from '@headwater/core';
import { eventView } from '../schemas/run-view.ts';

/** Comment lines in a silent stream keep proxies from closing it. */
const HEARTBEAT_MS = 15_000;
const ENCODER = new TextEncoder();

/**
 * Events -> Server-Sent Events with heartbeats. Pulled: a slow reader holds back the next read of the store. `stop` is called once
 * the stream is over, however it ends, and `events` is returned: it may hold a listener and a page of events.
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
        // First: a read of the store under way ends by it, and `return` waits for that read.
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
      if (winner === 'silent') yield ': heartbeat\n\n';
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

// The timer ends with the promise it runs against, so that a closed stream keeps no process alive.
function pause(against: Promise<unknown>): Promise<'silent'> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, HEARTBEAT_MS, 'silent');
    const clear = (): void => clearTimeout(timer);
    against.then(clear, clear);
  });
}

function frame(event: RunEvent): string {
  return `id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(eventView(event))}\n\n`;
}
