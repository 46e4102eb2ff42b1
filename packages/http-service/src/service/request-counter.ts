import type { ServiceResponse } from '../seam/request.ts';

/** Figures of the requests of a service. */
export interface RequestFigures {
  readonly inProgress: number;
  /** Number of open streams of events. */
  readonly eventStreams: number;
  /** Total size of the bodies of all responses, bytes. */
  readonly sentBytes: number;
}

/** Counts the requests of a service that are in progress. */
export interface RequestCounter {
  /**
   * Counts a request until its response is complete. A response with a stream is complete when the stream is read to
   * its end or cancelled.
   */
  count(answer: Promise<ServiceResponse>): Promise<ServiceResponse>;
  /** Figures for metrics. */
  figures(): RequestFigures;
  /** Resolves when no request is in progress, or after `mostMs`. */
  ended(mostMs: number): Promise<void>;
}

/** Creates a counter. */
export function createRequestCounter(): RequestCounter {
  let inProgress = 0;
  let onIdle: () => void = () => {};
  let eventStreams = 0;
  let sentBytes = 0;
  const end = (): void => {
    inProgress -= 1;
    if (inProgress === 0) onIdle();
  };
  return {
    async count(answer) {
      inProgress += 1;
      let isStream = false;
      try {
        const response = await answer;
        const { body } = response;
        if (!(body instanceof ReadableStream)) {
          sentBytes += typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0);
          return response;
        }
        isStream = true;
        const ofEvents = isOfEvents(response) ? 1 : 0;
        eventStreams += ofEvents;
        const onEnd = (): void => {
          eventStreams -= ofEvents;
          end();
        };
        return { ...response, body: followed(body, { onEnd, onBytes: (bytes) => (sentBytes += bytes) }) };
      } finally {
        if (!isStream) end();
      }
    },
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

/** Callbacks of a stream. */
interface StreamEvents {
  readonly onEnd: () => void;
  /** Called with the size of each piece that is read. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Returns a stream with the same bytes. It reads from the original stream only when the returned stream is read. Calls
 * `onEnd` once when the stream ends for any reason.
 */
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
