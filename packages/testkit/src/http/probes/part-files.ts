import { setImmediate } from 'node:timers/promises';
import { DomainError } from '@headwater/core';
import { json, operation, partsBody, type Operation, type Part } from '@headwater/http-service';
import { ANY, PROBE } from './shared.ts';

/** Events of the test operation `Hold`, which waits at the first part of its body. */
export interface HeldLog {
  /** Resolves when the first part (in the test cases, a field) was received. `letGo` then continues the operation. */
  readonly firstField: Promise<void>;
  readonly letGo: () => void;
}

const MIB = 1024 * 1024;
const LIMITS = { total: 96 * MIB, parts: 1000, field: MIB } as const;

/** Test operations that read files of multipart bodies slowly, in part, late, or not at all. */
export function partFileProbes(): { readonly operations: readonly Operation[]; readonly log: HeldLog } {
  const first = Promise.withResolvers<void>();
  const onward = Promise.withResolvers<void>();
  const row = (name: string, answer: (parts: AsyncIterable<Part>) => Promise<unknown>): Operation =>
    operation({
      ...PROBE,
      method: 'POST',
      responses: { 200: ANY },
      body: partsBody(LIMITS),
      id: `probe${name}Parts`,
      path: `/probe/parts/${name.toLowerCase()}/`,
      handler: async ({ body }) => json(200, await answer(body)),
    });
  const operations = [
    row('Slow', (parts) => each(parts, slowly)),
    row('Peek', (parts) => each(parts, peek)),
    row('Resume', (parts) => each(parts, async (chunks) => (await peek(chunks)) + (await sizeOf(chunks)))),
    row('Names', (parts) => each(parts, async () => 0)),
    row('Late', readLate),
    row('Refuse', async (parts) => {
      for await (const { name } of parts) throw new DomainError('conflict', `refused at ${name}`);
    }),
    row('Hold', async (parts) => {
      let count = 0;
      for await (const part of parts) {
        count += part.kind === 'field' ? 1 : 0;
        first.resolve();
        await onward.promise;
      }
      return { count };
    }),
  ];
  return { operations, log: { firstField: first.promise, letGo: () => onward.resolve() } };
}

type Chunks = AsyncIterable<Uint8Array>;

async function each(parts: AsyncIterable<Part>, use: (chunks: Chunks) => Promise<number>): Promise<unknown> {
  const seen: [string, number][] = [];
  for await (const part of parts) seen.push([part.name, part.kind === 'field' ? -1 : await use(part.chunks)]);
  return seen;
}

// A slow handler, with other work before and between chunks.
async function slowly(chunks: Chunks): Promise<number> {
  let size = 0;
  for (let round = 0; round < 5; round += 1) await setImmediate();
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    await setImmediate();
  }
  return size;
}

// Reads only the first chunk, as a check of a file's magic number does.
async function peek(chunks: Chunks): Promise<number> {
  for await (const chunk of chunks) return chunk.byteLength;
  return 0;
}

async function sizeOf(chunks: Chunks): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.byteLength;
  return size;
}

async function readLate(parts: AsyncIterable<Part>): Promise<unknown> {
  const files: Chunks[] = [];
  for await (const part of parts) if (part.kind === 'file') files.push(part.chunks);
  const sizes = files.map((chunks) => sizeOf(chunks).catch((error: unknown) => (error as Error).message));
  return Promise.all(sizes);
}
