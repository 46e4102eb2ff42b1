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
  /** Maximum total size of the blocks, bytes. */
  readonly maxBytes: number;
}

/** First bytes of each file: "HWB1". */
const MAGIC = 0x48574231;
/** Magic number, length and CRC-32 of the content, 4 bytes each. */
const HEADER_BYTES = 12;
/** Bytes of a full folder: so few files that listing them after each new block takes about a millisecond. */
const FOLDER_BYTES = 64 * 1024 * 1024;
const MOST_FOLDERS = 256;
/** Blocks are not stored if the disk has less free space than this. */
const MIN_FREE_BYTES = 1e9;
/** Age, ms, after which the mark of a reader counts as abandoned. */
export const MARK_MS = 15_000;

/** Outcome of `BlockFiles.mark`. */
export type Marked = 'own' | 'other';

/**
 * Files of the cache. Each block is one file with length and checksum, written under another name and renamed, so that a reader gets the
 * whole block or nothing. The files are spread over folders by their hash. Each folder has an equal part of the size, so no process needs to
 * know the total. The file that was not read for the longest time is removed first.
 *
 * Calls are synchronous, because the callers are worker threads, and a block is read from the page cache. No call throws: a block that
 * cannot be stored or read is not cached.
 */
export class BlockFiles {
  readonly #root: string;
  readonly #folders: number;
  readonly #folderBytes: number;

  constructor({ folder, maxBytes }: BlockCacheSettings) {
    let folders = 1;
    while (folders < MOST_FOLDERS && folders * FOLDER_BYTES < maxBytes) folders *= 2;
    this.#folders = folders;
    this.#folderBytes = maxBytes / folders;
    this.#root = join(folder, String(folders));
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

  /** Stores the content of a key, and removes other files of its folder if they exceed its size. */
  write(key: string, content: Uint8Array): void {
    const size = HEADER_BYTES + content.byteLength;
    if (size > this.#folderBytes) return;
    const path = this.#pathOf(key);
    const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    unlessFailed(() => {
      const { bavail, bsize } = statfsSync(this.#makeFolder(key));
      if (bavail * bsize < MIN_FREE_BYTES + size) return;
      writeFileSync(draft, headed(content), { mode: 0o600 });
      renameSync(draft, path);
      this.#shrink(key);
    });
  }

  /**
   * Marks a key as being read from its server, so that other readers wait. `other`: another reader has marked it. A mark that is older than
   * `MARK_MS` is replaced, because its reader has ended, or its server is slow.
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
    // If the folder cannot be written, the caller reads without a mark.
    return ageMs() === undefined ? 'own' : 'other';
  }

  /** Removes a mark. */
  unmark(key: string): void {
    unlessFailed(() => rmSync(`${this.#pathOf(key)}.mark`, { force: true }));
  }

  /** Removes files of an earlier size, which no reader finds any more. */
  removeOtherSizes(): void {
    const own = String(this.#folders);
    const parent = join(this.#root, '..');
    const others = unlessFailed(() => readdirSync(parent)) ?? [];
    for (const name of others)
      if (/^\d+$/.test(name) && name !== own)
        unlessFailed(() => rmSync(join(parent, name), { recursive: true, force: true }));
  }

  #folderOf(key: string): string {
    return join(this.#root, String(Number.parseInt(key.slice(0, 2), 16) % this.#folders));
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
   * Removes the files of a folder that were not used for the longest time, until the others fit. Called after each new block, so the size is only
   * exceeded while a block is stored.
   */
  #shrink(key: string): void {
    const most = this.#folderBytes;
    const folder = this.#folderOf(key);
    const files = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const status = unlessFailed(() => statSync(path));
      return status === undefined ? [] : [{ path, bytes: status.size, usedMs: status.mtimeMs }];
    });
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= most) return;
    for (const { path, bytes } of files.toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (total <= most) return;
      unlessFailed(() => rmSync(path, { force: true }));
      total -= bytes;
    }
  }
}

/** Key of a text: so many hexadecimal digits of its SHA-256 that keys do not collide. */
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
