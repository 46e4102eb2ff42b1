import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '@headwater/core';
import type { CheckedUploads, Upload } from '../../../seam/uploads.ts';

const KEPT_MS = 3_600_000;
const MOST_FILES = 4;
const IN_USE = 'This file is being imported. If the import succeeds, the audit log lists it.';

interface Kept extends Upload {
  readonly folder: string;
  readonly ownerId: number;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Creates the store of checked files. The oldest files are removed if there are more than `MOST_FILES` files, or if all
 * files together exceed `mostBytes` bytes.
 */
export function createCheckedUploads(mostBytes: number): CheckedUploads {
  const files = new Map<string, Kept>();
  const used = new Map<string, number>();
  let isClosed = false;
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
  const store = async (id: string, file: Omit<Kept, 'timer'>): Promise<void> => {
    // `unref`: the timer must not keep the process alive.
    const timer = setTimeout(() => void remove(id).catch(() => {}), KEPT_MS).unref();
    files.set(id, { ...file, timer });
    if (isClosed) await remove(id);
    for (const oldest of [...files.keys()].slice(0, -1))
      if (files.size > MOST_FILES || total() > mostBytes) await remove(oldest);
  };
  return {
    keep: async (upload, { ownerId, scratchDir }) => {
      const { size: bytes } = await stat(upload.path);
      const folder = await mkdtemp(join(scratchDir, 'checked-'));
      const path = join(folder, 'file');
      try {
        await rename(upload.path, path);
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
      const id = randomBytes(24).toString('base64url');
      await store(id, { ...upload, path, folder, ownerId, bytes });
      return id;
    },
    take: async (id, ownerId, use) => {
      if (used.get(id) === ownerId) throw new DomainError('conflict', IN_USE);
      if (files.get(id)?.ownerId !== ownerId) return undefined;
      const kept = forget(id);
      if (kept === undefined) return undefined;
      used.set(id, ownerId);
      let [hasStarted, hasFailed] = [false, false];
      try {
        return await use(kept, () => (hasStarted = true));
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        used.delete(id);
        if (hasFailed && !hasStarted) await store(id, kept);
        else await rm(kept.folder, { recursive: true, force: true });
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...files.keys()].map(remove));
    },
  };
}
