import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { countOf } from '@headwater/core/values';
import type { Config } from '../config/read-config.ts';
import { type Backup, backupsOf } from './manifest.ts';
import { holdersOf } from './retention.ts';
import { sealedKeysIn, storedSigningKey } from './row-files.ts';

/** File of the key that signs tokens, in DATA_DIR. */
export const KEY_FILE = 'secrets/jwt.key';

/** Returns true if a backup contains the key that signs tokens, as a file or in its rows. */
export async function hasSigningKey({ folder, manifest }: Backup): Promise<boolean> {
  if (manifest.files.some(({ path }) => path === KEY_FILE)) return true;
  return (await storedSigningKey(folder, manifest.database.tables)) !== undefined;
}

/** Lines about a backup: size, contained secrets, and missing data. */
export async function backupLines(backup: Backup, config: Config): Promise<readonly string[]> {
  const { folder, manifest } = backup;
  const { tables } = manifest.database;
  const count = (name: string): number => tables.find((table) => table.name === name)?.rows ?? 0;
  const bytes = [...tables, ...manifest.files].reduce((sum, each) => sum + each.bytes, 0);
  return [
    `backup: ${folder}`,
    `  ${countOf(count('users'), 'user')}, ${countOf(count('runs'), 'run')}, ${countOf(count('items'), 'Item')}, ${countOf(manifest.files.length, 'file')}, ${Math.ceil(bytes / 1e6)} MB`,
    '  It contains e-mail addresses and hashes of passwords: protect it.',
    `  ${await secretText(backup, config)}`,
    ...(existsSync('.env') ? ['  The file .env is not in the backup.'] : []),
    ...Object.entries(manifest.inBucket ?? {}).map(
      ([bucket, paths]) =>
        `  Only ${bucket} has ${countOf(paths.length, 'file')} of Items: the backup has their names and checksums, not their bytes. Turn on the versioning of the bucket to protect them.`,
    ),
  ];
}

/**
 * Sentence that states if the backup contains the secret. This secret signs tokens and encrypts the keys of
 * Earth-observation accounts.
 */
async function secretText(backup: Backup, { jwtSecret }: Config): Promise<string> {
  if (jwtSecret === undefined && (await hasSigningKey(backup))) return 'It contains the key that signs tokens.';
  const secret = jwtSecret === undefined ? 'the key that signs tokens' : 'JWT_SECRET, which signs tokens';
  const sealed = await sealedKeysIn(backup.folder, backup.manifest.database.tables);
  const keys =
    sealed === 0
      ? ''
      : `, and the uploaded keys of ${countOf(sealed, 'Earth-observation account')} cannot be decrypted`;
  return `It does not contain ${secret}: store this secret in another place. After a restore without this secret, all users must sign in again${keys}.`;
}

/**
 * Warnings about files of Items and layers that a backup lacks. Each names the newest earlier backup with the file, if
 * there is one.
 */
export async function missingLines(
  { folder, manifest }: Backup,
  installation: string | undefined,
): Promise<readonly string[]> {
  if (manifest.missing.length === 0) return [];
  const holders = holdersOf(await backupsOf(installation, dirname(folder)));
  return manifest.missing.map((path) => {
    const holder = holders.get(path);
    const remedy = holder === undefined ? 'compute this result again' : `copy it from ${holder}/files/${path}`;
    return `  warning: an Item or a layer names ${path}, but DATA_DIR does not have this file, or its checksum is wrong; ${remedy}`;
  });
}
