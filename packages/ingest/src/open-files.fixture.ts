import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Folder in which Linux lists the open files of a process. */
const OPEN_FILES = '/proc/self/fd';

/**
 * True if the operating system lists the open files of a process. Otherwise prints that tests of open files are
 * skipped.
 */
export const listsOpenFiles = existsSync(OPEN_FILES);
if (!listsOpenFiles) console.log(`skipped: tests of open files: this system has no ${OPEN_FILES}`);

/** True while this process has the file open. */
export function isOpen(path: string): boolean {
  return readdirSync(OPEN_FILES).some((each) => {
    try {
      return readlinkSync(join(OPEN_FILES, each)) === path;
    } catch {
      // The list also contains the folder that was opened for the listing. This folder is closed by now, so its link
      // cannot be read. So errors are ignored.
      return false;
    }
  });
}
