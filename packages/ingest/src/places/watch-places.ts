import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlaceFile, MAX_DEPTH } from './write-place.ts';

/** How a folder of places is watched. */
export interface PlacesWatch {
  /** Pause between two looks, ms. */
  readonly everyMs: number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** What `placesFingerprint` gave before the folder was read last. */
  readonly since: string;
  /** Resolves after `ms` or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Reads the folder; where it rejects it is called again at the next look, and has told the reason itself. */
  readonly onChange: () => Promise<void>;
}

/**
 * Calls `onChange` whenever the files of a folder of places have changed and come to rest, which is two looks alike: a folder that
 * is still being copied is not read. Looks rather than listens, since network and container mounts tell no changes.
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

/** Names, sizes and times of all files that `readPlaces` would read, as one text; empty for an absent folder. */
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
