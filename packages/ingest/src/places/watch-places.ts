import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlaceFile, MAX_DEPTH } from './write-place.ts';

/** Options of the watch of a folder of places. */
export interface PlacesWatch {
  /** Pause between two polls, ms. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Result of `placesFingerprint` before the folder was last read. */
  readonly since: string;
  /** Resolves after `ms` or at an abort. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Reads the folder; if the callback rejects, it is called again after the next poll. */
  readonly onChange: () => Promise<void>;
}

/**
 * Calls `onChange` when files have changed and two polls agree, so that files are not read while they are copied. The
 * folder is polled, because mounted folders send no events.
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

/** Names, sizes and times of the files that `readPlaces` would read; empty for a missing folder. */
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
