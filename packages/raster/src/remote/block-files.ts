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

/** Folder and size of the cache of blocks. All processes with this folder must have the same `maxBytes`. */
export interface BlockCacheSettings {
  readonly folder: string;
  /** Maximum total size of the blocks on disk, bytes. The total may exceed it by some percent for a short time. */
  readonly maxBytes: number;
  /** Minimum free space of the disk, bytes; default: 2 GB. With less, blocks are removed and not stored. */
  readonly minFreeBytes?: number;
}

const MAGIC = 0x48574231;
/** Size of the header of a block, bytes: magic number, length and CRC-32 of the content. */
const HEADER_BYTES = 12;
const FOLDERS = 64;
const PAGE_BYTES = 4096;
/** On average, a folder is measured whenever this share of its maximum size has been written. */
const MEASURED_PART = 1 / 16;
/**
 * When old blocks are removed, this share of the maximum size is kept. On a full disk, this share of the present size
 * is kept.
 */
const KEPT_PART = 7 / 8;
const MIN_FREE_BYTES = 2e9;
const LEFT_MS = 3_600_000;
const FAILED_MS = 60_000;
/** Age after which other readers ignore a mark, ms. */
export const MARK_MS = 15_000;

/** Outcome of `BlockFiles.mark`. `own`: the caller reads the block. `other`: another reader has marked it. */
export type Marked = 'own' | 'other';

/**
 * Files of the cache. Each block is one file with length and checksum, and gets its final name when it is complete.
 * The hash of the key selects the folder. Each folder has an equal share of the total size, and removes its least
 * recently used files.
 * Calls throw no errors of the disk: a block that cannot be stored or read counts as not cached.
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

  /** Returns the content of a key, and updates its time of use; undefined if the file is missing or damaged. */
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
   * Stores the content of a key. On an almost full disk, removes old blocks instead. Does not store a block that is
   * larger than half of a folder's maximum.
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
      // The disk is full, or the folder is not writable. So space is freed, and nothing is written for some time.
      unlessFailed(() => rmSync(draft, { force: true }));
      this.#shrink(key, 0);
      this.#pausedUntil = performance.now() + FAILED_MS;
    }
  }

  remove(key: string): void {
    unlessFailed(() => rmSync(this.#pathOf(key), { force: true }));
  }

  /**
   * Marks a key as being read, so that other readers wait. Returns `other` if another reader has marked the key less
   * than `MARK_MS` ago.
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
    // If there is still no mark, marks cannot be written, so the caller reads without one.
    return ageMs() === undefined ? 'own' : 'other';
  }

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
   * True if the folder must be measured after a write. The hash of the key serves as a random number, because processes
   * cannot count each other's writes.
   */
  #isDue(key: string, size: number): boolean {
    return Number.parseInt(key.slice(2, 8), 16) / 2 ** 24 < size / (MEASURED_PART * this.#folderBytes);
  }

  /**
   * Removes files that killed processes left in the folder of the key. Above `most` bytes, also removes the least
   * recently used blocks.
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

const onDisk = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;

/** Key of some parts: the first 40 hexadecimal digits of their SHA-256. */
export const blockKey = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);

function headed(content: Uint8Array): Uint8Array {
  const file = new Uint8Array(HEADER_BYTES + content.byteLength);
  const view = new DataView(file.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, content.byteLength);
  view.setUint32(8, crc32(content));
  file.set(content, HEADER_BYTES);
  return file;
}

function contentOf(file: Uint8Array): Uint8Array | undefined {
  if (file.byteLength < HEADER_BYTES) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, HEADER_BYTES);
  const content = file.subarray(HEADER_BYTES);
  const isWhole = view.getUint32(0) === MAGIC && view.getUint32(4) === content.byteLength;
  return isWhole && view.getUint32(8) === crc32(content) ? content : undefined;
}

function unlessFailed<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
