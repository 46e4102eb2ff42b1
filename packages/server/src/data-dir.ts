import { constants, existsSync } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '@headwater/core';
import { type Config, ConfigError } from './config/read-config.ts';
import { databaseFolder } from './database.ts';
import { folderIdFile } from './folder-id.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'it, or a part of its path, is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
};

/** Creates DATA_DIR if it is missing. Throws `ConfigError` if the folder cannot be written. */
export const prepareDataDir = (path: string): Promise<void> => prepareFolder('DATA_DIR', path);

/**
 * Creates a folder if it is missing. Throws `ConfigError` with `name` (the setting or argument) if the folder cannot be
 * written.
 */
export async function prepareFolder(name: string, path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(path, error, name);
  }
}

function unusable(path: string, error: unknown, name = 'DATA_DIR'): ConfigError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const reason = REASONS[code] ?? code;
  return new ConfigError(
    `${name}: ${path} cannot be used: ${reason}. Correct the cause, or set ${name} to another folder.`,
  );
}

/**
 * Checks that `prepareDataDir` would succeed, and creates nothing. Returns the folder, or the nearest existing folder
 * above it. Throws `ConfigError` like `prepareDataDir`.
 */
export async function checkDataDir(path: string): Promise<string> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    try {
      if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' });
      await access(folder, constants.W_OK | constants.X_OK);
      return folder;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw unusable(path, error);
    }
  }
}

/** Throws `ConfigError` if an embedded database would be created in the folder of services on a PostgreSQL. */
export function refuseSecondDatabase({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): void {
  const pgdata = join(databaseFolder(dataDir), 'pgdata');
  // `headwater move-database` renames the folder of the embedded database to `-moved`.
  const file = [folderIdFile(dataDir), `${pgdata}-moved`].find((path) => existsSync(path));
  if (database !== undefined || existsSync(pgdata) || file === undefined) return;
  throw new ConfigError(
    `DB_HOST: it is not set, but ${dataDir} is the folder of services on a PostgreSQL (${file} exists). Set DB_HOST, DB_NAME, DB_USER and ` +
      'DB_PASSWORD, or set DATA_DIR to a new folder for an installation with an embedded database.',
  );
}

/** Throws `ConfigError` if DATA_DIR is not a folder. Commands that must not create DATA_DIR call this function. */
export async function requireDataDir(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new ConfigError(
    `DATA_DIR: there is no folder ${path}. Set DATA_DIR to the folder of the service, or start the service once.`,
  );
}
