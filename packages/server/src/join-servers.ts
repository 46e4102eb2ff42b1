import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallationStore } from '@headwater/core/ports';
import { type BucketName, shownBucket } from '@headwater/object-storage';
import { ConfigError } from './config/read-config.ts';
import { folderId, folderIdFile, readFolderId, writeFolderId } from './folder-id.ts';

/** Folder of published files. */
export const assetsFolder = (dataDir: string): string => join(dataDir, 'assets');

/** Settings that all servers on one database must share. */
export interface ServerFacts {
  readonly dataDir: string;
  /** Bucket of the published files; undefined if they are only in DATA_DIR. */
  readonly bucket?: BucketName | undefined;
  readonly secret: Uint8Array;
  /** Called if a server with other settings joined while this server had no connection. This server must then stop. */
  readonly onRival?: ((reason: Error) => void) | undefined;
}

/**
 * Registers the settings of this server on the PostgreSQL. Throws `ConfigError` if other servers have different
 * settings, because tokens would be refused and files would differ.
 */
export async function joinServers(
  installation: InstallationStore,
  { dataDir, bucket, secret, onRival }: ServerFacts,
): Promise<void> {
  await joinAssets(installation, dataDir);
  const data = await installation.withLock('folders', () => folderId(dataDir));
  await agreeOnData(installation, { dataDir, data, onRival });
  await agreeOnBucket(installation, bucket, onRival);
  const key = Buffer.from(secret).toString('base64');
  if (!(await installation.agree('signing key', key, reporting(onRival, 'signing key'))))
    throw new ConfigError(
      'JWT_SECRET: another server that runs on this database signs its tokens with another key, so each server would refuse ' +
        'the tokens of the other. Set the same JWT_SECRET for all servers, or set it for none: then they share a key in the database.',
    );
}

/**
 * Registers the settings of a worker on the PostgreSQL. Throws `ConfigError` for another DATA_DIR or bucket, because
 * no server would find the published files.
 */
export async function joinAsWorker(
  installation: InstallationStore,
  { dataDir, bucket, onRival }: Omit<ServerFacts, 'secret'>,
): Promise<void> {
  const [data, files] = await Promise.all([dataDir, assetsFolder(dataDir)].map(readFolderId));
  // A worker must not write an id, because a misspelt folder would then become valid.
  if (data === undefined || files === undefined)
    throw new ConfigError(
      `DATA_DIR: ${dataDir} is not the folder of a service: ${folderIdFile(data === undefined ? dataDir : assetsFolder(dataDir))} ` +
        'is missing. Set DATA_DIR to the folder of the service, or start the service with it once.',
    );
  await joinAssets(installation, dataDir);
  await agreeOnData(installation, { dataDir, data, onRival });
  await agreeOnBucket(installation, bucket, onRival);
}

type OnRival = ServerFacts['onRival'];

const reporting = (onRival: OnRival, what: string) => (): void =>
  onRival?.(
    new Error(
      `while the database was unavailable, a server with another ${what} was started on it; give all servers of the database the same ${what}`,
    ),
  );

async function agreeOnData(
  installation: InstallationStore,
  { dataDir, data, onRival }: { readonly dataDir: string; readonly data: string; readonly onRival: OnRival },
): Promise<void> {
  if (await installation.agree('data folder', data, reporting(onRival, 'DATA_DIR'))) return;
  throw new ConfigError(
    `DATA_DIR: another server that runs on this database uses another folder than ${dataDir}, so places and scenes would ` +
      'differ from server to server. Mount one folder for all of them, or stop the other server first.',
  );
}

/**
 * Throws `ConfigError` if another process uses another bucket or none. That process would not find files that are
 * only in this bucket.
 */
async function agreeOnBucket(
  installation: InstallationStore,
  bucket: BucketName | undefined,
  onRival: OnRival,
): Promise<void> {
  const name = bucket === undefined ? 'none' : shownBucket(bucket);
  if (await installation.agree('bucket', name, reporting(onRival, 'STORAGE_BUCKET_NAME'))) return;
  throw new ConfigError(
    'STORAGE_BUCKET_NAME: another server or worker that runs on this database uses another bucket or none, so files would be missing. ' +
      'Set the same STORAGE_ variables for all of them, or stop the others first.',
  );
}

/**
 * Checks, by the id in DATA_DIR/assets, that DATA_DIR has the published files of the database. A database without id
 * gets this id. Throws `ConfigError` for another id.
 */
export async function joinAssets(installation: InstallationStore, dataDir: string): Promise<void> {
  await installation.withLock('folders', () => joinFolder(installation, assetsFolder(dataDir)));
}

async function joinFolder(installation: InstallationStore, folder: string): Promise<void> {
  const own = await readFolderId(folder);
  const proposed = own ?? randomUUID();
  // The id is written to the folder first, because a killed start must not leave a database with an unknown id.
  if (own === undefined) await writeFolderId(folder, proposed);
  const known = await installation.getOrCreate('asset folder', proposed);
  if (known === proposed) return;
  if (own === undefined) await rm(folderIdFile(folder), { force: true });
  throw otherFolder(folder, { known, own });
}

/** Checks like `joinAssets`, and writes nothing. */
export async function checkAssets(installation: Pick<InstallationStore, 'read'>, dataDir: string): Promise<void> {
  const folder = assetsFolder(dataDir);
  const [known, own] = [await installation.read('asset folder'), await readFolderId(folder)];
  if (known !== undefined && known !== own) throw otherFolder(folder, { known, own });
}

/** Checks like `checkAssets`, but accepts a folder without an id, such as an empty folder on a new disk. */
export async function checkFullAssets(installation: Pick<InstallationStore, 'read'>, dataDir: string): Promise<void> {
  if ((await readFolderId(assetsFolder(dataDir))) !== undefined) await checkAssets(installation, dataDir);
}

function otherFolder(
  folder: string,
  { known, own }: { readonly known: string; readonly own: string | undefined },
): ConfigError {
  const file = folderIdFile(folder);
  const found = own === undefined ? `${file} is missing` : `${file} contains ${own}`;
  return new ConfigError(
    `DATA_DIR: the files of this database are in a folder with the id ${known}; ${folder} is another folder (${found}). Servers on ` +
      `one database share one DATA_DIR: mount the folder with that id here. If the files of the database were moved to ${folder} ` +
      `permanently: echo ${known} > ${file}`,
  );
}
