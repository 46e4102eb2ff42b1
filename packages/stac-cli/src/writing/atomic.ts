import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Rebasing } from '../tree/rebase.ts';
import { TargetError } from '../tree/tree-error.ts';
import type { WalkLimits } from '../tree/walk.ts';

/** Whether what lies at the target already may be replaced. */
export interface Replacing {
  readonly replace: boolean;
}

/** How something is made at a place where something may lie already. */
export interface Making extends Replacing {
  /** Names what at the target an export of this kind never writes, and is so never replaced; undefined where there is nothing like that. */
  readonly foreignAt: (path: string, found: Stats) => Promise<string | undefined>;
}

/**
 * Makes something at `target`, whole or not at all: `make` gets another path beside it, which is renamed once it is done. What lies
 * there already is left alone, unless it may be replaced and nothing in it is foreign; then it stays until the new one is whole. Throws
 * `TargetError` where it may not.
 */
export async function atomically<T>(target: string, making: Making, make: (path: string) => Promise<T>): Promise<T> {
  const path = resolve(target);
  await refuseOccupied(path, making);
  await mkdir(dirname(path), { recursive: true });
  const mark = randomBytes(4).toString('hex');
  const [partial, former] = [`${path}.partial-${mark}`, `${path}.former-${mark}`];
  try {
    const made = await make(partial);
    await refuseOccupied(path, making);
    const hadFormer = await renameIfThere(path, former);
    try {
      await rename(partial, path);
    } catch (error) {
      if (hadFormer) await rename(former, path);
      throw error;
    }
    await rm(former, { recursive: true, force: true });
    return made;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function refuseOccupied(path: string, { replace, foreignAt }: Making): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  const foreign = await foreignAt(path, found);
  if (foreign !== undefined)
    throw new TargetError(`${foreign}; nothing but a former export is replaced: give another name, or clear the place`);
  if (replace || (found.isDirectory() && (await readdir(path)).length === 0)) return;
  throw new TargetError(`${path} is there already; give another name, or --replace to put the export in its place`);
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

/** How Items are exported to one file. */
export type FileOptions = WalkLimits & Partial<Replacing> & Pick<Rebasing, 'onLocal'>;

/** What an export to one file wrote. */
export interface FileExport {
  readonly items: number;
}

/** Makes one file, whole or not at all; only a file gives way to it, and no folder. */
export function makeFile<T>(file: string, { replace }: Replacing, make: (path: string) => Promise<T>): Promise<T> {
  const foreignAt: Making['foreignAt'] = (path, found) =>
    Promise.resolve(found.isFile() ? undefined : `${path} is no file, which the export would be`);
  return atomically(file, { replace, foreignAt }, make);
}
