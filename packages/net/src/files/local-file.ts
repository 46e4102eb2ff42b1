import { closeSync, constants, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { NetError } from '../errors.ts';

/** Allowed folders by their real paths: a file must be in one of them once all links are followed; undefined: any folder. */
export type Within = readonly string[] | undefined;

// Without O_NONBLOCK opening a pipe waits for a writer. Flags that a platform lacks are left out.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file without blocking. Throws `input_data` with the path for a folder, pipe, device or socket and for a link that leads
 * out of the folders; otherwise the errors of the file system.
 */
export async function openLocal(path: string, within: Within): Promise<{ file: FileHandle; size: number }> {
  const real = within === undefined ? path : await realpath(path);
  checkPlace(path, real, within);
  // Checked before opening too, because opening a device may have side effects.
  checkKind(path, await stat(real));
  const file = await open(real, FLAGS);
  try {
    return { file, size: checkKind(path, await file.stat()) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Synchronous `openLocal` for threads; returns the descriptor. */
export function openLocalSync(path: string, within: Within): { fd: number; size: number } {
  const real = within === undefined ? path : realpathSync.native(path);
  checkPlace(path, real, within);
  checkKind(path, statSync(real));
  const fd = openSync(real, FLAGS);
  try {
    return { fd, size: checkKind(path, fstatSync(fd)) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** True for a file that `openLocal` opens. */
export async function isLocalFile(path: string, within: Within): Promise<boolean> {
  try {
    const { file } = await openLocal(path, within);
    await file.close();
    return true;
  } catch {
    return false;
  }
}

/** Text of a file, opened like `openLocal`; throws `input_data` if it has more than `maxBytes`. */
export async function readLocalText(
  path: string,
  { within, maxBytes }: { readonly within: Within; readonly maxBytes: number },
): Promise<string> {
  const { file, size } = await openLocal(path, within);
  try {
    if (size > maxBytes) throw refused(path, `it has ${size} bytes, more than ${maxBytes}; simplify it or split it`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function checkPlace(path: string, real: string, within: Within): void {
  if (within === undefined || within.some((folder) => isInside(folder, real))) return;
  throw refused(path, 'it lies outside of the folder it may lie in, or is a link that leads out; copy the file there');
}

/** True for a path below a folder, both real. */
export const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** Size of a regular file. */
function checkKind(path: string, status: Stats): number {
  if (status.isFile()) return status.size;
  throw refused(path, `it is ${kindOf(status)}, no file; put the file itself there`);
}

function kindOf(status: Stats): string {
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a pipe';
  return status.isSocket() ? 'a socket' : 'a device';
}

function refused(path: string, problem: string): NetError {
  return new NetError('input_data', `${path}: ${problem}`, { details: { file: path } });
}
