import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upload } from './receive-upload.ts';

/** Files that were checked and wait for their import, so that they are not sent twice. */
export interface CheckedUploads {
  /** Moves a file out of the folder of its upload; returns the id with which this user, and no other user, takes it. */
  keep(upload: Upload, owner: { readonly ownerId: number; readonly scratchDir: string }): Promise<string>;
  /** Calls `use` with the file and then always removes it; undefined if there is no such file of this user. */
  take<T>(id: string, ownerId: number, use: (upload: Upload) => Promise<T>): Promise<T | undefined>;
}

/** Time for which a checked file is stored. */
const KEPT_MS = 3_600_000;
/** Maximum number of stored files; a further file replaces the oldest. */
const MOST_FILES = 4;

interface Kept extends Upload {
  readonly folder: string;
  readonly ownerId: number;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
}

/** Creates the files of one service; together they have at most `mostBytes` bytes. Files of an ended process are removed with its folder. */
export function createCheckedUploads(mostBytes: number): CheckedUploads {
  const files = new Map<string, Kept>();
  const forget = (id: string): Kept | undefined => {
    const kept = files.get(id);
    files.delete(id);
    clearTimeout(kept?.timer);
    return kept;
  };
  const remove = async (id: string): Promise<void> => {
    const kept = forget(id);
    if (kept !== undefined) await rm(kept.folder, { recursive: true, force: true });
  };
  const total = (): number => [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    keep: async (upload, { ownerId, scratchDir }) => {
      const { size: bytes } = await stat(upload.path);
      const folder = await mkdtemp(join(scratchDir, 'checked-'));
      const path = join(folder, 'file');
      await rename(upload.path, path);
      const id = randomBytes(24).toString('base64url');
      // The timer does not keep the process alive.
      const timer = setTimeout(() => void remove(id).catch(() => {}), KEPT_MS).unref();
      files.set(id, { ...upload, path, folder, ownerId, bytes, timer });
      for (const oldest of [...files.keys()].slice(0, -1))
        if (files.size > MOST_FILES || total() > mostBytes) await remove(oldest);
      return id;
    },
    take: async (id, ownerId, use) => {
      if (files.get(id)?.ownerId !== ownerId) return undefined;
      const kept = forget(id);
      if (kept === undefined) return undefined;
      try {
        return await use(kept);
      } finally {
        await rm(kept.folder, { recursive: true, force: true });
      }
    },
  };
}
