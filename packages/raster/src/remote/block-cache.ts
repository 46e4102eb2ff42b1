import { setTimeout as pause } from 'node:timers/promises';
import { type BlockCacheSettings, BlockFiles, blockKey, MARK_MS } from './block-files.ts';
import { runsOf, type Span } from './runs-of.ts';

/** A version of a remote file. */
export interface FileVersion {
  /** Address without user, fragment and signature (see `stableAddress`). */
  readonly address: string;
  /** Strong ETag of the version. */
  readonly etag: string;
}

/** First bytes of a remote file, with the version of the file. */
export interface CachedHead {
  readonly etag: string;
  /** Size of the whole file, bytes; null if the server did not send the size. */
  readonly total: number | null;
  readonly bytes: Uint8Array;
}

/** First and longest pause between two checks for blocks that another reader is reading, ms. */
const [LOOK_MS, MOST_LOOK_MS] = [20, 160];

/** Result of a request. */
export interface Fetched {
  readonly bytes: Uint8Array;
  /** True if the server has confirmed the version and the position of these bytes. */
  readonly isSure: boolean;
}

/** Function for the requests of a reader, and its abort signal. */
export interface Fetching {
  readonly fetch: (span: Span) => Promise<Fetched>;
  /** Signal that ends the wait for other readers. */
  readonly signal?: AbortSignal | undefined;
}

/** Blocks of remote files that all processes with one folder share. Each reader has its own `BlockCache` object. */
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

  /** Removes the first bytes of a file. */
  removeHead(address: string): void {
    this.#files.remove(headKey(address));
  }

  /** Removes a span, for example a tile that cannot be decoded. */
  remove(version: FileVersion, span: Span): void {
    this.#files.remove(keyIn(version)(span));
  }

  /**
   * Returns spans of a file in their order. Spans that are not cached are read with `fetch` and stored; neighbouring
   * spans are read with one request. If another reader is reading a span, waits for that reader, so that the span is
   * requested only once.
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

  /**
   * Reads the spans that are cached, and requests the spans that no other reader is reading. Returns the remaining
   * spans.
   */
  async #fetchOwn(spans: readonly Span[], reading: Reading): Promise<readonly Span[]> {
    const others: Span[] = [];
    let own: Span[] = [];
    // Spans with a small gap between them are joined to one request. If another reader is reading the span in the gap,
    // the spans before and after that span must not be joined. So these spans are put into different groups.
    const groups = [own];
    for (const span of spans) {
      if (this.#take(span, reading)) continue;
      if (this.#files.mark(reading.keyOf(span)) === 'other') {
        others.push(span);
        groups.push((own = []));
      } else {
        reading.marked.add(span);
        // Another reader may have stored the block after the first check and before the mark was set.
        if (this.#take(span, reading)) this.#unmark(span, reading);
        else own.push(span);
      }
    }
    await this.#fetchAll(groups, reading);
    return others;
  }

  /**
   * Waits until other readers have stored these spans. If a reader fails or takes too long, reads its spans with joined
   * requests.
   */
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

  /** Reads a span from the cache into `found`. Returns true if the span was cached. */
  #take(span: Span, { keyOf, found }: Reading): boolean {
    const content = this.#files.read(keyOf(span));
    if (content === undefined) return false;
    found.set(span, content);
    this.#count({ hits: 1, hitBytes: content.byteLength, misses: 0, missBytes: 0 });
    return true;
  }

  /** Removes the mark of a span if this reader has set the mark. */
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
            // The file may end before the end of the span. Such a short span is not stored, and the caller must detect
            // that the span is too short.
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

/**
 * Numbers of spans that were cached (hits) and that were requested (misses), and the total bytes of the hits and of the
 * misses.
 */
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
