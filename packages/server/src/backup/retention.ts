import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backupsOf, type NamedManifest, UNFINISHED } from './manifest.ts';

/** Backups of one installation in a folder. */
export interface BackupSeries {
  readonly target: string;
  /** Id of the installation; undefined for databases of the first versions. */
  readonly installation: string | undefined;
}

/** Outcome of `removeOldBackups`, as names of backups. */
export interface Retention {
  readonly removed: readonly string[];
  /** Older backups that stay, because the newest backup lacks some of their files. */
  readonly spared: readonly string[];
}

/**
 * Removes the backups of an installation except the newest `keep`. For each file that the newest backup lacks, also
 * keeps the newest earlier backup that has it.
 */
export async function removeOldBackups({ target, installation }: BackupSeries, keep: number): Promise<Retention> {
  const all = await backupsOf(installation, target);
  const old = all.slice(0, -keep);
  const holders = new Set(holdersOf(all).values());
  const spared = old.filter(({ name }) => holders.has(name)).map(({ name }) => name);
  const removed = old.filter(({ name }) => !holders.has(name)).map(({ name }) => name);
  for (const name of removed) {
    // Renames the folder first, so that after an interruption the next backup removes it.
    const unfinished = join(target, `${UNFINISHED}${name}`);
    await rename(join(target, name), unfinished);
    await rm(unfinished, { recursive: true, force: true });
  }
  return { removed, spared };
}

/** For each file that the newest backup lacks: the newest earlier backup that has it. */
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
