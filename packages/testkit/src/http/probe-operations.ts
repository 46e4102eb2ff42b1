import { DomainError } from '@headwater/core';
import type { Operation, ResponseSpec } from '@headwater/http-service';
import { z } from 'zod';

const ANY: ResponseSpec = { description: 'Whatever the probe saw', schema: z.unknown() };
const STREAM: ResponseSpec = { description: 'Bytes', media: ['application/octet-stream'] };
const OCTETS = { 'content-type': 'application/octet-stream' };
const shared = {
  auth: 'public',
  tag: 'system',
  summary: 'Probe',
  errors: [],
  examples: [{ name: 'probe', status: 200 }],
} as const;

/** What the stream probes saw; read by the cases. */
export interface ProbeLog {
  /** Resolves when the endless stream was cancelled. */
  readonly streamCancelled: Promise<void>;
  /** Resolves when the waiting handler's signal aborted. */
  readonly signalAborted: Promise<void>;
  /** Chunks that the endless stream made so far. */
  produced(): number;
}

/** Rows that show what reaches a handler and what becomes of its answers; and what they saw. */
export function createProbes(): { readonly operations: readonly Operation[]; readonly log: ProbeLog } {
  const cancelled = Promise.withResolvers<void>();
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
    ...echoProbes(),
    ...failingProbes(),
    {
      ...shared,
      id: 'probeStream',
      method: 'GET',
      path: '/probe/stream',
      responses: { 200: STREAM },
      handler: () => ({ status: 200, headers: OCTETS, body: endless() }),
    },
    {
      ...shared,
      id: 'probeWait',
      method: 'GET',
      path: '/probe/wait',
      responses: { 200: ANY },
      handler: async ({ signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        aborted.resolve();
        return { status: 200, json: {} };
      },
    },
  ];
  const log = { streamCancelled: cancelled.promise, signalAborted: aborted.promise, produced: () => produced };
  return { operations, log };
}

function echoProbes(): readonly Operation[] {
  return [
    {
      ...shared,
      id: 'probeBody',
      method: 'POST',
      path: '/probe/body/',
      body: z.unknown(),
      responses: { 200: ANY },
      handler: ({ body }) => ({ status: 200, json: { body: body ?? null } }),
    },
    {
      ...shared,
      id: 'probeGet',
      method: 'GET',
      path: '/probe/get/',
      query: z.record(z.string(), z.string()),
      responses: { 200: ANY },
      handler: ({ query, path }) => ({ status: 200, json: { query, path } }),
    },
    {
      ...shared,
      id: 'probeParam',
      method: 'GET',
      path: '/probe/param/:name/',
      params: z.object({ name: z.string() }),
      responses: { 200: ANY },
      handler: ({ params }) => ({ status: 200, json: params }),
    },
    {
      ...shared,
      id: 'probeCookies',
      method: 'GET',
      path: '/probe/cookies',
      responses: { 200: ANY },
      handler: () => ({ status: 200, json: {}, headers: { 'set-cookie': ['a=1; Path=/', 'b=2; Path=/'] } }),
    },
    {
      ...shared,
      id: 'probeEmpty',
      method: 'GET',
      path: '/probe/empty',
      responses: { 204: { description: 'Nothing' } },
      handler: () => ({ status: 204, headers: {}, body: '' }),
    },
    {
      ...shared,
      id: 'probeBytes',
      method: 'GET',
      path: '/probe/bytes',
      responses: { 200: STREAM },
      handler: () => ({ status: 200, headers: OCTETS, body: Uint8Array.of(0, 255, 1, 254) }),
    },
  ];
}

function failingProbes(): readonly Operation[] {
  const failing = (name: string, fail: () => never): Operation => ({
    ...shared,
    id: `probe_${name}`,
    method: 'GET',
    path: `/probe/${name}`,
    responses: { 200: ANY },
    handler: fail,
  });
  return [
    failing('throws', () => {
      throw new Error('secret text of the probe');
    }),
    failing('throws-text', () => {
      const thrown: unknown = 'secret text of the probe';
      throw thrown;
    }),
    failing('throws-domain', () => {
      throw new DomainError('throttled', 'Too many', { details: { retryAfterSeconds: 1.2 } });
    }),
    {
      ...failing('breaks', () => {
        throw new Error('not reached');
      }),
      responses: { 200: STREAM },
      handler: () => ({ status: 200, headers: OCTETS, body: breakingStream() }),
    },
  ];
}

// One chunk, then a failure: the client must see a broken answer, never a complete one.
function breakingStream(): ReadableStream<Uint8Array> {
  let first = true;
  return new ReadableStream({
    pull(controller) {
      if (!first) throw new Error('the source broke');
      first = false;
      controller.enqueue(new Uint8Array(10));
    },
  });
}
