import { lstat, opendir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import type { HeadwaterOptions } from '@headwater/http-service';
import { unlessMissing } from '@headwater/net/files';

type SystemFacts = NonNullable<HeadwaterOptions['systemFacts']>;

/** Time for which a measured size is shown before the folder is measured again, ms. */
const FRESH_MS = 600_000;

/** Facts of a server for the page of the system: versions of the packages that it uses, and the size of its data folder. */
export async function systemFacts(dataDir: string): Promise<SystemFacts> {
  const versions = await packageVersions();
  const size = folderSize(dataDir);
  return () => ({ versions, files: size() });
}

/**
 * Installed versions of the packages that the server uses. Packages of Headwater are left out, because they all have
 * one version.
 */
export async function packageVersions(): Promise<Readonly<Record<string, string>>> {
  const { dependencies } = await packageAt(new URL('../package.json', import.meta.url));
  const names = Object.keys(dependencies).filter((name) => !name.startsWith('@headwater/'));
  const found = names.map(async (name) => {
    const file = findPackageJSON(name, import.meta.url);
    return [name, file === undefined ? (dependencies[name] ?? '') : (await packageAt(file)).version] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

interface PackageFile {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

async function packageAt(file: string | URL): Promise<PackageFile> {
  const found: PackageFile = JSON.parse(await readFile(file, 'utf8'));
  return found;
}

/**
 * Size of the files in a folder. A call returns the last result immediately, or undefined if there is no result yet. If the last result is
 * older than ten minutes, the call starts a new measurement in the background. Measuring a folder with many files takes seconds.
 */
export function folderSize(folder: string, now = Date.now): () => ReturnType<SystemFacts>['files'] {
  let last: ReturnType<SystemFacts>['files'];
  let startedAt = -Infinity;
  return () => {
    if (now() - startedAt >= FRESH_MS) {
      startedAt = now();
      const at = new Date(startedAt).toISOString();
      bytesIn(folder).then(
        (bytes) => (last = { bytes, at }),
        // If the folder cannot be read, the last size stays, and the next call measures again.
        () => (startedAt = -Infinity),
      );
    }
    return last;
  };
}

/**
 * Size of the files in a folder. Files may be added or removed during the measurement; links are not followed. Throws if the folder itself
 * is missing.
 */
export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += (await unlessMissing(bytesIn(path))) ?? 0;
    else if (entry.isFile()) bytes += (await unlessMissing(lstat(path)))?.size ?? 0;
  }
  return bytes;
}
