import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallationStore } from '@headwater/core/ports';
import { ConfigError } from './config/read-config.ts';
import { folderId, folderIdFile, readFolderId, writeFolderId } from './folder-id.ts';

/** Folder of published files. */
export const assetsFolder = (dataDir: string): string => join(dataDir, 'assets');

/** What all servers on one database must have alike. */
export interface ServerFacts {
  readonly dataDir: string;
  /** The key that signs tokens. */
  readonly secret: Uint8Array;
  /** Called when the database was away and another server with other facts was admitted meanwhile: this one must not go on. */
  readonly onRival?: ((reason: Error) => void) | undefined;
}

/**
 * Joins the servers on a PostgreSQL. Throws `ConfigError` with the remedy where this one would break what they do: other files
 * behind the same Items, tokens that the others refuse, places that are rewritten by turns.
 */
export async function joinServers(
  installation: InstallationStore,
  { dataDir, secret, onRival }: ServerFacts,
): Promise<void> {
  await joinAssets(installation, dataDir);
  const data = await installation.withLock('folders', () => folderId(dataDir));
  await agreeOnData(installation, { dataDir, data, onRival });
  const key = Buffer.from(secret).toString('base64');
  if (!(await installation.agree('signing key', key, telling(onRival, 'signing key'))))
    throw new ConfigError(
      'JWT_SECRET: another server that runs on this database signs its tokens with another key, so each would refuse the ' +
        "other's. Give all of them the same JWT_SECRET, or none: then they share a key that the database keeps.",
    );
}

/**
 * Joins the servers on a PostgreSQL as a worker, which signs nothing. Throws `ConfigError` where DATA_DIR is not their folder: what the
 * worker published would lie where no server finds it.
 */
export async function joinAsWorker(
  installation: InstallationStore,
  { dataDir, onRival }: Omit<ServerFacts, 'secret'>,
): Promise<void> {
  const [data, files] = await Promise.all([dataDir, assetsFolder(dataDir)].map(readFolderId));
  // A server gives a new folder its id; a worker that did would make a mistyped folder a valid one.
  if (data === undefined || files === undefined)
    throw new ConfigError(
      `DATA_DIR: ${dataDir} is not the folder of a service: ${folderIdFile(data === undefined ? dataDir : assetsFolder(dataDir))} ` +
        'is missing. Set DATA_DIR to the folder of the service, or start the service on it once.',
    );
  await joinAssets(installation, dataDir);
  await agreeOnData(installation, { dataDir, data, onRival });
}

type OnRival = ServerFacts['onRival'];

/** What is done when another process was admitted with another one of these. */
const telling = (onRival: OnRival, what: string) => (): void =>
  onRival?.(new Error(`while the database was away, a server with another ${what} was started on it`));

async function agreeOnData(
  installation: InstallationStore,
  { dataDir, data, onRival }: { readonly dataDir: string; readonly data: string; readonly onRival: OnRival },
): Promise<void> {
  if (await installation.agree('data folder', data, telling(onRival, 'DATA_DIR'))) return;
  throw new ConfigError(
    `DATA_DIR: another server that runs on this database has another folder than ${dataDir}, so places and scenes would ` +
      'differ from server to server. Mount one folder for all of them, or stop the other server first.',
  );
}

/** The database knows which folder holds the files of its Items. Throws `ConfigError` where DATA_DIR has another one. */
export async function joinAssets(installation: InstallationStore, dataDir: string): Promise<void> {
  await installation.withLock('folders', () => joinFolder(installation, assetsFolder(dataDir)));
}

async function joinFolder(installation: InstallationStore, folder: string): Promise<void> {
  const own = await readFolderId(folder);
  const proposed = own ?? randomUUID();
  // Into the folder first: a start that dies in between must not leave an id in the database that no folder has.
  if (own === undefined) await writeFolderId(folder, proposed);
  const known = await installation.getOrCreate('asset folder', proposed);
  if (known === proposed) return;
  if (own === undefined) await rm(folderIdFile(folder), { force: true });
  const file = folderIdFile(folder);
  const found = own === undefined ? `${file} is missing` : `${file} says ${own}`;
  throw new ConfigError(
    `DATA_DIR: ${folder} is not the folder with the files of this database, whose id is ${known} (${found}). Servers on one ` +
      `database share one DATA_DIR: mount that folder here. Where its files were moved here for good: echo ${known} > ${file}`,
  );
}
