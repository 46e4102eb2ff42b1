import type { Operation, Reply } from '@headwater/http-service';
import { OCTETS, PROBE, STREAM } from './shared.ts';

/**
 * Streams that are never read to the end. `late`: returned after a disconnect; `silent`: sends one chunk and
 * never ends; `refused`: Node rejects a header; `head`: requested by HEAD.
 */
export type UnsentStream = 'late' | 'silent' | 'refused' | 'head';

/** Events of the unread streams. */
export interface UnsentLog {
  /** Resolves after the stream was cancelled. */
  readonly unsentCancelled: Readonly<Record<UnsentStream, Promise<void>>>;
  /** Resolves after the handler of `late` was called. */
  readonly lateCalled: Promise<void>;
}

const REJECTED_HEADERS = { ...OCTETS, 'x-refused': 'a\nb' };

/** Test operations with streams that are never read to the end. */
export function unsentStreamProbes(): { readonly operations: readonly Operation[]; readonly log: UnsentLog } {
  const called = Promise.withResolvers<void>();
  const late = unsent('late', async (reply, signal) => {
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    called.resolve();
    await left;
    return reply;
  });
  const silent = unsent('silent', (reply) => reply);
  const refused = unsent('refused', (reply) => ({ ...reply, headers: REJECTED_HEADERS }));
  const head = unsent('head', (reply) => reply);
  const unsentCancelled = {
    late: late.cancelled,
    silent: silent.cancelled,
    refused: refused.cancelled,
    head: head.cancelled,
  };
  const operations = [late, silent, refused, head].map(({ operation }) => operation);
  return { operations, log: { unsentCancelled, lateCalled: called.promise } };
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
