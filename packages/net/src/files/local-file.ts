import { closeSync, constants, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { NetError } from '../errors.ts';

/** Allowed folders, as paths without links; undefined allows all. Links are resolved before the check. */
export type Within = readonly string[] | undefined;

// Without `O_NONBLOCK`, opening a pipe would wait for a writer. Some platforms do not have this flag.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file without blocking. Throws `input_data` for other kinds of files and for files outside of the
 * allowed folders. Errors of the file system stay unchanged.
 */
export async function openLocal(path: string, within: Within): Promise<{ file: FileHandle; size: number }> {
  const real = within === undefined ? path : await realpath(path);
  checkPlace(path, real, within);
  // Opening a device may have side effects, so the type is checked first.
  checkKind(path, await stat(real));
  const file = await open(real, FLAGS);
  try {
    return { file, size: checkKind(path, await file.stat()) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Synchronous `openLocal`; returns the file descriptor. */
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

/** Text of a file that `openLocal` opens. Throws `input_data` above `maxBytes`. */
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
  throw refused(
    path,
    'it is outside of the allowed folder, or is a link to a file outside; copy the file into the folder',
  );
}

/** True for a path below a folder. Both paths must have no links. */
export const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** Size of a regular file; throws for other files. */
function checkKind(path: string, status: Stats): number {
  if (status.isFile()) return status.size;
  throw refused(path, `it is ${kindOf(status)}, not a file; put the file itself there`);
}

function kindOf(status: Stats): string {
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a pipe';
  return status.isSocket() ? 'a socket' : 'a device';
}

function refused(path: string, problem: string): NetError {
  return new NetError('input_data', `${path}: ${problem}`, { details: { file: path } });
}

const MISSING: readonly string[] = ['ENOENT', 'ENOTDIR'];

/**
 * Resolves with undefined if a file is missing. `codes`: error codes of a missing file; default: ENOENT and ENOTDIR.
 */
export async function unlessMissing<T>(promise: Promise<T>, codes = MISSING): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (codes.includes(code)) return undefined;
    throw error;
  }
}
