import type { ServiceResponse } from '../seam/request.ts';

/** Figures of the requests of a service. */
export interface RequestFigures {
  readonly inProgress: number;
  readonly eventStreams: number;
  /** Bytes of all response bodies; texts are left out without `countsBytes`. */
  readonly sentBytes: number;
}

/** Counts the requests in progress. */
export interface RequestCounter {
  /** Counts a request as in progress. */
  begin(): void;
  /**
   * Counts a response, and ends its request; with a stream, only when the stream ends. Returns the response to send.
   */
  end(response: ServiceResponse): ServiceResponse;
  /** Ends a request that gets no response, for example because a logger of the host has thrown an error. */
  fail(): void;
  figures(): RequestFigures;
  /** Resolves when no request is in progress, or after `mostMs`. */
  ended(mostMs: number): Promise<void>;
}

/**
 * Creates a counter. `countsBytes`: also counts the bytes of texts; default false, because determining the size of a
 * text takes 1 us for 8 KB.
 */
export function createRequestCounter({ countsBytes = false }: { readonly countsBytes?: boolean } = {}): RequestCounter {
  let inProgress = 0;
  let onIdle: () => void = () => {};
  let eventStreams = 0;
  let sentBytes = 0;
  const endOne = (): void => {
    inProgress -= 1;
    if (inProgress === 0) onIdle();
  };
  return {
    begin() {
      inProgress += 1;
    },
    end(response) {
      const { body } = response;
      if (!(body instanceof ReadableStream)) {
        if (typeof body !== 'string') sentBytes += body?.byteLength ?? 0;
        else if (countsBytes) sentBytes += Buffer.byteLength(body);
        endOne();
        return response;
      }
      const ofEvents = isOfEvents(response) ? 1 : 0;
      const onEnd = (): void => {
        eventStreams -= ofEvents;
        endOne();
      };
      const counted = { ...response, body: followed(body, { onEnd, onBytes: (bytes) => (sentBytes += bytes) }) };
      eventStreams += ofEvents;
      return counted;
    },
    fail: endOne,
    figures: () => ({ inProgress, eventStreams, sentBytes }),
    async ended(mostMs) {
      if (inProgress === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, mostMs);
      onIdle = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}

const isOfEvents = ({ headers }: ServiceResponse): boolean =>
  String(headers['content-type']).startsWith('text/event-stream');

interface StreamEvents {
  readonly onEnd: () => void;
  readonly onBytes: (bytes: number) => void;
}

/** Wraps a stream, and reads from it only on demand. Calls `onEnd` once, however the stream ends. */
function followed(stream: ReadableStream<Uint8Array>, { onEnd, onBytes }: StreamEvents): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.read();
          if (!next.done) {
            onBytes(next.value.byteLength);
            return controller.enqueue(next.value);
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        end();
      },
      cancel: async (reason) => await reader.cancel(reason).finally(end),
    },
    { highWaterMark: 0 },
  );
}
