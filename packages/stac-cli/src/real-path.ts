import { realpath } from 'node:fs/promises';
import { sep, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TargetError } from './errors.ts';

/** Path with symbolic links resolved; the path itself if it does not exist. */
export const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

/** True if a path is below a folder; both must be real paths. */
export const liesIn = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Rejects with `TargetError` if replacing the target would delete the tree's root or the current directory. A tree of
 * files may look like a former export, so the check for former exports is not enough.
 */
export async function refuseSourceOrCwd(root: string, target: string): Promise<void> {
  const place = await realPath(resolve(target));
  if (isIn(await realPath(process.cwd()), place))
    throw new TargetError(`${target} is the current directory, or contains it; choose another folder`);
  if (root.startsWith('file:') && isIn(await realPath(fileURLToPath(root)), place))
    throw new TargetError(`${target} contains the tree that is read; choose another target`);
}

const isIn = (path: string, folder: string): boolean => path === folder || liesIn(path, folder);
