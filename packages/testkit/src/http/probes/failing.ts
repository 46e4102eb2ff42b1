import { DomainError } from '@headwater/core';
import type { Operation } from '@headwater/http-service';
import { ANY, OCTETS, PROBE, STREAM } from './shared.ts';

/** Test operations whose handlers or streams fail. */
export function failingProbes(): readonly Operation[] {
  const failing = (name: string, fail: () => never): Operation => ({
    ...PROBE,
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

// A stream that fails after its first chunk. The client must see an aborted response, never a complete one.
function breakingStream(): ReadableStream<Uint8Array> {
  let first = true;
  return new ReadableStream({
    pull(controller) {
      if (!first) throw new Error('the source failed');
      first = false;
      controller.enqueue(new Uint8Array(10));
    },
  });
}
