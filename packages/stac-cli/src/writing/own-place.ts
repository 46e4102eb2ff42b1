import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TargetError } from '../tree/tree-error.ts';

/**
 * A tree of files may look like a former export, and one that is read would be gone once its export takes its place. Rejects with
 * `TargetError` where the tree's root is the target, or lies in it.
 */
export async function refuseOwnPlace(root: string, target: string): Promise<void> {
  if (!root.startsWith('file:')) return;
  const [source, place] = await Promise.all([realPath(fileURLToPath(root)), realPath(resolve(target))]);
  if (source !== place && !source.startsWith(place.endsWith(sep) ? place : place + sep)) return;
  throw new TargetError(`${target} holds the tree that is read; give another place for its export`);
}

/** A file that is not there lies where its name says. */
const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);
