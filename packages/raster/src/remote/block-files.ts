import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** Folder and size of the cache of blocks. All processes with one folder must have the same size. */
export interface BlockCacheSettings {
  readonly folder: string;
  /** Maximum total size of the blocks on disk, bytes. It can be exceeded by some percent for a short time. */
  readonly maxBytes: number;
  /** Free bytes of the disk below which blocks are removed instead of stored. Default: 2 GB. */
  readonly minFreeBytes?: number;
}

/** First bytes of each file: "HWB1". */
const MAGIC = 0x48574231;
/** Magic number, length and CRC-32 of the content, 4 bytes each. */
const HEADER_BYTES = 12;
/** Number of folders; each has an equal part of the size. */
const FOLDERS = 64;
/** A file takes a whole number of such pages of the disk, bytes. */
const PAGE_BYTES = 4096;
/** Share of a folder's size. On average, the folder is measured whenever this share of its size was written. */
const MEASURED_PART = 1 / 16;
/** Share of its size to which a full folder is reduced. */
const KEPT_PART = 7 / 8;
const MIN_FREE_BYTES = 2e9;
/** Age, ms, after which a draft or a mark counts as left by a killed process. */
const LEFT_MS = 3_600_000;
/** Pause, ms, after a block could not be written. */
const FAILED_MS = 60_000;
/** Age, ms, after which the mark of a reader counts as abandoned. */
export const MARK_MS = 15_000;

/** Outcome of `BlockFiles.mark`. */
export type Marked = 'own' | 'other';

/**
 * Files of the cache. Each block is one file with length and checksum. It is written under another name and then
 * renamed, so a reader gets the whole block or nothing. The files are distributed to folders by their hash. Each folder
 * has an equal share of the size, so no process needs to know the total size. The file that was not read for the
 * longest time is removed first.
 *
 * Calls are synchronous, because the callers are worker threads, and a block is read from the page cache. No call throws: a block that
 * cannot be stored or read is not cached.
 */
export class BlockFiles {
  readonly #root: string;
  readonly #folderBytes: number;
  readonly #minFreeBytes: number;
  #pausedUntil = 0;

  constructor({ folder, maxBytes, minFreeBytes = MIN_FREE_BYTES }: BlockCacheSettings) {
    this.#root = folder;
    this.#folderBytes = maxBytes / FOLDERS;
    this.#minFreeBytes = minFreeBytes;
  }

  /** Returns the content stored for a key, and counts it as used; undefined if there is none, or if the file is damaged. */
  read(key: string): Uint8Array | undefined {
    const path = this.#pathOf(key);
    const file = unlessFailed(() => readFileSync(path));
    if (file === undefined) return undefined;
    const content = contentOf(file);
    if (content === undefined) unlessFailed(() => rmSync(path, { force: true }));
    else unlessFailed(() => utimesSync(path, new Date(), new Date()));
    return content;
  }

  /**
   * Stores the content of a key. If the disk is almost full, the block is not stored, and the oldest blocks are removed
   * to free space. A block that is larger than half of its folder is not stored.
   */
  write(key: string, content: Uint8Array): void {
    const size = onDisk(HEADER_BYTES + content.byteLength);
    if (size > this.#folderBytes / 2 || performance.now() < this.#pausedUntil) return;
    const path = this.#pathOf(key);
    const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      const { bavail, bsize } = statfsSync(this.#makeFolder(key));
      if (bavail * bsize < this.#minFreeBytes + size) return this.#shrink(key, 0);
      writeFileSync(draft, headed(content), { mode: 0o600 });
      renameSync(draft, path);
      if (this.#isDue(key, size)) this.#shrink(key, this.#folderBytes);
    } catch {
      // The disk or a quota is full, or the folder cannot be written.
      unlessFailed(() => rmSync(draft, { force: true }));
      this.#shrink(key, 0);
      this.#pausedUntil = performance.now() + FAILED_MS;
    }
  }

  /** Removes the content of a key. */
  remove(key: string): void {
    unlessFailed(() => rmSync(this.#pathOf(key), { force: true }));
  }

  /**
   * Marks a key as being read from its server. Other readers then wait. `other`: another reader has marked it. A mark
   * that is older than `MARK_MS` is replaced, because its reader has ended, or its server is slow.
   */
  mark(key: string): Marked {
    const path = `${this.#pathOf(key)}.mark`;
    const create = (): true => {
      closeSync(openSync(path, 'wx', 0o600));
      return true;
    };
    const ageMs = (): number | undefined => unlessFailed(() => Math.abs(Date.now() - statSync(path).mtimeMs));
    if (unlessFailed(create) !== undefined) return 'own';
    const age = ageMs();
    if (age !== undefined && age < MARK_MS) return 'other';
    if (age === undefined) unlessFailed(() => this.#makeFolder(key));
    else this.unmark(key);
    if (unlessFailed(create) !== undefined) return 'own';
    // If a mark cannot be written, the caller reads without a mark.
    return ageMs() === undefined ? 'own' : 'other';
  }

  /** Removes a mark. */
  unmark(key: string): void {
    unlessFailed(() => rmSync(`${this.#pathOf(key)}.mark`, { force: true }));
  }

  #folderOf(key: string): string {
    return join(this.#root, String(Number.parseInt(key.slice(0, 2), 16) % FOLDERS));
  }

  #pathOf(key: string): string {
    return join(this.#folderOf(key), key);
  }

  #makeFolder(key: string): string {
    const folder = this.#folderOf(key);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /**
   * True for a share of the keys. With this share, a folder is measured, on average, once per written `MEASURED_PART`.
   * The hash of the key decides, because several processes and threads write and cannot count each other's writes.
   */
  #isDue(key: string, size: number): boolean {
    return Number.parseInt(key.slice(2, 8), 16) / 2 ** 24 < size / (MEASURED_PART * this.#folderBytes);
  }

  /**
   * Removes drafts and marks that a killed process left. If the blocks of the folder of a key take more than `most` bytes, it also removes the
   * blocks that were not used for the longest time.
   */
  #shrink(key: string, most: number): void {
    const folder = this.#folderOf(key);
    const blocks: { readonly path: string; readonly bytes: number; readonly usedMs: number }[] = [];
    for (const name of unlessFailed(() => readdirSync(folder)) ?? []) {
      const path = join(folder, name);
      const status = unlessFailed(() => statSync(path));
      if (status === undefined) continue;
      if (!name.includes('.')) blocks.push({ path, bytes: onDisk(status.size), usedMs: status.mtimeMs });
      else if (Date.now() - status.mtimeMs > LEFT_MS) unlessFailed(() => rmSync(path, { force: true }));
    }
    let total = blocks.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= most) return;
    const kept = KEPT_PART * (most || total);
    for (const { path, bytes } of blocks.toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (total <= kept) return;
      unlessFailed(() => rmSync(path, { force: true }));
      total -= bytes;
    }
  }
}

/** Bytes that a file of a size takes on disk. */
const onDisk = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;

/** Key of a text: hexadecimal digits of its SHA-256. The number of digits is large enough to avoid collisions. */
export const blockKey = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);

/** Content with its header. */
function headed(content: Uint8Array): Uint8Array {
  const file = new Uint8Array(HEADER_BYTES + content.byteLength);
  const view = new DataView(file.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, content.byteLength);
  view.setUint32(8, crc32(content));
  file.set(content, HEADER_BYTES);
  return file;
}

/** Content of a file; undefined if the file is incomplete or damaged. */
function contentOf(file: Uint8Array): Uint8Array | undefined {
  if (file.byteLength < HEADER_BYTES) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, HEADER_BYTES);
  const content = file.subarray(HEADER_BYTES);
  const isWhole = view.getUint32(0) === MAGIC && view.getUint32(4) === content.byteLength;
  return isWhole && view.getUint32(8) === crc32(content) ? content : undefined;
}

/** Result of a call of the file system; undefined if it throws. */
function unlessFailed<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
