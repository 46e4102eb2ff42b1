import { resolve } from 'node:path';
import { DEFAULT_HOSTS, DEFAULT_REQUESTS, type ExportSettings, type GoogleHosts } from '@headwater/earth-engine';
import { z } from 'zod';
import type { Refuse } from './config-error.ts';
import { BUCKET_FIELDS, bucketConfig, type BucketConfig } from './object-storage.ts';
import { folder, onOff, sha256Text, webAddress, whole } from './fields.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const MB = 1_000_000;
const GB = 1_000_000_000;

/** Variables of folders, the database, downloaded boundaries, and retention. */
export const STORAGE_FIELDS = {
  DATA_DIR: folder.default('data'),
  EXCEL_DIR: folder.optional(),
  EXCEL_PATH: folder.optional(),
  DB_HOST: z.string().optional(),
  DB_PORT: whole(1, 65_535).default(5432),
  DB_NAME: z.string().optional(),
  DB_USER: z.string().optional(),
  DB_PASSWORD: z.string().optional(),
  DB_SSL: z
    .enum(['disable', 'require', 'verify-full'], { error: 'expected disable, require or verify-full' })
    .default('disable'),
  DB_SSL_CA: z.string().optional(),
  SEARCH_TIMEOUT_SECONDS: whole(1, 3600).default(5),
  BOUNDARY_DATA_URL: webAddress.optional(),
  BOUNDARY_DATA_SHA256: sha256Text.optional(),
  BOUNDARY_DATA_KEEP: onOff.default(false),
  FREE_DISK_WARN_MB: whole(0, 1_000_000_000).default(1000),
  FREE_DISK_FAIL_MB: whole(0, 1_000_000_000).default(100),
  QUEUE_WARNING_SECONDS: whole(0, 31_536_000).default(3600),
  BACKUP_WARNING_HOURS: whole(0, 87_600).default(48),
  GOOGLE_APPLICATION_CREDENTIALS: folder.optional(),
  ...BUCKET_FIELDS,
  EARTH_ENGINE_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/, 'expected the name of a bucket, such as my-bucket')
    .optional(),
  EARTH_ENGINE_FOLDER: z
    .string()
    .regex(/^[\w-]+(?:\/[\w-]+)*$/, 'expected names of letters, digits, _ and -, separated by /')
    .default('apps/mws'),
  EARTH_ENGINE_PUBLIC: onOff.default(true),
  EARTH_ENGINE_SCENES: onOff.default(false),
  EARTH_ENGINE_REQUESTS: whole(1, 500).default(DEFAULT_REQUESTS.parallel),
  EARTH_ENGINE_SCRATCH_GB: whole(1, 1_000_000).default(20),
  EARTH_ENGINE_URL: webAddress.optional(),
  EARTH_ENGINE_STORAGE_URL: webAddress.optional(),
  EARTH_ENGINE_MONITORING_URL: webAddress.optional(),
  DATA_DISK_BUDGET_GB: whole(0, 1_000_000).default(0),
  REPLACED_FILES_HOURS: whole(0, 87_600).default(24),
  RUN_EVENTS_DAYS: whole(0, 36_500).default(30),
  RUNS_DAYS: whole(0, 36_500).default(180),
} as const;

type Values = z.output<z.ZodObject<typeof STORAGE_FIELDS>>;

/** Connection to PostgreSQL. */
export interface DatabaseConfig {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Timeout of one search statement, ms. */
  readonly searchTimeoutMs: number;
  /** Encryption of the connection; absent = not encrypted. */
  readonly tls?: DatabaseTls;
}

/** Encryption of the connection to PostgreSQL. */
export interface DatabaseTls {
  /** True: the certificate and name of the server are verified. */
  readonly verify: boolean;
  /** Absolute path of a file with the accepted certificate authorities; default: the authorities of Node. */
  readonly caFile?: string;
}

/** File of boundaries to download. */
export interface BoundaryDataConfig {
  /** Address of the file. Only `publicAddress` of it is shown, because it may contain a password or a signature. */
  readonly url: string;
  /** Checksum of the file in lower-case hexadecimal digits. */
  readonly sha256: string | undefined;
  /** True: the file is kept after its import. */
  readonly keeps: boolean;
}

/** Credentials file of Earth-observation accounts and of a bucket. */
export interface CredentialsConfig {
  readonly path: string;
  /** Google bucket to which the file gives access. */
  readonly bucket: string | undefined;
}

/** Exports to Earth Engine. */
export interface EarthEngineConfig extends ExportSettings {
  readonly hosts: GoogleHosts;
}

/** Scenes that are read from Earth Engine with the credentials of accounts. */
export interface EarthEngineScenesConfig {
  readonly hosts: GoogleHosts;
  readonly parallel: number;
  /** Largest size of the scratch files of one year, bytes. */
  readonly mostBytes: number;
}

/** Folders, database and bucket of the data, and the retention of the data. */
export interface StorageConfig {
  readonly dataDir: string;
  /** Absolute path of the folder for workbooks; undefined: workbooks are not stored as files. */
  readonly excelPath: string | undefined;
  /** PostgreSQL to use; absent = the embedded database under `dataDir`. */
  readonly database: DatabaseConfig | undefined;
  /** Boundaries that a start downloads. */
  readonly boundaryData: BoundaryDataConfig | undefined;
  /** Credentials file. Accounts of the platform `local` need none. */
  readonly credentials: CredentialsConfig | undefined;
  readonly earthEngine: EarthEngineConfig | undefined;
  /** Scenes from Earth Engine; undefined: all runs read the service's own sources. */
  readonly earthEngineScenes: EarthEngineScenesConfig | undefined;
  /** Bucket for published files; undefined: they are only in DATA_DIR. */
  readonly bucket: BucketConfig | undefined;
  /** Free space in DATA_DIR below which health warns and fails. */
  readonly freeDisk: { readonly warnBytes: number; readonly failBytes: number };
  /** Age of the oldest waiting run, and of the last backup, from which health and the log warn; 0 = no warning. */
  readonly warningLimits: { readonly queueMs: number; readonly backupMs: number };
  /** Size in bytes to which `headwater clean` tries to reduce DATA_DIR; 0 = no limit. */
  readonly diskBudgetBytes: number;
  /** Hours for which files of replaced Items are kept. */
  readonly replacedFilesHours: number;
  /** Days for which progress and log lines of ended runs are kept; 0 = for ever. */
  readonly runEventsDays: number;
  /** Days for which ended runs without published data are kept; 0 = for ever. */
  readonly runsDays: number;
}

/** Reads the settings of the storage. */
export function storageConfig(values: Values, refuse: Refuse): StorageConfig {
  return {
    dataDir: resolve(values.DATA_DIR),
    excelPath: excelPath(values),
    database: databaseConfig(values, refuse),
    boundaryData: boundaryData(values, refuse),
    credentials: credentials(values),
    earthEngine: earthEngine(values),
    earthEngineScenes: earthEngineScenes(values),
    bucket: bucketConfig(values, refuse),
    freeDisk: { warnBytes: values.FREE_DISK_WARN_MB * MB, failBytes: values.FREE_DISK_FAIL_MB * MB },
    warningLimits: {
      queueMs: values.QUEUE_WARNING_SECONDS * SECOND_MS,
      backupMs: values.BACKUP_WARNING_HOURS * HOUR_MS,
    },
    diskBudgetBytes: values.DATA_DISK_BUDGET_GB * GB,
    replacedFilesHours: values.REPLACED_FILES_HOURS,
    runEventsDays: values.RUN_EVENTS_DAYS,
    runsDays: values.RUNS_DAYS,
  };
}

/** Reads the connection to PostgreSQL; undefined without DB_HOST. */
function databaseConfig(values: Values, refuse: Refuse): DatabaseConfig | undefined {
  const { DB_HOST: host, DB_PORT: port, DB_NAME: name = '', DB_USER: user = '', DB_PASSWORD: password } = values;
  if (host === undefined) return undefined;
  if (name === '') refuse('DB_NAME: needed when DB_HOST is set; set it to the database to use.');
  if (user === '') refuse('DB_USER: needed when DB_HOST is set; set it to the role to connect as.');
  const tls = databaseTls(values, refuse);
  const address = { host, port, database: name, user, password: password ?? '' };
  const searchTimeoutMs = values.SEARCH_TIMEOUT_SECONDS * SECOND_MS;
  return { ...address, searchTimeoutMs, ...(tls === undefined ? {} : { tls }) };
}

function databaseTls({ DB_SSL: mode, DB_SSL_CA: caFile }: Values, refuse: Refuse): DatabaseTls | undefined {
  if (caFile !== undefined && mode !== 'verify-full')
    refuse(
      `DB_SSL_CA: is used only with DB_SSL=verify-full, but DB_SSL is ${mode}. Set DB_SSL to verify-full, or unset DB_SSL_CA.`,
    );
  if (mode === 'disable') return undefined;
  return { verify: mode === 'verify-full', ...(caFile === undefined ? {} : { caFile: resolve(caFile) }) };
}

/** Reads the address of boundaries. Refuses a checksum without an address. */
function boundaryData(
  { BOUNDARY_DATA_URL: url, BOUNDARY_DATA_SHA256: sha256, BOUNDARY_DATA_KEEP: keeps }: Values,
  refuse: Refuse,
): BoundaryDataConfig | undefined {
  if (url !== undefined) return { url, sha256, keeps };
  if (sha256 !== undefined)
    refuse('BOUNDARY_DATA_URL: needed with BOUNDARY_DATA_SHA256; set it to the address of that file.');
  return undefined;
}

function credentials({
  GOOGLE_APPLICATION_CREDENTIALS: path,
  STORAGE_BUCKET_NAME: bucket,
}: Values): CredentialsConfig | undefined {
  return path === undefined
    ? undefined
    : { path: resolve(path), bucket: bucket?.kind === 'gcs' ? bucket.bucket : undefined };
}

function earthEngine(values: Values): EarthEngineConfig | undefined {
  const { EARTH_ENGINE_BUCKET: bucket, EARTH_ENGINE_FOLDER: folder, EARTH_ENGINE_PUBLIC: isPublic } = values;
  if (bucket === undefined) return undefined;
  return { bucket, folder, isPublic, hosts: googleHosts(values) };
}

function earthEngineScenes(values: Values): EarthEngineScenesConfig | undefined {
  if (!values.EARTH_ENGINE_SCENES) return undefined;
  const mostBytes = values.EARTH_ENGINE_SCRATCH_GB * GB;
  return { hosts: googleHosts(values), parallel: values.EARTH_ENGINE_REQUESTS, mostBytes };
}

const googleHosts = (values: Values): GoogleHosts => ({
  earthEngine: withoutSlash(values.EARTH_ENGINE_URL) ?? DEFAULT_HOSTS.earthEngine,
  storage: withoutSlash(values.EARTH_ENGINE_STORAGE_URL) ?? DEFAULT_HOSTS.storage,
  monitoring: withoutSlash(values.EARTH_ENGINE_MONITORING_URL) ?? DEFAULT_HOSTS.monitoring,
});

const withoutSlash = (address: string | undefined): string | undefined => address?.replace(/\/+$/, '');

/** Folder for workbooks. Existing installations set EXCEL_PATH or EXCEL_DIR; EXCEL_PATH takes precedence. */
function excelPath({ EXCEL_DIR: dir, EXCEL_PATH: path = dir }: Values): string | undefined {
  return path === undefined ? undefined : resolve(path);
}
