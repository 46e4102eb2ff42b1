import type { Operation, Reply } from '@headwater/http-service';
import { OCTETS, PROBE, STREAM } from './shared.ts';

/**
 * Streams that nobody reads to their end: made after the client left, silent after a first chunk, with a header that Node refuses, and
 * asked for by HEAD.
 */
export type UnsentStream = 'late' | 'silent' | 'refused' | 'head';

/** What the probes of unsent streams saw; read by the cases. */
export interface UnsentLog {
  /** Resolves when the stream was cancelled. */
  readonly unsentCancelled: Readonly<Record<UnsentStream, Promise<void>>>;
  /** Resolves when the handler that answers late has its request. */
  readonly isLate: Promise<void>;
}

const OF_NODE = { ...OCTETS, 'x-refused': 'a\nb' };

/** Rows that answer with streams that nobody reads to their end. */
export function unsentStreamProbes(): { readonly operations: readonly Operation[]; readonly log: UnsentLog } {
  const asked = Promise.withResolvers<void>();
  const late = unsent('late', async (reply, signal) => {
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    asked.resolve();
    await left;
    return reply;
  });
  const silent = unsent('silent', (reply) => reply);
  const refused = unsent('refused', (reply) => ({ ...reply, headers: OF_NODE }));
  const head = unsent('head', (reply) => reply);
  const unsentCancelled = {
    late: late.cancelled,
    silent: silent.cancelled,
    refused: refused.cancelled,
    head: head.cancelled,
  };
  const operations = [late, silent, refused, head].map(({ operation }) => operation);
  return { operations, log: { unsentCancelled, isLate: asked.promise } };
}

type StreamReply = Extract<Reply, { readonly body?: unknown }>;
type Answer = (reply: StreamReply, signal: AbortSignal) => StreamReply | Promise<StreamReply>;

function unsent(
  name: UnsentStream,
  answer: Answer,
): { readonly operation: Operation; readonly cancelled: Promise<void> } {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const silentBody = (): ReadableStream<Uint8Array> => {
    let isFirst = true;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> | undefined => {
      if (!isFirst) return new Promise(() => {});
      isFirst = false;
      controller.enqueue(new Uint8Array(10));
      return undefined;
    };
    return new ReadableStream({ pull, cancel: () => resolve() }, { highWaterMark: 0 });
  };
  const operation: Operation = {
    ...PROBE,
    id: `probe_unsent_${name}`,
    method: 'GET',
    path: `/probe/unsent-${name}`,
    responses: { 200: STREAM },
    handler: ({ signal }) => answer({ status: 200, headers: OCTETS, body: silentBody() }, signal),
  };
  return { operation, cancelled };
}
