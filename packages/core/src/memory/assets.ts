import { DomainError } from '../errors.ts';
import type { AssetBody, AssetFile, AssetStore, StoredFile } from '../ports/assets.ts';
import type { Clock } from '../ports/host.ts';
import { sha256 } from '../sha256.ts';

/** An asset store in memory, to which files can also be written by path. */
export interface MemoryAssets extends AssetStore {
  /** Writes a file as another process would; `path` is in a folder that `begin` returned. */
  put(path: string, body: string | Uint8Array): Promise<StoredFile>;
  /** Keys of all files, ascending. */
  keys(): readonly string[];
  /** Folders of all attempts, `{runId}/{token}`, ascending. */
  attempts(): readonly string[];
  prune: NonNullable<AssetStore['prune']>;
}

interface Folder {
  readonly runId: string;
  readonly token: number;
  readonly createdAt: Date;
}

interface Entry {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  readonly modified: Date;
}

const ROOT = '/memory';
const CHUNK = 65_536;

/** Builds an empty asset store in memory, for tests and for hosts without a disk. */
export function createMemoryAssets(clock: Clock = { now: () => new Date() }): MemoryAssets {
  const folders = new Map<string, Folder>();
  const entries = new Map<string, Entry>();
  const put = async (key: string, body: string | Uint8Array): Promise<StoredFile> => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
    const entry = { bytes, sha256: await sha256(bytes), modified: clock.now() };
    if (!folders.has(folderOf(key)))
      throw new DomainError('not_found', `${key}: the folder of this attempt no longer exists.`);
    entries.set(key, entry);
    return stored(key, entry);
  };
  const discard = (folder: string): void => {
    folders.delete(folder);
    for (const key of entries.keys()) if (folderOf(key) === folder) entries.delete(key);
  };
  return {
    begin: async (runId, token) => {
      const folder = folderKey(runId, token);
      discard(folder);
      folders.set(folder, { runId, token, createdAt: clock.now() });
      return `${ROOT}/${folder}`;
    },
    write: async (...[runId, token, name, body]) => put(fileKey(runId, token, name), await wholeOf(body)),
    put: async (path, body) => {
      if (!path.startsWith(`${ROOT}/`)) throw new DomainError('not_found', `${path} is not in a folder of this store.`);
      return put(path.slice(ROOT.length + 1), body);
    },
    stat: async (runId, token, name) => {
      const key = fileKey(runId, token, name);
      const entry = entries.get(key);
      if (entry === undefined) throw new DomainError('not_found', `${key} does not exist; write it first.`);
      return stored(key, entry);
    },
    remove: async (runId, token, name) => void entries.delete(fileKey(runId, token, name)),
    open: async (key) => {
      const entry = entries.get(key);
      return entry === undefined ? undefined : opened(entry);
    },
    localPath: async (key) => (entries.has(key) ? `${ROOT}/${key}` : undefined),
    discard: async (runId, token) => discard(folderKey(runId, token)),
    prune: async (isDead, before) => {
      let removed = 0;
      const listed = [...folders];
      for (const [folder, { runId, token, createdAt }] of listed) {
        if (createdAt >= before || !(await isDead(runId, token))) continue;
        discard(folder);
        removed += 1;
      }
      return removed;
    },
    keys: () => [...entries.keys()].sort(),
    attempts: () => [...folders.keys()].sort(),
  };
}

async function wholeOf(body: AssetBody): Promise<string | Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of body) pieces.push(Uint8Array.from(piece));
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function opened({ bytes, sha256, modified }: Entry): AssetFile {
  return {
    bytes: bytes.length,
    etag: sha256,
    modified,
    stream: (start, end) => {
      let at = start;
      return new ReadableStream({
        pull: (controller) => {
          const next = Math.min(at + CHUNK, end + 1, bytes.length);
          if (next <= at) return controller.close();
          controller.enqueue(bytes.slice(at, next));
          at = next;
        },
      });
    },
  };
}

function folderKey(runId: string, token: number): string {
  return `${checkedPart(runId)}/${token}`;
}

function fileKey(runId: string, token: number, name: string): string {
  return `${folderKey(runId, token)}/${checkedPart(name)}`;
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}

function checkedPart(part: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part)) return part;
  throw new DomainError(
    'validation',
    `${JSON.stringify(part)} cannot be part of a file name; use only letters, digits and . _ -.`,
  );
}

function stored(key: string, { bytes, sha256 }: Entry): StoredFile {
  return { key, bytes: bytes.length, sha256 };
}
