import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { TargetError } from '../tree/tree-error.ts';

/** Whether what lies at the target already may be replaced. */
export interface Replacing {
  readonly replace: boolean;
}

/**
 * Makes something at `target`, whole or not at all: `make` gets another path beside it, which is renamed once it is done. What lies
 * there already is left alone, unless it may be replaced; then it stays until the new one is whole. Throws `TargetError` where it may not.
 */
export async function atomically<T>(
  target: string,
  { replace }: Replacing,
  make: (path: string) => Promise<T>,
): Promise<T> {
  const path = resolve(target);
  await refuseOccupied(path, replace);
  await mkdir(dirname(path), { recursive: true });
  const mark = randomBytes(4).toString('hex');
  const [partial, former] = [`${path}.partial-${mark}`, `${path}.former-${mark}`];
  try {
    const made = await make(partial);
    await refuseOccupied(path, replace);
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

async function refuseOccupied(path: string, replace: boolean): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || replace) return;
  if (found.isDirectory() && (await readdir(path)).length === 0) return;
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
