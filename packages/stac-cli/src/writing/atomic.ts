import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Rebasing } from '../tree/rebase.ts';
import { TargetError } from '../errors.ts';
import type { WalkLimits } from '../tree/walk.ts';

/** Permission to replace a target. */
export interface Replacing {
  readonly replace: boolean;
}

/** Replacement rules of a target. */
export interface Making extends Replacing {
  /**
   * Returns a description of content that no export has written; undefined if there is none. A target with such content
   * is never replaced.
   */
  readonly foreignAt: (path: string, found: Stats) => Promise<string | undefined>;
}

/**
 * Writes a target completely or not at all, through a temporary path. Throws `TargetError` for a target that may not be
 * replaced.
 */
export async function atomically<T>(target: string, making: Making, make: (path: string) => Promise<T>): Promise<T> {
  const path = resolve(target);
  await refuseOccupied(path, making);
  await mkdir(dirname(path), { recursive: true });
  const mark = randomBytes(4).toString('hex');
  const [partial, former] = [`${path}.partial-${mark}`, `${path}.former-${mark}`];
  try {
    const result = await make(partial);
    await refuseOccupied(path, making);
    const hadFormer = await renameIfThere(path, former);
    try {
      await rename(partial, path);
    } catch (error) {
      if (hadFormer) await rename(former, path);
      throw error;
    }
    await rm(former, { recursive: true, force: true });
    return result;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function refuseOccupied(path: string, { replace, foreignAt }: Making): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  const foreign = await foreignAt(path, found);
  if (foreign !== undefined)
    throw new TargetError(`${foreign}; only a former export can be replaced: choose another name, or remove it`);
  if (replace || (found.isDirectory() && (await readdir(path)).length === 0)) return;
  throw new TargetError(`${path} already exists; choose another name, or use --replace`);
}

async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Options of an export to one file. */
export type FileOptions = WalkLimits & Partial<Replacing> & Pick<Rebasing, 'onLocal'>;

/** Result of an export to one file. */
export interface FileExport {
  readonly items: number;
}

/** Writes a file completely or not at all. Never replaces a folder. */
export function makeFile<T>(file: string, { replace }: Replacing, make: (path: string) => Promise<T>): Promise<T> {
  const foreignAt: Making['foreignAt'] = (path, found) =>
    Promise.resolve(found.isFile() ? undefined : `${path} is not a file`);
  return atomically(file, { replace, foreignAt }, make);
}
