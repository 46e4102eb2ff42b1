import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import { downloadFile, type DownloadOptions } from './download-file.ts';
import { type FileServer, packageBytes, serveFile } from './file-server.fixture.ts';
import type { Downloaded } from './complete-file.ts';

/** Served bytes. */
export const BYTES = packageBytes(6_000_000);
/** A broken connection with this many bytes does not count as failed, so the next request has no pause. */
export const ENOUGH = 2_000_000;

/** Pattern of an `input_data` error with this message. */
export const refused = (message: RegExp) => ({ code: 'input_data', message: expect.stringMatching(message) });

/** Server of one file, download folder and clock. */
export interface DownloadBench {
  readonly folder: string;
  readonly server: FileServer;
  readonly clock: ReturnType<typeof stillClock>;
  readonly notices: string[];
  readonly download: (more?: Partial<DownloadOptions>) => Promise<Downloaded>;
  /**
   * Requested ranges: 'all', 'rest' or another range. A 'rest' begins near the end of the sent bytes, because a broken
   * connection may lose some bytes.
   */
  readonly requestedRanges: () => readonly string[];
  /** Restarts the server with further files. */
  readonly serve: (others: Readonly<Record<string, string>>) => Promise<void>;
}

/** Creates the server, folder and clock of a test file. */
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
