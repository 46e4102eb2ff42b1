import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createPostgresStores,
  type Database,
  openDatabase,
  type PoolOptions,
  type Connection,
  type PostgresStores,
  type PostgresStoresOptions,
  type Sql,
} from '@headwater/postgres';
import { lockFolder, openEmbedded, runningEmbedded } from '@headwater/postgres/embedded';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DomainError, errorCode, isDomainError } from '@headwater/core';
import { type Config, ConfigError } from './config/read-config.ts';
import type { DatabaseConfig } from './config/storage.ts';
import { type Debug, loggedRuns } from './debug-log.ts';
import { drainedRuns } from './draining.ts';

/** Folder of the embedded database. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'db');

/** Folder in DATA_DIR for restored files. It exists while a restore is running, and after an interrupted restore. */
export const STAGING = '.restoring';

/** True while a process has the embedded database of a data folder open. */
export const isEmbeddedRunning = (dataDir: string): boolean =>
  runningEmbedded({ dataDir: databaseFolder(dataDir) }) !== undefined;

/** Throws `ConfigError` while `STAGING` exists, because the rows and the files may not match. */
export function refuseRestoring(dataDir: string): void {
  if (existsSync(join(dataDir, STAGING)))
    throw new ConfigError(
      `DATA_DIR: a restore into ${dataDir} runs, or was interrupted. Wait until it has ended, or repeat it with --replace.`,
    );
}

/**
 * Opens stores for a command that may run while the service is running. If the service has the embedded database open,
 * connects through its socket. During a drain, these stores refuse new runs and claim no run. Throws `ConfigError` if
 * the embedded database does not exist, or during a restore.
 */
export async function openStoresBeside(config: Config): Promise<PostgresStores> {
  const stores = await openBeside(config);
  return { ...stores, runs: drainedRuns(stores.runs, stores.installation) };
}

async function openBeside(config: Config): Promise<PostgresStores> {
  refuseRestoring(config.dataDir);
  if (config.database !== undefined) return openRemote(config.database, leaseOf(config));
  const dataDir = databaseFolder(config.dataDir);
  const running = runningEmbedded({ dataDir });
  // No database is created, because the name of the folder may be misspelt.
  if (running === undefined && !hasFiles(dataDir)) throw noDatabase(config);
  return running === undefined
    ? openOwn(dataDir, leaseOf(config))
    : createPostgresStores({ connection: running, ...leaseOf(config) });
}

/**
 * Timeout of a statement that copies rows. It is long, because PostgreSQL sends no data while it builds an index of a
 * large table.
 */
const COPY_STALL_MS = 6 * 3_600_000;

/**
 * Opens the database without migrating it, to copy all rows. With `isAlone`, throws if a service uses it, and creates a
 * missing embedded database. Without `isAlone`, throws `ConfigError` for a missing embedded database.
 */
export async function openWholeDatabase(
  config: Pick<Config, 'database' | 'dataDir'>,
  { isAlone }: { readonly isAlone: boolean },
): Promise<Database> {
  const options = { poolSize: 1, queryTimeoutMs: COPY_STALL_MS };
  if (config.database !== undefined) {
    const database = openDatabase(await connectionTo(config.database), options);
    if (isAlone)
      await refuseServices(database, database).catch(async (error: unknown) => {
        await database.close();
        throw error;
      });
    return database;
  }
  const dataDir = databaseFolder(config.dataDir);
  const running = isAlone ? undefined : runningEmbedded({ dataDir });
  if (running !== undefined) return openDatabase(running, options);
  if (!isAlone && !hasFiles(dataDir)) throw noDatabase(config);
  const embedded = await openEmbedded({ dataDir });
  const database = openDatabase(embedded.connection, options);
  return {
    ...database,
    close: async () => {
      await database.close();
      await embedded.close();
    },
  };
}

/**
 * Throws `ConfigError` while services or workers are connected to a PostgreSQL. `sql` must be the only connection of
 * this process.
 */
export async function refuseServices(sql: Pick<Sql, 'first'>, { embedded, place }: Database): Promise<void> {
  // No check is needed, because a lock file allows only one process to open the embedded database.
  if (embedded) return;
  const others = await sql.first<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where application_name = 'headwater' and datname = current_database() and pid <> pg_backend_pid()`,
  );
  if (others?.n !== 0) throw new ConfigError(`DB_NAME: services or workers use ${place}. Stop all of them first.`);
}

const noDatabase = ({ dataDir }: Pick<Config, 'dataDir'>): ConfigError =>
  new ConfigError(
    `DATA_DIR: there is no database in ${dataDir}. Set DATA_DIR to the folder of the service, or start the service once.`,
  );

/** Throws `ConfigError` if DATA_DIR has no embedded database. */
export function requireEmbedded(dataDir: string): void {
  if (!hasFiles(databaseFolder(dataDir))) throw noDatabase({ dataDir });
}

type RunOptions = Pick<PostgresStoresOptions, 'runLeaseMs'> & Pick<PoolOptions, 'onSlow'>;

const leaseOf = ({ runLeaseSeconds }: Config): RunOptions => ({ runLeaseMs: runLeaseSeconds * 1000 });

async function openRemote(database: DatabaseConfig, options: RunOptions): Promise<PostgresStores> {
  const { searchTimeoutMs, ...address } = database;
  return createPostgresStores({ connection: await connectionTo(address), searchTimeoutMs, ...options }).catch(
    explainTls,
  );
}

const hasFiles = (dataDir: string): boolean => existsSync(join(dataDir, 'pgdata'));

/** Describes how the database will be opened, for progress output. */
export function openingDatabase(config: Config): string {
  if (config.database !== undefined) return 'connecting to PostgreSQL';
  return hasFiles(databaseFolder(config.dataDir))
    ? 'opening the embedded database'
    : 'creating the embedded database, which takes about ten seconds';
}

const CHECK_MS = 5000;

/** Database that was opened for a check. */
export interface OpenedToCheck {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Opens the database that a start would use, without migrations. Returns undefined if the start would create it. If
 * another process has the embedded database open: with `isRunning`, connects through that process, otherwise throws the
 * error of a start.
 */
export async function openToCheck(
  { database, dataDir }: Config,
  isRunning = false,
): Promise<OpenedToCheck | undefined> {
  if (database !== undefined) {
    const { searchTimeoutMs: _unused, ...address } = database;
    const opened = openDatabase(await connectionTo(address), { poolSize: 1, connectTimeoutMs: CHECK_MS });
    await opened.first('select 1').catch(async (error: unknown) => {
      await opened.close();
      explainTls(error);
    });
    return { database: opened, close: () => opened.close() };
  }
  const folder = databaseFolder(dataDir);
  if (!hasFiles(folder)) return undefined;
  const running = isRunning ? runningEmbedded({ dataDir: folder }) : undefined;
  if (running !== undefined) {
    const opened = openDatabase(running, { poolSize: 1, connectTimeoutMs: CHECK_MS });
    return { database: opened, close: () => opened.close() };
  }
  lockFolder(folder).release();
  const embedded = await openEmbedded({ dataDir: folder });
  const opened = openDatabase(embedded.connection);
  return {
    database: opened,
    close: async () => {
      await opened.close();
      await embedded.close();
    },
  };
}

/** Callbacks while stores are opened and used. */
export interface DatabaseNews {
  readonly onDeath: (reason: Error) => void;
  readonly debug?: Debug | undefined;
  /**
   * Called when the creation of an embedded database begins, which takes seconds. DATA_DIR is already locked for this
   * process.
   */
  readonly onMakingDatabase?: (() => void) | undefined;
  /** Called before the embedded database rewrites a table with much free space. */
  readonly onCompactingDatabase?: ((freeBytes: number) => void) | undefined;
}

async function openOwn(
  dataDir: string,
  options: RunOptions,
  { onDeath, onMakingDatabase, onCompactingDatabase }: DatabaseNews = { onDeath: () => {} },
): Promise<PostgresStores> {
  const embedded = await openEmbedded({
    dataDir,
    onMaking: onMakingDatabase,
    onCompacting: onCompactingDatabase,
  });
  embedded.stopped.then((reason) => (reason === undefined ? undefined : onDeath(reason))).catch(() => {});
  try {
    const stores = await createPostgresStores({ connection: embedded.connection, ...options });
    return {
      ...stores,
      async close() {
        await stores.close();
        await embedded.close();
      },
    };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

/** Opens PostgreSQL if `DB_HOST` is set, otherwise the embedded database. Closing the stores closes the database. */
export async function openStores(config: Config, news: DatabaseNews): Promise<PostgresStores> {
  refuseRestoring(config.dataDir);
  const { debug } = news;
  const options = { ...leaseOf(config), ...slowLog(debug) };
  const stores = await (config.database === undefined
    ? openOwn(databaseFolder(config.dataDir), options, news)
    : openRemote(config.database, options));
  const runs = drainedRuns(stores.runs, stores.installation);
  return { ...stores, runs: debug === undefined ? runs : loggedRuns(runs, debug) };
}

function slowLog(debug: Debug | undefined): Pick<PoolOptions, 'onSlow'> {
  return debug === undefined ? {} : { onSlow: ({ text, ms }) => debug({ ms, statement: text }, 'slow statement') };
}

/** Creates connection settings with TLS. Throws `ConfigError` if no certificate can be read from DB_SSL_CA. */
export async function connectionTo({ tls, ...address }: Omit<DatabaseConfig, 'searchTimeoutMs'>): Promise<Connection> {
  if (tls === undefined) return address;
  if (!tls.verify) return { ...address, ssl: { rejectUnauthorized: false } };
  const ca = tls.caFile === undefined ? {} : { ca: await certificates(tls.caFile) };
  return { ...address, ssl: { rejectUnauthorized: true, ...ca } };
}

async function certificates(path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    const reason = errorCode(error) ?? String(error);
    throw new ConfigError(`DB_SSL_CA: ${path} cannot be read (${reason}); set it to a file that this user may read.`);
  });
  // Node would ignore a file without certificates, and its error would not name the file.
  if (!isCertificate(pem))
    throw new ConfigError(
      `DB_SSL_CA: ${path} contains no certificate; use a file in PEM format (-----BEGIN CERTIFICATE-----).`,
    );
  return pem;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /certificate is not trusted/,
    'Set DB_SSL_CA to a file with the certificate of the issuer, and DB_SSL to verify-full.',
  ],
  [/certificate is for another host name/, 'Set DB_HOST to a name that the certificate has.'],
  [
    /it requires TLS/,
    'Set DB_SSL to verify-full, with DB_SSL_CA if your own authority issued its certificate; require checks no certificate.',
  ],
  [/it has no TLS/, 'Set DB_SSL to disable only if the network between service and database is trusted.'],
];

/** Adds the setting that fixes a TLS problem to the message. */
function explainTls(error: unknown): never {
  const remedy = isDomainError(error) ? REMEDIES.find(([pattern]) => pattern.test(error.message))?.[1] : undefined;
  if (remedy === undefined || !isDomainError(error)) throw error;
  throw new DomainError(error.code, `${error.message}. ${remedy}`, { cause: error });
}
