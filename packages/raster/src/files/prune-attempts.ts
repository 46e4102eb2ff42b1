import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAssetKey } from './asset-keys.ts';

/** An attempt whose folder must stay. */
interface Attempt {
  readonly id: string;
  readonly token: number;
}

/**
 * Removes `{base}/{runId}/{token}` folders that are older than `before` and belong to no live attempt; returns how many.
 * Anything that does not look like an attempt's folder is left alone.
 */
export async function pruneAttempts(base: string, live: readonly Attempt[], before: Date): Promise<number> {
  const keep = new Set(live.map(({ id, token }) => `${id}/${token}`));
  let removed = 0;
  for (const run of await foldersIn(base)) {
    for (const token of await foldersIn(join(base, run))) {
      const dead = parseAssetKey(`${run}/${token}/x`) != null && !keep.has(`${run}/${token}`);
      if (!dead || !(await isOlder(join(base, run, token), before))) continue;
      await rm(join(base, run, token), { recursive: true, force: true });
      removed += 1;
    }
    // Goes only when it is empty: another attempt's folder keeps it.
    await rmdir(join(base, run)).catch(() => undefined);
  }
  return removed;
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function isOlder(path: string, before: Date): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found != null && found.mtime < before;
}
