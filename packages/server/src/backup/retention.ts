import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backupsOf, type NamedManifest, UNFINISHED } from './manifest.ts';

/** Backups of one installation in a folder. */
export interface BackupSeries {
  /** Folder of the backups. */
  readonly target: string;
  /** Id of the installation; undefined for databases of the first versions. */
  readonly installation: string | undefined;
}

/** Outcome of `removeOldBackups`, as names of backups. */
export interface Retention {
  readonly removed: readonly string[];
  /** Older backups that stay, because they have files that are missing in the newest backup. */
  readonly spared: readonly string[];
}

/**
 * Removes the backups of an installation except the newest `keep` backups. For each file that is missing in the last backup, the newest backup
 * that has this file is also kept.
 */
export async function removeOldBackups({ target, installation }: BackupSeries, keep: number): Promise<Retention> {
  const all = await backupsOf(installation, target);
  const old = all.slice(0, -keep);
  const holders = new Set(holdersOf(all).values());
  const spared = old.filter(({ name }) => holders.has(name)).map(({ name }) => name);
  const removed = old.filter(({ name }) => !holders.has(name)).map(({ name }) => name);
  for (const name of removed) {
    // The folder is renamed first. If the removal is interrupted, the next backup recognises the folder by its new name and removes it.
    const unfinished = join(target, `${UNFINISHED}${name}`);
    await rename(join(target, name), unfinished);
    await rm(unfinished, { recursive: true, force: true });
  }
  return { removed, spared };
}

/** For each file that is missing in the last of the backups: the name of the newest earlier backup that has the file. */
export function holdersOf(all: readonly NamedManifest[]): ReadonlyMap<string, string> {
  const holders = new Map<string, string>();
  const lost = new Set(all.at(-1)?.manifest.missing);
  for (const { name, manifest } of all.slice(0, -1).toReversed()) {
    const missing = new Set(manifest.missing);
    for (const { path } of manifest.files) {
      if (!lost.has(path) || missing.has(path)) continue;
      lost.delete(path);
      holders.set(path, name);
    }
  }
  return holders;
}
