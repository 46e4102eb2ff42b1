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

/** Folder and size of the cache of blocks. All processes that use the same folder must have the same `maxBytes`. */
export interface BlockCacheSettings {
  readonly folder: string;
  /** Maximum total size of the blocks on disk, bytes. The total can be some percent larger for a short time. */
  readonly maxBytes: number;
  /** Minimum free space of the disk, bytes; default: 2 GB. If less is free, blocks are removed and not stored. */
  readonly minFreeBytes?: number;
}

/** Magic number: the first four bytes of each file are "HWB1". */
const MAGIC = 0x48574231;
/** Length of the header: magic number, length and CRC-32 of the content, 4 bytes each. */
const HEADER_BYTES = 12;
/** Number of folders; the total size is divided equally among them. */
const FOLDERS = 64;
/** Size of a page of the disk, bytes. A file occupies a whole number of pages. */
const PAGE_BYTES = 4096;
/**
 * Share of a folder's maximum size. On average, the folder is measured once whenever this share has been written
 * to it.
 */
const MEASURED_PART = 1 / 16;
/** Share of the maximum size (on a full disk: of the present size) that is kept. */
const KEPT_PART = 7 / 8;
const MIN_FREE_BYTES = 2e9;
/** Age after which a temporary file or a mark counts as left by a killed process, ms. */
const LEFT_MS = 3_600_000;
/** Time without writes after a block could not be written, ms. */
const FAILED_MS = 60_000;
/** Age after which other readers ignore the mark of a reader, ms. */
export const MARK_MS = 15_000;

/** Outcome of `BlockFiles.mark`: the caller has set the mark, or another reader has. */
export type Marked = 'own' | 'other';

/**
 * Files of the cache. Each block is one file with length and checksum. The file is written under another name and then renamed, so a
 * reader reads either the whole block or nothing. The files are distributed to folders by the hash of their key. Each folder has an
 * equal share of the total size, so a process needs to measure only one folder. The least recently used file is removed first.
 *
 * Calls are synchronous, because the callers are worker threads, and blocks are mostly read from the page cache of the system. No call
 * throws an error of the disk: a block that cannot be stored or read counts as not cached.
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

  /**
   * Returns the content stored for a key, and marks the content as used; undefined if there is no content, or if the
   * file is damaged.
   */
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
   * Stores the content of a key. If the disk is almost full, does not store the block, and removes the least recently
   * used blocks to free space. Does not store a block that is larger than half of a folder's maximum size.
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
      // The disk or a quota is full, or the folder is not writable. So space is freed, and no block is written for some
      // time.
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
   * Marks a key as being read from its server, so that other readers wait. Returns `other` if another reader has
   * already marked the key. Replaces a mark that is older than `MARK_MS`, because the other reader has probably ended,
   * or its server is slow.
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
    // If there is still no mark, marks cannot be written. So the caller reads without a mark.
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
   * True if the folder of a key must be measured after this write. On average, this happens once for each written
   * `MEASURED_PART` of the folder's size. The hash of the key decides as a random number, because processes and threads
   * cannot count each other's writes.
   */
  #isDue(key: string, size: number): boolean {
    return Number.parseInt(key.slice(2, 8), 16) / 2 ** 24 < size / (MEASURED_PART * this.#folderBytes);
  }

  /**
   * Removes temporary files and marks of killed processes from the folder of a key. If the blocks of this folder have more than `most` bytes,
   * also removes the least recently used blocks.
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

/** Space that a file of this size occupies on the disk, bytes. */
const onDisk = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;

/**
 * Key for some parts: the first 40 hexadecimal digits of a SHA-256. This number of digits is large enough to avoid
 * collisions.
 */
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

/** Content of a file of the cache; undefined if the file is incomplete or damaged. */
function contentOf(file: Uint8Array): Uint8Array | undefined {
  if (file.byteLength < HEADER_BYTES) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, HEADER_BYTES);
  const content = file.subarray(HEADER_BYTES);
  const isWhole = view.getUint32(0) === MAGIC && view.getUint32(4) === content.byteLength;
  return isWhole && view.getUint32(8) === crc32(content) ? content : undefined;
}

/** Returns the result of a file system call; undefined if the call throws. */
function unlessFailed<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
