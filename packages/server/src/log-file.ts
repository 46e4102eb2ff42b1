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

/** Options of a log file with rotation. */
export interface LogFileOptions {
  readonly path: string;
  /** Size in bytes at which a new file begins. */
  readonly maxBytes: number;
  readonly files: number;
}

/** Defaults: 10 MB per file, five files. */
export const LOG_FILES = { fileBytes: 10_000_000, files: 5 } as const;

/**
 * Permissions: the owner reads and writes, its group reads. Other users may not read, because log lines contain the
 * activity of users.
 */
const [FILE_MODE, FOLDER_MODE] = [0o640, 0o750];

/** Number of written bytes after which `LogFile` checks if another process has renamed the file. */
const CHECK_BYTES = 64 * 1024;

/**
 * Appends lines to a file. Renames a full file to `NAME.TIME.PID-NUMBER`, and keeps the newest files. Several processes
 * may share the file. If a write fails, the line is dropped, so that a full disk does not stop the service.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #checkBytes: number;
  #fd: number | undefined;
  #size = 0;
  #sinceCheck = 0;
  #renames = 0;
  #isReported = false;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#checkBytes = Math.min(CHECK_BYTES, options.maxBytes / 4);
    this.#attempt(() => this.#open());
  }

  write(line: string): void {
    this.#attempt(() => {
      const bytes = Buffer.from(line);
      const fd = this.#ready(bytes.byteLength);
      appendFileSync(fd, bytes);
      this.#size += bytes.byteLength;
      this.#sinceCheck += bytes.byteLength;
    });
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #attempt(work: () => void): void {
    try {
      work();
      this.#isReported = false;
    } catch (error) {
      if (this.#isReported) return;
      this.#isReported = true;
      const reason = errorCode(error) ?? String(error);
      process.stderr.write(
        `headwater: ${this.#options.path} cannot be written (${reason}), so log lines are lost; free disk space, or correct the permissions of the folder\n`,
      );
    }
  }

  #ready(bytes: number): number {
    const isFull = (): boolean => this.#size > 0 && this.#size + bytes > this.#options.maxBytes;
    if (this.#fd === undefined) return this.#open();
    if (this.#sinceCheck < this.#checkBytes && !isFull()) return this.#fd;
    if (!this.#isStill(this.#fd)) return this.#open();
    this.#readSize(this.#fd);
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
    // Earlier versions let every user read the files. EPERM means that the file belongs to another user, so its
    // permissions cannot be changed.
    ignoring('EPERM', () => fchmodSync(fd, FILE_MODE));
    ignoring('EPERM', () => chmodSync(dirname(path), FOLDER_MODE));
    this.#readSize(fd);
    return fd;
  }

  #readSize(fd: number): void {
    this.#size = fstatSync(fd).size;
    this.#sinceCheck = 0;
  }

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
