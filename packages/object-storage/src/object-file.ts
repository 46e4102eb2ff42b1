import type { AssetFile } from '@headwater/core';
import { createByteLimitedCache } from '@headwater/core/caching';
import type { ByteSpan, ObjectInfo, ObjectStore } from './object-store.ts';

/** An object to read, with ETag and modification time. */
export interface ReadObject extends Pick<ObjectInfo, 'key' | 'bytes' | 'version'> {
  readonly etag: string;
  readonly modified: Date;
}

/** Reads ranges of objects, with a cache of blocks. */
export interface ObjectReader {
  open(object: ReadObject): AssetFile;
}

/** Size of a cached block, bytes. It contains several tiles of a COG, or a leaf directory of a PMTiles file. */
const BLOCK_BYTES = 256 * 1024;
/** Longest cached span, bytes. Longer spans are mostly whole files, which would evict all other blocks. */
const CACHED_SPAN_BYTES = 2 * 2 ** 20;

/**
 * Creates a reader. Adjacent blocks are read together, and simultaneous reads share a request. `cacheBytes`: memory for
 * the blocks of all objects.
 */
export function createObjectReader(store: Pick<ObjectStore, 'read'>, cacheBytes = 64 * 2 ** 20): ObjectReader {
  const cache = createByteLimitedCache<string, Uint8Array>({ mostBytes: cacheBytes, sizeOf: (block) => block.length });
  const blocksOf = async (object: ReadObject, { start, end }: ByteSpan): Promise<readonly Uint8Array[]> => {
    const [first, last] = [Math.floor(start / BLOCK_BYTES), Math.floor(end / BLOCK_BYTES)];
    const group = sharedRead(store, object);
    const wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index).map((block) =>
      cache.of(`${object.key} ${block}`, { version: object.version, make: () => group.block(block) }),
    );
    group.send();
    return Promise.all(wanted);
  };
  return {
    open: (object) => ({
      bytes: object.bytes,
      etag: object.etag,
      modified: object.modified,
      stream: (start, end) => {
        const isShort = end - start < CACHED_SPAN_BYTES;
        return streamOf((signal) => (isShort ? cached(start, end) : store.read(object, { start, end }, signal)));
        async function* cached(from: number, to: number): AsyncGenerator<Uint8Array> {
          const offset = Math.floor(from / BLOCK_BYTES) * BLOCK_BYTES;
          for (const [index, block] of (await blocksOf(object, { start: from, end: to })).entries()) {
            const at = offset + index * BLOCK_BYTES;
            yield block.subarray(Math.max(0, from - at), to + 1 - at);
          }
        }
      },
    }),
  };
}

function sharedRead(store: Pick<ObjectStore, 'read'>, object: ReadObject) {
  const missing: { readonly block: number; readonly result: PromiseWithResolvers<Uint8Array> }[] = [];
  const read = async (run: typeof missing): Promise<void> => {
    const [first, last] = [run[0]!, run.at(-1)!];
    const start = first.block * BLOCK_BYTES;
    const end = Math.min(object.bytes, (last.block + 1) * BLOCK_BYTES) - 1;
    try {
      const bytes = new Uint8Array(end - start + 1);
      let at = 0;
      for await (const piece of store.read(object, { start, end })) {
        bytes.set(piece, at);
        at += piece.byteLength;
      }
      // Each block is copied, because a cached view would keep the memory of the whole read.
      for (const [index, { result }] of run.entries())
        result.resolve(bytes.slice(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES));
    } catch (error) {
      for (const { result } of run) result.reject(error);
    }
  };
  return {
    block: (block: number): Promise<Uint8Array> => {
      const result = Promise.withResolvers<Uint8Array>();
      missing.push({ block, result });
      return result.promise;
    },
    send: (): void => {
      let run: typeof missing = [];
      for (const each of missing) {
        const before = run.at(-1);
        if (before !== undefined && before.block + 1 !== each.block) {
          void read(run);
          run = [];
        }
        run.push(each);
      }
      if (run.length > 0) void read(run);
    },
  };
}

function streamOf(open: (signal: AbortSignal) => AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const stopping = new AbortController();
  let pieces: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pieces ??= open(stopping.signal)[Symbol.asyncIterator]();
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        stopping.abort();
        await pieces?.return?.().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}
