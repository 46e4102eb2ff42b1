import { lstat, opendir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import type { HeadwaterOptions } from '@headwater/http-service';
import { unlessMissing } from '@headwater/net/files';

type SystemFacts = NonNullable<HeadwaterOptions['systemFacts']>;

/** Age at which a size is measured again, ms. */
const FRESH_MS = 600_000;

/** Versions of the used packages and size of the data folder. */
export async function systemFacts(dataDir: string): Promise<SystemFacts> {
  const versions = await packageVersions();
  const size = folderSize(dataDir);
  return () => ({ versions, files: size() });
}

/** Installed versions of used packages, without Headwater's own packages. */
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
 * Creates a function that measures the files of a folder in the background. It returns the last result; undefined
 * before the first result.
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
        // After a failure, the next call measures again.
        () => (startedAt = -Infinity),
      );
    }
    return last;
  };
}

/** Size of the files in a folder, without links. Throws if the folder is missing. */
export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += (await unlessMissing(bytesIn(path))) ?? 0;
    else if (entry.isFile()) bytes += (await unlessMissing(lstat(path)))?.size ?? 0;
  }
  return bytes;
}
