import { setTimeout as pause } from 'node:timers/promises';
import { type BlockCacheSettings, BlockFiles, blockKey, MARK_MS } from './block-files.ts';
import { runsOf, type Span } from './runs-of.ts';

/** A version of a remote file. */
export interface FileVersion {
  /** Address without signatures. */
  readonly address: string;
  /** Strong ETag. */
  readonly etag: string;
}

/** First bytes of a remote file, with its version. */
export interface CachedHead {
  readonly etag: string;
  /** Bytes of the whole file; null if the server did not send the size. */
  readonly total: number | null;
  readonly bytes: Uint8Array;
}

/** Pause between two looks for a block that another reader reads, ms. */
const LOOK_MS = 20;

/** Blocks of remote files that all processes with one folder share. Each reader has its own object. */
export class BlockCache {
  readonly #files: BlockFiles;
  readonly #count: (counts: CacheCounts) => void;

  constructor(settings: BlockCacheSettings, count: (counts: CacheCounts) => void = () => {}) {
    this.#files = new BlockFiles(settings);
    this.#count = count;
  }

  /** Returns the first bytes of the version that was read last. */
  head(address: string): CachedHead | undefined {
    const content = this.#files.read(headKey(address));
    if (content === undefined) return undefined;
    const end = content.indexOf(NEWLINE);
    const { etag, total }: Omit<CachedHead, 'bytes'> = JSON.parse(new TextDecoder().decode(content.subarray(0, end)));
    return { etag, total, bytes: content.subarray(end + 1) };
  }

  /** Stores the first bytes of a file. */
  setHead(address: string, { bytes, etag, total }: CachedHead): void {
    const facts = new TextEncoder().encode(`${JSON.stringify({ etag, total })}\n`);
    this.#files.write(headKey(address), Buffer.concat([facts, bytes]));
  }

  /**
   * Returns spans of a file in their order. Spans that are not cached are read with `fetch`, neighbours together, and stored. A span that
   * another reader reads at this time is awaited, so that it is requested once.
   */
  async read(
    version: FileVersion,
    spans: readonly Span[],
    fetch: (span: Span) => Promise<Uint8Array>,
  ): Promise<readonly Uint8Array[]> {
    const found = new Map<Span, Uint8Array>();
    const keyOf = ({ offset, length }: Span): string => blockKey(version.address, version.etag, offset, length);
    const [own, others]: [Span[], Span[]] = [[], []];
    for (const span of spans) {
      const content = this.#files.read(keyOf(span));
      if (content !== undefined) found.set(span, content);
      else if (this.#files.mark(keyOf(span)) === 'own') own.push(span);
      else others.push(span);
    }
    this.#count({ hits: found.size, hitBytes: bytesOf(found.values()), misses: 0, missBytes: 0 });
    await this.#fetchAll(own, { keyOf, fetch, found });
    for (const span of others) await this.#awaited(span, { keyOf, fetch, found });
    return spans.map((span) => found.get(span) ?? new Uint8Array(0));
  }

  async #fetchAll(own: readonly Span[], { keyOf, fetch, found }: Reading): Promise<void> {
    try {
      await Promise.all(
        runsOf(own).map(async ({ offset, length, spans }) => {
          const bytes = await fetch({ offset, length });
          for (const span of spans) {
            const from = span.offset - offset;
            const part = bytes.subarray(from, from + span.length);
            found.set(span, part);
            // The file may end before the span, and its reader must find out.
            if (part.byteLength === span.length) this.#files.write(keyOf(span), part);
            this.#files.unmark(keyOf(span));
          }
          this.#count({ hits: 0, hitBytes: 0, misses: spans.length, missBytes: bytes.byteLength });
        }),
      );
    } finally {
      for (const span of own) if (!found.has(span)) this.#files.unmark(keyOf(span));
    }
  }

  /** Waits for another reader; reads the span itself if the other one fails or takes too long. */
  async #awaited(span: Span, reading: Reading): Promise<void> {
    const key = reading.keyOf(span);
    const until = performance.now() + MARK_MS;
    for (;;) {
      const content = this.#files.read(key);
      if (content !== undefined) {
        reading.found.set(span, content);
        return this.#count({ hits: 1, hitBytes: content.byteLength, misses: 0, missBytes: 0 });
      }
      if (this.#files.mark(key) === 'own' || performance.now() >= until) {
        // The other reader may have stored the block between the two calls.
        const late = this.#files.read(key);
        if (late === undefined) return await this.#fetchAll([span], reading);
        this.#files.unmark(key);
        reading.found.set(span, late);
        return;
      }
      await pause(LOOK_MS);
    }
  }
}

/** Numbers of spans, and of their bytes, that were cached (hits) or requested (misses). */
export interface CacheCounts {
  readonly hits: number;
  readonly hitBytes: number;
  readonly misses: number;
  readonly missBytes: number;
}

interface Reading {
  readonly keyOf: (span: Span) => string;
  readonly fetch: (span: Span) => Promise<Uint8Array>;
  readonly found: Map<Span, Uint8Array>;
}

const NEWLINE = 10;

const headKey = (address: string): string => blockKey('head', address);

const bytesOf = (contents: Iterable<Uint8Array>): number => {
  let sum = 0;
  for (const { byteLength } of contents) sum += byteLength;
  return sum;
};
