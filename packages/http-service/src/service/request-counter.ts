import type { ServiceResponse } from '../seam/request.ts';

/** Counts the requests of a service that are in progress. */
export interface RequestCounter {
  /**
   * Counts a request until its response is complete. A response with a stream is complete when the stream is read to
   * its end or cancelled.
   */
  count(answer: Promise<ServiceResponse>): Promise<ServiceResponse>;
  /** Resolves when no request is in progress, or after `mostMs`. */
  ended(mostMs: number): Promise<void>;
}

/** Creates a counter. */
export function createRequestCounter(): RequestCounter {
  let inProgress = 0;
  let onIdle: () => void = () => {};
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
        isStream = body instanceof ReadableStream;
        return body instanceof ReadableStream ? { ...response, body: followed(body, end) } : response;
      } finally {
        if (!isStream) end();
      }
    },
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

/**
 * Returns a stream with the same bytes, which reads the original only as fast as its reader. Calls `onEnd` once when
 * the stream ends for any reason.
 */
function followed(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
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
          if (!next.done) return controller.enqueue(next.value);
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
