import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptTest } from '@headwater/core/ports';
import { unlessMissing } from '@headwater/net/files';
import { parseAssetKey } from './asset-keys.ts';

/** Error codes for a folder that another process has removed; all other errors are thrown. */
const GONE = ['ENOENT'];

/**
 * Removes the folders of dead attempts that are older than `before`; returns their number. Rejects if a folder cannot
 * be read or removed.
 */
export async function pruneAttempts(base: string, isDead: AttemptTest, before: Date): Promise<number> {
  let removed = 0;
  // All names are listed before the first call of `isDead`, as the port `AssetStore` requires.
  for (const { run, tokens } of await attemptsIn(base)) {
    for (const token of tokens) {
      if (!(await isOlder(join(base, run, token), before))) continue;
      if (!(await isDead(run, Number(token)))) continue;
      await rm(join(base, run, token), { recursive: true, force: true });
      removed += 1;
    }
    // `rmdir` fails while the run has folders of other attempts; this error is ignored.
    await rmdir(join(base, run)).catch(() => undefined);
  }
  return removed;
}

/** Folders of attempts, by run; other folders are left out. Rejects if a folder cannot be read. */
export async function attemptsIn(
  base: string,
): Promise<readonly { readonly run: string; readonly tokens: readonly string[] }[]> {
  const found = [];
  for (const run of await foldersIn(base)) {
    const folders = await foldersIn(join(base, run));
    found.push({ run, tokens: folders.filter((token) => parseAssetKey(`${run}/${token}/x`) !== undefined) });
  }
  return found;
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = (await unlessMissing(readdir(path, { withFileTypes: true }), GONE)) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function isOlder(path: string, before: Date): Promise<boolean> {
  const found = await unlessMissing(stat(path), GONE);
  return found !== undefined && found.mtime < before;
}
