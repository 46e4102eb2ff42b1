import { setTimeout as pause } from 'node:timers/promises';
import { type BlockCacheSettings, BlockFiles, blockKey, MARK_MS } from './block-files.ts';
import { runsOf, type Span } from './runs-of.ts';

/** Version of a remote file. */
export interface FileVersion {
  /** Address without user, fragment and signature (see `stableAddress`). */
  readonly address: string;
  readonly etag: string;
}

/** First bytes of a remote file, with the version of the file. */
export interface CachedHead {
  readonly etag: string;
  /** Size of the whole file, bytes; null if unknown. */
  readonly total: number | null;
  readonly bytes: Uint8Array;
}

const [LOOK_MS, MOST_LOOK_MS] = [20, 160];

/** Result of a request. */
export interface Fetched {
  readonly bytes: Uint8Array;
  /** True if the server has confirmed the version and the position of these bytes. */
  readonly isSure: boolean;
}

/** Function that requests a span of the file, and abort signal of the reader. */
export interface Fetching {
  readonly fetch: (span: Span) => Promise<Fetched>;
  /** Signal that ends the wait for other readers. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Cache of blocks of remote files in a folder. All `BlockCache` objects with the same folder share the blocks, also
 * across threads and processes.
 */
export class BlockCache {
  readonly #files: BlockFiles;
  readonly #count: (counts: CacheCounts) => void;

  constructor(settings: BlockCacheSettings, count: (counts: CacheCounts) => void = () => {}) {
    this.#files = new BlockFiles(settings);
    this.#count = count;
  }

  head(address: string): CachedHead | undefined {
    const content = this.#files.read(headKey(address));
    if (content === undefined) return undefined;
    const end = content.indexOf(NEWLINE);
    const { etag, total }: Omit<CachedHead, 'bytes'> = JSON.parse(new TextDecoder().decode(content.subarray(0, end)));
    return { etag, total, bytes: content.subarray(end + 1) };
  }

  setHead(address: string, { bytes, etag, total }: CachedHead): void {
    const facts = new TextEncoder().encode(`${JSON.stringify({ etag, total })}\n`);
    this.#files.write(headKey(address), Buffer.concat([facts, bytes]));
  }

  removeHead(address: string): void {
    this.#files.remove(headKey(address));
  }

  /** Removes a span, for example a tile that cannot be decoded. */
  remove(version: FileVersion, span: Span): void {
    this.#files.remove(keyIn(version)(span));
  }

  /**
   * Returns the bytes of spans of a file, in the order of `spans`. Requests and stores spans that are not cached. Waits
   * for spans that another reader is reading.
   */
  async read(
    version: FileVersion,
    spans: readonly Span[],
    { fetch, signal }: Fetching,
  ): Promise<readonly Uint8Array[]> {
    const reading: Reading = { keyOf: keyIn(version), fetch, signal, found: new Map(), marked: new Set() };
    const others = await this.#fetchOwn(spans, reading);
    await this.#await(others, reading);
    return spans.map((span) => reading.found.get(span) ?? new Uint8Array(0));
  }

  /** Requests spans that are not cached and that no other reader is reading. Returns the spans of other readers. */
  async #fetchOwn(spans: readonly Span[], reading: Reading): Promise<readonly Span[]> {
    const others: Span[] = [];
    let own: Span[] = [];
    // Spans before and after a span of another reader must not be joined, so they are in different groups.
    const groups = [own];
    for (const span of spans) {
      if (this.#take(span, reading)) continue;
      if (this.#files.mark(reading.keyOf(span)) === 'other') {
        others.push(span);
        groups.push((own = []));
      } else {
        reading.marked.add(span);
        // Another reader may have stored the block before this reader set the mark.
        if (this.#take(span, reading)) this.#unmark(span, reading);
        else own.push(span);
      }
    }
    await this.#fetchAll(groups, reading);
    return others;
  }

  /** Waits for spans of other readers. If a reader fails or takes too long, requests its spans. */
  async #await(others: readonly Span[], reading: Reading): Promise<void> {
    const until = performance.now() + MARK_MS;
    let waiting = others;
    for (let pauseMs = LOOK_MS; waiting.length > 0; pauseMs = Math.min(2 * pauseMs, MOST_LOOK_MS)) {
      await pause(pauseMs, undefined, { signal: reading.signal });
      waiting = await this.#fetchOwn(waiting, reading);
      if (performance.now() < until) continue;
      await this.#fetchAll([waiting], reading);
      return;
    }
  }

  #take(span: Span, { keyOf, found }: Reading): boolean {
    const content = this.#files.read(keyOf(span));
    if (content === undefined) return false;
    found.set(span, content);
    this.#count({ hits: 1, hitBytes: content.byteLength, misses: 0, missBytes: 0 });
    return true;
  }

  /** Removes the mark only if this reader has set it. */
  #unmark(span: Span, { keyOf, marked }: Reading): void {
    if (marked.delete(span)) this.#files.unmark(keyOf(span));
  }

  async #fetchAll(groups: readonly (readonly Span[])[], reading: Reading): Promise<void> {
    const { keyOf, fetch, found } = reading;
    try {
      await Promise.all(
        groups.flatMap(runsOf<Span>).map(async ({ offset, length, spans: parts }) => {
          const { bytes, isSure } = await fetch({ offset, length });
          for (const span of parts) {
            const from = span.offset - offset;
            const part = bytes.subarray(from, from + span.length);
            found.set(span, part);
            // The file may end within the span. Such a short span is not stored.
            if (isSure && part.byteLength === span.length) this.#files.write(keyOf(span), part);
            this.#unmark(span, reading);
          }
          this.#count({ hits: 0, hitBytes: 0, misses: parts.length, missBytes: bytes.byteLength });
        }),
      );
    } finally {
      for (const span of groups.flat()) this.#unmark(span, reading);
    }
  }
}

/** Numbers of cached spans (hits) and of requested spans (misses), with their bytes. */
export interface CacheCounts {
  readonly hits: number;
  readonly hitBytes: number;
  readonly misses: number;
  readonly missBytes: number;
}

interface Reading extends Fetching {
  readonly keyOf: (span: Span) => string;
  readonly found: Map<Span, Uint8Array>;
  /** Spans that this reader has marked as being read. */
  readonly marked: Set<Span>;
}

const NEWLINE = 10;

const headKey = (address: string): string => blockKey('head', address);

const keyIn =
  ({ address, etag }: FileVersion) =>
  ({ offset, length }: Span): string =>
    blockKey(address, etag, offset, length);
