import type { ServiceResponse } from '../seam/request.ts';

/** Counts the answers of a service that are being made or read. */
export interface AnswersUnderWay {
  /** Counts an answer until it is made, and a stream until it is read to its end or cancelled. */
  count(answer: Promise<ServiceResponse>): Promise<ServiceResponse>;
  /** Resolves when no answer is under way, or after so many ms. */
  ended(mostMs: number): Promise<void>;
}

/** Counts from zero. */
export function createAnswersUnderWay(): AnswersUnderWay {
  let underWay = 0;
  let onIdle: () => void = () => {};
  const end = (): void => {
    underWay -= 1;
    if (underWay === 0) onIdle();
  };
  return {
    async count(answer) {
      underWay += 1;
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
      if (underWay === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, mostMs);
      onIdle = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}

/** The same stream, read no faster; `onEnd` is called once, when it is over, however it ends. */
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
