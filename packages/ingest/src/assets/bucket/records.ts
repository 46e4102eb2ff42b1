import { mkdir, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessMissing, writeAtomic } from '@headwater/net/files';
import { crcOfPieces, type ObjectInfo, type ObjectStore, type UploadJournal } from '@headwater/object-storage';
import { z } from 'zod';
import { parseAssetKey } from '../asset-keys.ts';

/** Verified object. Responses contain `etag` and `modified`, which come from the local file. */
const StoredObject = z.object({
  name: z.string(),
  bytes: z.int(),
  version: z.string(),
  crc32c: z.string(),
  etag: z.string(),
  modified: z.iso.datetime().transform((text) => new Date(text)),
});

const AttemptRecord = z.object({
  bucket: z.string(),
  /**
   * `uploading`: some objects may be stored; `stored`: all objects are stored; `removing`: the objects are being
   * removed.
   */
  state: z.enum(['uploading', 'stored', 'removing']),
  files: z.array(StoredObject),
});

export type StoredObject = z.output<typeof StoredObject>;
export type AttemptRecord = z.output<typeof AttemptRecord>;

/** Run, and fencing token (number) of an attempt. */
export interface Attempt {
  readonly runId: string;
  readonly token: number;
}

/** Records of the objects of each attempt, as small files that all processes share. */
export interface Records {
  read(attempt: Attempt): Promise<AttemptRecord | undefined>;
  write(attempt: Attempt, record: AttemptRecord): Promise<void>;
  /** Writes the record that `change` returns; changes of a process are sequential. The state `removing` is final. */
  update(attempt: Attempt, change: (record: AttemptRecord | undefined) => AttemptRecord): Promise<void>;
  remove(attempt: Attempt): Promise<void>;
  list(): Promise<readonly Attempt[]>;
  /** Time of a record's last change. */
  changedAt(attempt: Attempt): Promise<Date | undefined>;
  /** Journal of a file's upload, with which another process continues the upload after a restart. */
  journal(attempt: Attempt, name: string): UploadJournal;
  /** Files of an attempt with unfinished uploads. */
  unfinished(attempt: Attempt): Promise<readonly string[]>;
}

const CACHED = 2000;

/** Opens the records in a folder, which the first write creates. */
export function openRecords(folder: string): Records {
  const pathOf = ({ runId, token }: Attempt): string => join(folder, runId, `${token}.json`);
  // Hidden folder, which backups leave out. A restored journal would be useless, because upload sessions expire.
  const journals = ({ runId, token }: Attempt): string => join(folder, runId, `.${token}`);
  const cached = new Map<string, { readonly stamp: string; readonly record: AttemptRecord }>();
  const remember = (path: string, stamp: string, record: AttemptRecord): void => {
    cached.delete(path);
    cached.set(path, { stamp, record });
    const [oldest] = cached.keys();
    if (cached.size > CACHED && oldest !== undefined) cached.delete(oldest);
  };
  const changes = new Map<string, Promise<void>>();
  const records: Records = {
    async read(attempt) {
      const path = pathOf(attempt);
      const status = await unlessMissing(stat(path, { bigint: true }));
      if (status === undefined) return undefined;
      // A new version is renamed into place, so it has another inode.
      const stamp = `${status.ino} ${status.mtimeNs}`;
      const known = cached.get(path);
      if (known?.stamp === stamp) return known.record;
      const text = await unlessMissing(readFile(path, 'utf8'));
      // A damaged record counts as missing, and the next upload writes it again.
      const record = text === undefined ? undefined : AttemptRecord.safeParse(jsonIn(text)).data;
      if (record !== undefined) remember(path, stamp, record);
      return record;
    },
    write: (attempt, record) => writeJson(pathOf(attempt), record),
    async update(attempt, change) {
      const path = pathOf(attempt);
      const last = changes.get(path) ?? Promise.resolve();
      const own = (async () => {
        await last.catch(() => {});
        const before = await records.read(attempt);
        const after = change(before);
        await records.write(attempt, before?.state === 'removing' ? { ...after, state: 'removing' } : after);
      })();
      changes.set(path, own);
      await own.finally(() => changes.get(path) === own && changes.delete(path));
    },
    async remove(attempt) {
      await rm(journals(attempt), { recursive: true, force: true });
      await rm(pathOf(attempt), { force: true });
      // `rmdir` fails while the folder has records of other attempts; this error is ignored.
      await rmdir(join(folder, attempt.runId)).catch(() => undefined);
    },
    async list() {
      const found: Attempt[] = [];
      for (const runId of (await unlessMissing(readdir(folder))) ?? [])
        for (const name of (await unlessMissing(readdir(join(folder, runId)))) ?? []) {
          const key = parseAssetKey(`${runId}/${name.replace(/\.json$/, '')}/x`);
          if (key !== undefined && name.endsWith('.json')) found.push({ runId, token: key.token });
        }
      return found;
    },
    changedAt: async (attempt) => (await unlessMissing(stat(pathOf(attempt))))?.mtime,
    journal(attempt, name) {
      const path = join(journals(attempt), `${name}.json`);
      return {
        async read() {
          const text = await unlessMissing(readFile(path, 'utf8'));
          return text === undefined ? undefined : jsonIn(text);
        },
        write: (state) => (state === undefined ? rm(path, { force: true }) : writeJson(path, state)),
      };
    },
    unfinished: async (attempt) =>
      ((await unlessMissing(readdir(journals(attempt)))) ?? [])
        .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
        .map((name) => name.slice(0, -'.json'.length)),
  };
  return records;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeAtomic(path, (sink) => sink.write([new TextEncoder().encode(JSON.stringify(value))]));
}

/** Checksum of an object. Reads the object if no checksum is stored, for example after a copy by another tool. */
export async function checksumOf(
  { objects }: { readonly objects: ObjectStore },
  info: ObjectInfo,
  signal?: AbortSignal,
): Promise<string> {
  return info.crc32c ?? crcOfPieces(objects.read(info, { start: 0, end: info.bytes - 1 }, signal));
}
