import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, type Logger, messageOf, systemTimers } from '@headwater/core';
import type { InstallationStore } from '@headwater/core/ports';
import { countOf } from '@headwater/core/values';
import { type BucketAssets, createBucketAssets, openRecords } from '@headwater/ingest';
import { Network } from '@headwater/net';
import { unlessMissing, writeAtomic } from '@headwater/net/files';
import {
  BucketFault,
  checkOwner,
  claimBucket,
  createGcsStore,
  createS3Store,
  type ObjectStore,
  type RequestOptions,
  shownBucket,
} from '@headwater/object-storage';
import { ConfigError } from '../config/config-error.ts';
import type { BucketConfig } from '../config/object-storage.ts';
import type { Config } from '../config/read-config.ts';
import { assetsFolder } from '../join-servers.ts';
import { googleTokenSource } from './google-token-source.ts';

/** Settings of the bucket, and of the requests to it. */
export type BucketSettings = Pick<Config, 'bucket' | 'credentials' | 'allowedOrigins'>;

const SIGNED_SECONDS = 900;

/** Folder with the records of the stored objects, one file for each attempt of a run. */
export const recordsFolder = (dataDir: string): string => join(dataDir, 'objects');

/** Opens the bucket without a request. Throws `ConfigError` for an unreadable key file. */
export async function openBucket(
  { bucket, credentials, allowedOrigins }: BucketSettings,
  limits: Partial<RequestOptions> = {},
): Promise<ObjectStore | undefined> {
  if (bucket === undefined) return undefined;
  const { name, endpoint, region, key } = bucket;
  const network = new Network({ settings: { allowedOrigins: [new URL(endpoint).origin, ...allowedOrigins] } });
  const options: RequestOptions = {
    send: (request, signal) => network.send(request, signal),
    timers: systemTimers,
    ...limits,
  };
  if (key === undefined)
    return createGcsStore(
      { bucket: name, endpoint, region, tokens: await googleTokenSource(credentials?.path, network) },
      options,
    );
  const secretAccessKey = await secretOf(key.secret);
  return createS3Store({ bucket: name, endpoint, region, accessKeyId: key.id, secretAccessKey }, options);
}

/** Store of published files in a folder and in a bucket. */
export function filesInBucket(
  objects: ObjectStore,
  { bucket, dataDir }: Pick<Config, 'bucket' | 'dataDir'>,
): BucketAssets {
  return createBucketAssets({
    folder: assetsFolder(dataDir),
    recordsFolder: recordsFolder(dataDir),
    objects,
    location: bucket && locationOf(objects, bucket),
  });
}

function locationOf(objects: ObjectStore, { delivery, name }: BucketConfig) {
  if (delivery === 'proxy') return undefined;
  if (delivery === 'signed') return (key: string) => objects.signedUrl(key, SIGNED_SECONDS);
  return async (key: string) => `${delivery.publicUrl}/${name.prefix}${key}`;
}

async function secretOf(secret: string | { readonly path: string }): Promise<string> {
  if (typeof secret === 'string') return secret;
  try {
    const text = (await readFile(secret.path, 'utf8')).trim();
    if (text !== '') return text;
  } catch (error) {
    throw new ConfigError(
      `STORAGE_SECRET_ACCESS_KEY_FILE: ${secret.path} cannot be read (${errorCode(error) ?? 'unknown'}). Mount the file, or set STORAGE_SECRET_ACCESS_KEY.`,
    );
  }
  throw new ConfigError(`STORAGE_SECRET_ACCESS_KEY_FILE: ${secret.path} is empty. Write the secret key into it.`);
}

const SETTING = { bucket: 'STORAGE_BUCKET_NAME', owner: 'STORAGE_BUCKET_NAME', region: 'STORAGE_REGION' } as const;

const TAKE_OVER = ' To do so, set STORAGE_TAKE_OVER to the id of that installation.';

/** Result of a check of the bucket. A `problem` stops a start; a `warning` does not. */
export interface BucketState {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
}

/**
 * Checks region, permissions and owner. A missing bucket, a wrong region and another owner are a `problem`; missing
 * permissions and an unreachable service are a `warning`.
 */
export async function checkBucket(
  objects: ObjectStore,
  { bucket, credentials, owner }: Pick<BucketSettings, 'bucket' | 'credentials'> & { readonly owner?: OwnerOf },
  signal: AbortSignal,
): Promise<BucketState> {
  try {
    const text = await objects.check(signal);
    await owner?.(objects, signal);
    return { level: 'ok', text };
  } catch (error) {
    if (error instanceof BucketFault && error.concerns !== 'credentials')
      return {
        level: 'problem',
        text: `${SETTING[error.concerns]}: ${error.message}${error.concerns === 'owner' ? TAKE_OVER : ''}`,
      };
    const own = bucket?.key === undefined ? 'GOOGLE_APPLICATION_CREDENTIALS' : 'STORAGE_ACCESS_KEY_ID';
    const setting = error instanceof BucketFault && (bucket?.key ?? credentials) !== undefined ? `${own}: ` : '';
    const reason = signal.aborted
      ? `${objects.name} did not respond in time. Check the network of this machine.`
      : messageOf(error);
    return {
      level: 'warning',
      text: `${setting}${reason} Until this is corrected, only files in DATA_DIR are served.`,
    };
  }
}

type OwnerOf = (objects: ObjectStore, signal: AbortSignal) => Promise<unknown>;

/**
 * File with the id by which an installation owns a bucket. Backups omit hidden files, so a restored installation gets
 * another id.
 */
const ownerFile = (dataDir: string): string => join(dataDir, '.headwater-bucket');

const readOwner = async (dataDir: string): Promise<string | undefined> =>
  (await unlessMissing(readFile(ownerFile(dataDir), 'utf8')))?.trim();

/** Creates the function that makes this installation the owner of the bucket. */
export const claimFor =
  (
    { bucket, dataDir }: Pick<Config, 'bucket' | 'dataDir'>,
    installation: Pick<InstallationStore, 'withLock'>,
  ): OwnerOf =>
  async (objects, signal) => {
    const id = await installation.withLock('folders', async () => {
      const known = await readOwner(dataDir);
      if (known !== undefined && known !== '') return known;
      const proposed = randomUUID();
      await writeAtomic(ownerFile(dataDir), (sink) => sink.write([Buffer.from(`${proposed}\n`)]));
      return proposed;
    });
    await claimBucket(objects, { id, replaces: bucket?.takeOver }, signal);
  };

const CHECK_MS = 5000;

/**
 * Checks the bucket and changes nothing. Returns its state; undefined without a bucket. Throws `ConfigError` for an
 * unreadable key.
 */
export async function bucketState(config: BucketSettings & Pick<Config, 'dataDir'>): Promise<BucketState | undefined> {
  const id = (await readOwner(config.dataDir)) ?? '';
  return stateWith(config, (objects, signal) => checkOwner(objects, { id, replaces: config.bucket?.takeOver }, signal));
}

async function stateWith(config: BucketSettings, owner: OwnerOf): Promise<BucketState | undefined> {
  const objects = await openBucket(config, { tries: 2 });
  return objects && checkBucket(objects, { ...config, owner }, AbortSignal.timeout(CHECK_MS));
}

/**
 * Checks and claims the bucket. Logs files that only another bucket has. Throws `ConfigError` for wrong settings, or
 * for the bucket of another service.
 */
export async function checkBucketAtStart(
  config: BucketSettings & Pick<Config, 'dataDir'>,
  { installation, logger }: { readonly installation: Pick<InstallationStore, 'withLock'>; readonly logger: Logger },
): Promise<void> {
  await warnOfFiles(config, logger);
  const state = await stateWith(config, claimFor(config, installation));
  if (state?.level === 'problem') throw new ConfigError(state.text);
  if (state !== undefined) logger.info({}, state.level === 'ok' ? state.text : `warning: ${state.text}`);
}

async function warnOfFiles({ bucket, dataDir }: Pick<Config, 'bucket' | 'dataDir'>, logger: Logger): Promise<void> {
  const own = bucket && shownBucket(bucket.name);
  const records = openRecords(recordsFolder(dataDir));
  const counts = new Map<string, number>();
  for (const attempt of await records.list()) {
    const record = await records.read(attempt);
    if (record === undefined || record.state === 'removing' || record.bucket === own) continue;
    const folder = join(assetsFolder(dataDir), attempt.runId, String(attempt.token));
    const away = record.files.filter(({ name }) => !existsSync(join(folder, name))).length;
    if (away > 0) counts.set(record.bucket, (counts.get(record.bucket) ?? 0) + away);
  }
  const copied = own === undefined ? '' : `, or copy them from there to ${own}`;
  for (const [name, count] of counts)
    logger.error(
      {},
      `warning: ${countOf(count, 'file')} of Items cannot be read, because only the bucket ${name} has them. Set STORAGE_BUCKET_NAME to this bucket${copied}.`,
    );
}
