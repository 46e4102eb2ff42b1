import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { liesIn, realPath } from '../real-path.ts';
import { TargetError } from '../tree/tree-error.ts';

/**
 * An export takes the place of what lies at its target, so it is no place for one where somebody is. Rejects with `TargetError` where the
 * tree's root is the target or lies in it (a tree of files may look like a former export), or where the program runs in it: whoever
 * called it would stand in a folder that is no more.
 */
export async function refuseOwnPlace(root: string, target: string): Promise<void> {
  const place = await realPath(resolve(target));
  if (isIn(await realPath(process.cwd()), place))
    throw new TargetError(`${target} is the folder that this runs in, or one around it; name a folder in it instead`);
  if (root.startsWith('file:') && isIn(await realPath(fileURLToPath(root)), place))
    throw new TargetError(`${target} holds the tree that is read; give another place for its export`);
}

const isIn = (path: string, folder: string): boolean => path === folder || liesIn(path, folder);
