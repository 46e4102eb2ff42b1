import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const OPEN_FILES = '/proc/self/fd';

/** True if the system lists open files. Otherwise the next line prints that tests are skipped. */
export const listsOpenFiles = existsSync(OPEN_FILES);
if (!listsOpenFiles) console.log(`skipped: tests of open files: this system has no ${OPEN_FILES}`);

/** True while this process has the file open. */
export function isOpen(path: string): boolean {
  return readdirSync(OPEN_FILES).some((each) => {
    try {
      return readlinkSync(join(OPEN_FILES, each)) === path;
    } catch {
      // The list also contains the descriptor with which it was read. This descriptor is closed now, so the error is
      // ignored.
      return false;
    }
  });
}
