import {
  appendFileSync,
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '@headwater/core';

/** A log file that is followed by others. */
export interface LogFileOptions {
  readonly path: string;
  /** Size at which a new file is begun. */
  readonly maxBytes: number;
  /** Files at most, the present one included. */
  readonly files: number;
}

/** Where nothing else is said: 10 MB a file, five of them. */
export const LOG_FILES = { fileBytes: 10_000_000, files: 5 } as const;

/** Owner and group read: lines tell who asked for what. */
const [FILE_MODE, FOLDER_MODE] = [0o640, 0o750];

/** Bytes of our own after which the file is looked at again: another process may have written to it, or renamed it. */
const LOOK_BYTES = 64 * 1024;

/**
 * Appends lines to a file; a full one is renamed to `NAME.TIME.PID`, and of those the newest stay. Several processes may share it:
 * each rename is one step to a name of its own, and who still has a renamed file open finds out within 64 KiB. What cannot be
 * written is told once on stderr and dropped: a full disk stops no service.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #lookBytes: number;
  #fd: number | undefined;
  /** What the file holds, as far as this process knows. */
  #size = 0;
  #sinceLook = 0;
  #renames = 0;
  #isTold = false;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#lookBytes = Math.min(LOOK_BYTES, options.maxBytes / 4);
    this.#attempt(() => this.#open());
  }

  /** Appends one line. */
  write(line: string): void {
    this.#attempt(() => {
      const bytes = Buffer.from(line);
      const fd = this.#ready(bytes.byteLength);
      appendFileSync(fd, bytes);
      this.#size += bytes.byteLength;
      this.#sinceLook += bytes.byteLength;
    });
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #attempt(work: () => void): void {
    try {
      work();
      this.#isTold = false;
    } catch (error) {
      if (this.#isTold) return;
      this.#isTold = true;
      const reason = errorCode(error) ?? String(error);
      process.stderr.write(
        `headwater: ${this.#options.path} cannot be written (${reason}); lines are missing there until it can\n`,
      );
    }
  }

  /** The file to write so many bytes to. */
  #ready(bytes: number): number {
    const isFull = (): boolean => this.#size > 0 && this.#size + bytes > this.#options.maxBytes;
    if (this.#fd === undefined) return this.#open();
    if (this.#sinceLook < this.#lookBytes && !isFull()) return this.#fd;
    if (!this.#isStill(this.#fd)) return this.#open();
    this.#look(this.#fd);
    if (!isFull()) return this.#fd;
    this.#rename();
    return this.#open();
  }

  #open(): number {
    const { path } = this.#options;
    this.close();
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    const fd = openSync(path, 'a', FILE_MODE);
    this.#fd = fd;
    // Also what an earlier version left readable for everybody. Of another user's file the mode is that user's.
    ignoring('EPERM', () => fchmodSync(fd, FILE_MODE));
    ignoring('EPERM', () => chmodSync(dirname(path), FOLDER_MODE));
    this.#look(fd);
    return fd;
  }

  #look(fd: number): void {
    this.#size = fstatSync(fd).size;
    this.#sinceLook = 0;
  }

  /** Whether the open file is the one of that name. */
  #isStill(fd: number): boolean {
    const named = statSync(this.#options.path, { throwIfNoEntry: false });
    const own = fstatSync(fd);
    return named?.ino === own.ino && named.dev === own.dev;
  }

  #rename(): void {
    const { path, files } = this.#options;
    const time = new Date().toISOString().replace(/[-:.]/g, '');
    this.#renames += 1;
    ignoring('ENOENT', () => renameSync(path, `${path}.${time}.${process.pid}-${this.#renames}`));
    const earlier = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`));
    for (const name of earlier
      .toSorted()
      .toReversed()
      .slice(files - 1))
      rmSync(join(dirname(path), name), { force: true });
  }
}

function ignoring(code: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (errorCode(error) !== code) throw error;
  }
}
