import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlaceFile, MAX_DEPTH } from './write-place.ts';

/** Options of the watch of a folder of places. */
export interface PlacesWatch {
  /** Pause between two polls, ms. */
  readonly everyMs: number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Result of `placesFingerprint` from the time before the folder was last read. */
  readonly since: string;
  /** Resolves after `ms` or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * Reads the folder and reports errors. If the callback rejects, the watch calls the callback again after the next
   * poll.
   */
  readonly onChange: () => Promise<void>;
}

/**
 * Calls `onChange` after the files of a folder of places have changed and two consecutive polls have found the same
 * files. So a folder is not read while files are being copied. The folder is polled, because network mounts and
 * container mounts send no events.
 */
export async function watchPlaces(dir: string, watch: PlacesWatch): Promise<void> {
  let read = watch.since;
  let last = read;
  for (;;) {
    await watch.sleep(watch.everyMs, watch.signal);
    if (watch.signal.aborted) return;
    const now = await placesFingerprint(dir);
    if (now !== read && now === last) {
      await watch.onChange().then(
        () => (read = now),
        () => {},
      );
    }
    last = now;
  }
}

/** Names, sizes and times of all files that `readPlaces` would read, joined to one text; empty for a missing folder. */
export async function placesFingerprint(dir: string, depth = 0): Promise<string> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const parts = await Promise.all(
    entries
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(dir, entry.name);
        if (entry.isDirectory() && !entry.name.startsWith('.') && depth < MAX_DEPTH)
          return placesFingerprint(path, depth + 1);
        return isPlaceFile(entry) ? fileFingerprint(path) : '';
      }),
  );
  return parts.join('');
}

async function fileFingerprint(path: string): Promise<string> {
  const file = await stat(path).catch(() => undefined);
  return file === undefined ? '' : `${path} ${file.size} ${file.mtimeMs}\n`;
}
