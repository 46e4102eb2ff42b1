import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import { downloadFile, type DownloadOptions } from './download-file.ts';
import { type FileServer, packageBytes, serveFile } from './file-server.fixture.ts';
import type { Downloaded } from './complete-file.ts';

/** Contents of the served file. */
export const BYTES = packageBytes(6_000_000);
/**
 * Number of bytes after which a broken connection does not count as failed: the next request then follows without a
 * pause.
 */
export const ENOUGH = 2_000_000;

/** Pattern of an `input_data` error with this message, for assertions. */
export const refused = (message: RegExp) => ({ code: 'input_data', message: expect.stringMatching(message) });

/** A server of one file, a download folder and a clock, created for each test. */
export interface DownloadBench {
  readonly folder: string;
  readonly server: FileServer;
  readonly clock: ReturnType<typeof stillClock>;
  /** Messages for the operator. */
  readonly notices: string[];
  readonly download: (more?: Partial<DownloadOptions>) => Promise<Downloaded>;
  /**
   * Requested ranges: 'all' (no range), 'rest' or another range. 'rest' begins at or shortly before the end of the sent bytes, because the last
   * bytes of a broken connection may be lost.
   */
  readonly requestedRanges: () => readonly string[];
  /** Replaces the server by a server that has the same file and the files `others`. */
  readonly serve: (others: Readonly<Record<string, string>>) => Promise<void>;
}

/** Creates the server, the folder and the clock for the tests of one test file. */
export function downloadBench(): DownloadBench {
  let [folder, notices]: [string, string[]] = ['', []];
  let server: FileServer;
  let clock: ReturnType<typeof stillClock>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headwater-download-'));
    [server, clock, notices] = [await serveFile(BYTES), stillClock(), []];
  });
  afterEach(async () => {
    await server.loopback.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
    get server() {
      return server;
    },
    get clock() {
      return clock;
    },
    get notices() {
      return notices;
    },
    download: (more = {}) =>
      downloadFile({
        url: server.url,
        folder,
        network: { tools: clock.tools },
        notice: (message) => notices.push(message),
        freeBytes: async () => 1e12,
        signal: new AbortController().signal,
        ...more,
      }),
    requestedRanges: () =>
      server.requests.map(({ range }) => {
        if (range === undefined) return 'all';
        const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1]);
        return from > ENOUGH - 70_000 && from <= ENOUGH ? 'rest' : range;
      }),
    serve: async (others) => {
      await server.loopback.close();
      server = await serveFile(BYTES, others);
    },
  };
}
