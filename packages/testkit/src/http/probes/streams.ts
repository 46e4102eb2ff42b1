import type { Operation } from '@headwater/http-service';
import { ANY, OCTETS, PROBE, STREAM } from './shared.ts';

/** Events of the stream probes. */
export interface StreamLog {
  /** Resolves after the endless stream was cancelled. */
  readonly streamCancelled: Promise<void>;
  /** Resolves after the waiting handler was called. */
  readonly isWaiting: Promise<void>;
  /** Resolves after the waiting handler's signal was aborted. */
  readonly signalAborted: Promise<void>;
  /** Number of chunks that the endless stream has produced so far. */
  produced(): number;
}

/** Test operations with an endless response, and with a handler that waits for a disconnect. */
export function streamProbes(): { readonly operations: readonly Operation[]; readonly log: StreamLog } {
  const cancelled = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  let produced = 0;
  const endless = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull: (controller) => {
        produced += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => cancelled.resolve(),
    });
  const operations: Operation[] = [
    {
      ...PROBE,
      id: 'probeStream',
      method: 'GET',
      path: '/probe/stream',
      responses: { 200: STREAM },
      handler: () => ({ status: 200, headers: OCTETS, body: endless() }),
    },
    {
      ...PROBE,
      id: 'probeWait',
      method: 'GET',
      path: '/probe/wait',
      responses: { 200: ANY },
      handler: async ({ signal }) => {
        const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        waiting.resolve();
        await gone;
        aborted.resolve();
        return { status: 200, json: {} };
      },
    },
  ];
  const log = {
    streamCancelled: cancelled.promise,
    isWaiting: waiting.promise,
    signalAborted: aborted.promise,
    produced: () => produced,
  };
  return { operations, log };
}
