import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { constants } from 'node:fs';
import { DomainError } from '@headwater/core/errors';
import { storageError } from '@headwater/net/files';
import {
  type DownloadState,
  type FileVersion,
  partOf,
  readDownloadState,
  removeStateDrafts,
  writeDownloadState,
} from './download-state.ts';

/** Interval at which bytes are synced, so that a power failure loses at most one interval. */
const SYNC_BYTES = 64_000_000;
const SYNC_MS = 5000;

/** Received part of a file, and its state file. Throws `storage_full` or `unavailable` for errors of the disk. */
export class PartFile {
  readonly #folder: string;
  readonly #file: FileHandle;
  #state: DownloadState;
  #size: number;
  #syncedAt = performance.now();

  private constructor(folder: string, file: FileHandle, state: DownloadState) {
    this.#folder = folder;
    this.#file = file;
    this.#state = state;
    this.#size = state.synced;
  }

  /** Opens the part that was received from `source`, or creates an empty part. */
  static async open(folder: string, source: string): Promise<PartFile> {
    return onDisk(async () => {
      await mkdir(folder, { recursive: true });
      await removeStateDrafts(folder);
      const before = await readDownloadState(folder);
      const file = await open(partOf(folder), constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        const { size } = await file.stat();
        const isGood = before?.source === source && before.whole === undefined && size >= before.synced;
        const state = isGood ? before : { source, version: {}, synced: 0 };
        // Bytes after the last sync may be missing or wrong, so they are dropped.
        await file.truncate(state.synced);
        return new PartFile(folder, file, state);
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  get size(): number {
    return this.#size;
  }

  get version(): FileVersion {
    return this.#state.version;
  }

  /** True if all bytes were received. */
  get isWhole(): boolean {
    return this.version.total === this.#size;
  }

  /** Begins a body of this version at byte `from`, and drops all bytes from there on. */
  async begin(version: FileVersion, from: number): Promise<void> {
    await onDisk(() => this.#file.truncate(from));
    this.#size = from;
    this.#state = { ...this.#state, version };
    await this.sync();
  }

  restart(): Promise<void> {
    return this.begin({}, 0);
  }

  /** Appends bytes; true if they were synced to the disk. */
  async write(piece: Uint8Array): Promise<boolean> {
    await onDisk(async () => {
      for (let at = 0; at < piece.byteLength;) {
        const { bytesWritten } = await this.#file.write(piece, at, piece.byteLength - at, this.#size);
        at += bytesWritten;
        this.#size += bytesWritten;
      }
    });
    const isDue = this.#size - this.#state.synced >= SYNC_BYTES || performance.now() - this.#syncedAt >= SYNC_MS;
    if (isDue) await this.sync();
    return isDue;
  }

  /** Syncs the bytes, and then writes their number to the state. */
  async sync(): Promise<void> {
    await onDisk(async () => {
      await this.#file.datasync();
      this.#state = { ...this.#state, synced: this.#size };
      await writeDownloadState(this.#folder, this.#state);
    });
    this.#syncedAt = performance.now();
  }

  /** Records the length of a file whose server sent no length, at the end of its body. */
  async end(): Promise<void> {
    this.#state = { ...this.#state, version: { ...this.version, total: this.#size } };
    await this.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Length of a file; undefined for a missing file. */
export async function lengthOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const error = storageError(cause, 'the part of the download');
    if (error !== cause) throw error;
    // `work` uses only the disk, so every other error is an error of the disk too.
    throw new DomainError('unavailable', 'The downloaded part cannot be written; check the data disk.', {
      cause,
    });
  }
}
