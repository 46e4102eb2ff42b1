import { json, operation, type Operation, type Part, partsBody } from '@headwater/http-service';
import { ANY, PROBE } from './shared.ts';

/** Events of the multipart probes. */
export interface PartLog {
  /** Resolves when the first bytes of the file were received. `readOn` then continues the operation. */
  readonly firstBytes: Promise<void>;
  readonly readOn: () => void;
  /** Resolves with the body's error after the client has aborted. */
  readonly bodyBroke: Promise<unknown>;
}

/** Limits of multipart operations: bytes, and number of parts. */
export const PART_LIMITS = { total: 96 * 1024 * 1024, parts: 4, field: 1024, file: 80 * 1024 * 1024 } as const;

/** Test operations that read multipart bodies as streams. */
export function partProbes(): { readonly operations: readonly Operation[]; readonly log: PartLog } {
  const first = Promise.withResolvers<void>();
  const onward = Promise.withResolvers<void>();
  const broke = Promise.withResolvers<unknown>();
  const shared = { ...PROBE, method: 'POST', responses: { 200: ANY }, body: partsBody(PART_LIMITS) } as const;
  const operations = [
    operation({
      ...shared,
      id: 'probeParts',
      path: '/probe/parts/',
      handler: async ({ body }) => json(200, await listed(body)),
    }),
    operation({
      ...shared,
      id: 'probeFirstPart',
      path: '/probe/parts/first/',
      handler: async ({ body }) => {
        for await (const part of body) return json(200, { name: part.name });
        return json(200, {});
      },
    }),
    operation({
      ...shared,
      id: 'probePatientParts',
      path: '/probe/parts/patient/',
      handler: async ({ body }) => {
        try {
          return json(200, await listed(pausing(body, first.resolve, onward.promise)));
        } catch (error) {
          broke.resolve(error);
          throw error;
        }
      },
    }),
  ];
  const log = { firstBytes: first.promise, readOn: () => onward.resolve(), bodyBroke: broke.promise };
  return { operations, log };
}

async function listed(parts: AsyncIterable<Part>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const part of parts) {
    // A file named `skipped` is not read. Later parts must arrive nevertheless.
    if (part.kind === 'field' || part.name === 'skipped') seen.push(part.kind === 'field' ? part : { name: part.name });
    else seen.push({ name: part.name, filename: part.filename, type: part.type, size: await sizeOf(part.chunks) });
  }
  return seen;
}

async function sizeOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.byteLength;
  return size;
}

async function* pausing(
  parts: AsyncIterable<Part>,
  begun: () => void,
  onward: Promise<void>,
): AsyncGenerator<Part, void, undefined> {
  for await (const part of parts) yield part.kind === 'field' ? part : { ...part, chunks: paused(part.chunks) };

  async function* paused(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      yield chunk;
      begun();
      await onward;
    }
  }
}
