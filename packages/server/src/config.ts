import { resolve } from 'node:path';
import type { RegistrationRule } from '@headwater/identity';
import {
  type ActivationRule,
  type PublicationOptions,
  SERVER_LIMITS,
  type ServerLimits,
  USER_LIMITS,
  type UserLimits,
  type WorkflowAccess,
  type WorkServiceOptions,
} from '@headwater/http-service';
import { z } from 'zod';
import { boundaryData, type BoundaryDataConfig } from './config-boundary-data.ts';
import { databaseConfig, type DatabaseConfig } from './config-database.ts';
import { ConfigError } from './config-error.ts';
import { excelPath } from './config-excel.ts';
import {
  address,
  dagId,
  folder,
  httpUrl,
  mailAddress,
  list,
  onOff,
  publicUrl,
  sceneOrigin,
  secret,
  sha256Text,
  smtpUrl,
  superuserPassword,
  webAddress,
  whole,
  workflowAccess,
} from './config-fields.ts';
import { mail } from './config-mail.ts';
import { orchestrator, type OrchestratorConfig } from './config-orchestrator.ts';
import { publication } from './config-publication.ts';
import { serverLimits } from './config-server-limits.ts';
import { type Catalogues, catalogues } from './config-catalogues.ts';
import { refuseLifetimes, sessionDays } from './config-sessions.ts';
import { WORK_SERVICE_FIELDS, workService } from './config-work-service.ts';
import { type Environment, givenVariables, refuseMissingParts } from './config-environment.ts';
import { workerInProcess } from './config-worker.ts';
import type { MailConfig } from './mail.ts';
import { LOG_FILES } from './log-file.ts';
import { origin } from './origins.ts';
import { licenseText, providersText } from './publication.ts';

export { ConfigError, type BoundaryDataConfig, type DatabaseConfig };

/** How is logged. */
export interface LogConfig {
  /** For stdout; absent = human on a terminal, else json. */
  readonly format: 'human' | 'json' | undefined;
  /** Size at which a new file is begun. */
  readonly fileBytes: number;
  /** The present file included. */
  readonly files: number;
}

/** Everything that the reference server takes from its environment. */
export interface Config extends Catalogues {
  /** Absolute path. */
  readonly dataDir: string;
  /** Absolute path; undefined = no workbooks are kept as files. */
  readonly excelPath: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Public address without trailing slash. */
  readonly baseUrl: string;
  /** PUBLIC_BASE_URL says so; else it is this machine's own name, which others cannot follow. */
  readonly baseUrlIsGiven: boolean;
  /** Absent = embedded database under `dataDir`. */
  readonly database: DatabaseConfig | undefined;
  readonly logLevel: 'debug' | 'info' | 'error';
  readonly log: LogConfig;
  readonly serverLimits: ServerLimits;
  readonly userLimits: UserLimits;
  /** Regions that are computed for whoever asks. */
  readonly workService: WorkServiceOptions;
  /** Of one API key; undefined = no limit. */
  readonly apiKeyRequestsPerMinute: number | undefined;
  /** Largest file that is taken as an upload for import. */
  readonly importMaxBytes: number;
  readonly apiKeyRequestsPerDay: number | undefined;
  /** Whether strangers may make accounts. */
  readonly registration: RegistrationRule;
  /** Who makes places active. */
  readonly activation: ActivationRule;
  /** Boundaries that a start downloads; undefined = none. */
  readonly boundaryData: BoundaryDataConfig | undefined;
  /** Where mails are handed over; undefined = none are sent. */
  readonly mail: MailConfig | undefined;
  /** Through which every pipeline computes; undefined = here. */
  readonly orchestrator: OrchestratorConfig | undefined;
  /** Who may run its workflow by itself. */
  readonly workflowAccess: WorkflowAccess;
  /** Proxies whose X-Forwarded-For tells the client's address. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call with credentials, beside local ones. */
  readonly corsOrigins: readonly string[];
  /** Scenes with more cloud than this (percent, `eo:cloud_cover`) are not read. */
  readonly maxCloudCover: number;
  readonly jwtSecret: string | undefined;
  readonly accessTokenDays: number;
  readonly refreshTokenDays: number;
  /** Longest life of a session, however often it is refreshed. */
  readonly sessionDays: number;
  readonly superuserPassword: string | undefined;
  /** What is said of published layers; absent members have the service's defaults. */
  readonly publication: PublicationOptions;
  /** Free space in DATA_DIR below which health warns and fails. */
  readonly freeDisk: { readonly warnBytes: number; readonly failBytes: number };
  /** How long files of replaced Items stay. */
  readonly replacedFilesHours: number;
  /** How long progress and log lines of ended runs stay; 0 = for ever. */
  readonly runEventsDays: number;
  /** How long ended runs stay of which nothing is served; 0 = for ever. */
  readonly runsDays: number;
  /** Runs are worked on in the service's own process; false where `headwater worker` does it. */
  readonly worker: boolean;
  /** A run whose worker was silent for this long is taken over. */
  readonly runLeaseSeconds: number;
  readonly sample: boolean;
  /** Side of the sample in km; undefined = that of the one which is there, or the smallest. */
  readonly sampleSizeKm: number | undefined;
  /** Every layer of the sample is computed, not its land cover alone. */
  readonly allLayers: boolean;
  readonly threads: number | undefined;
  /** File outside DATA_DIR whose absence means "first start of this container". */
  readonly containerMarker: string | undefined;
}

const SECOND_MS = 1000;
const MB = 1_000_000;

const schema = z.object({
  DATA_DIR: folder.default('data'),
  EXCEL_DIR: folder.optional(),
  EXCEL_PATH: folder.optional(),
  BACKEND_PORT: whole(1, 65_535).default(8000),
  BACKEND_HOST: z.string().default('0.0.0.0'),
  PUBLIC_BASE_URL: publicUrl.optional(),
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
  LOG_LEVEL: z.enum(['debug', 'info', 'error'], { error: 'expected debug, info or error' }).default('info'),
  LOG_FORMAT: z.enum(['human', 'json'], { error: 'expected human or json' }).optional(),
  LOG_FILE_MB: whole(1, 10_000).default(LOG_FILES.fileBytes / MB),
  LOG_FILES: whole(1, 1000).default(LOG_FILES.files),
  TRUSTED_PROXIES: list(address),
  CORS_ORIGINS: list(origin),
  MAX_CONNECTIONS: whole(1, 1_000_000).default(SERVER_LIMITS.maxConnections),
  REQUEST_TIMEOUT_SECONDS: whole(1, 86_400).default(SERVER_LIMITS.requestTimeoutMs / SECOND_MS),
  WRITE_TIMEOUT_SECONDS: whole(1, 86_400).default(SERVER_LIMITS.writeTimeoutMs / SECOND_MS),
  MAX_OPEN_RUNS_PER_USER: whole(1, 100_000).default(USER_LIMITS.openRuns),
  MAX_EVENT_STREAMS_PER_USER: whole(1, 100_000).default(USER_LIMITS.eventStreams),
  ...WORK_SERVICE_FIELDS,
  API_KEY_REQUESTS_PER_MINUTE: whole(1, 1_000_000).optional(),
  IMPORT_MAX_MB: whole(1, 100_000).default(1000),
  API_KEY_REQUESTS_PER_DAY: whole(1, 1_000_000_000).optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailAddress.optional(),
  ORCHESTRATOR_API_BASE: publicUrl.optional(),
  ORCHESTRATOR_JOB_DAG_ID: dagId.optional(),
  ORCHESTRATOR_DAG_ID: dagId.optional(),
  ORCHESTRATOR_USERNAME: z.string().optional(),
  ORCHESTRATOR_PASSWORD: z.string().optional(),
  ORCHESTRATOR_TOKEN: z.string().optional(),
  ORCHESTRATOR_UNPAUSE: onOff.default(true),
  SERVICE_API_BASE: publicUrl.optional(),
  DAG_API_ACCESS: workflowAccess.default('public'),
  REGISTRATION: z.enum(['off', 'open'], { error: 'expected off or open' }).default('open'),
  ACTIVATE_LOCATION: z.enum(['superuser', 'anybody'], { error: 'expected superuser or anybody' }).default('superuser'),
  BOUNDARY_DATA_URL: webAddress.optional(),
  BOUNDARY_DATA_SHA256: sha256Text.optional(),
  BOUNDARY_DATA_KEEP: onOff.default(false),
  EO_STAC_API_URL: httpUrl.optional(),
  EO_STAC_COLLECTION: z.string().default('sentinel-2-l2a'),
  EO_ALLOWED_ORIGINS: list(sceneOrigin),
  EO_MAX_CLOUD_COVER: whole(0, 100).default(90),
  DEM_STAC_API_URL: httpUrl.optional(),
  DEM_STAC_COLLECTION: z.string().default('cop-dem-glo-30'),
  JWT_SECRET: secret.optional(),
  ACCESS_TOKEN_DAYS: whole(1, 3650).default(90),
  REFRESH_TOKEN_DAYS: whole(1, 3650).default(120),
  SESSION_DAYS: whole(1, 3650).optional(),
  SUPERUSER_PASSWORD: superuserPassword.optional(),
  HEADWATER_TITLE: z.string().optional(),
  HEADWATER_LICENSE: licenseText.optional(),
  HEADWATER_LICENSE_URL: webAddress.optional(),
  HEADWATER_PROVIDERS: providersText.optional(),
  HEADWATER_ATTRIBUTION: z.string().optional(),
  FREE_DISK_WARN_MB: whole(0, 1_000_000_000).default(1000),
  FREE_DISK_FAIL_MB: whole(0, 1_000_000_000).default(100),
  REPLACED_FILES_HOURS: whole(0, 87_600).default(24),
  RUN_EVENTS_DAYS: whole(0, 36_500).default(30),
  RUNS_DAYS: whole(0, 36_500).default(180),
  RUN_LEASE_SECONDS: whole(1, 3600).default(30),
  WORKER: onOff.default(true),
  HEADWATER_SAMPLE: onOff.default(true),
  HEADWATER_THREADS: whole(1, 64).optional(),
  HEADWATER_CONTAINER_MARKER: z.string().optional(),
});
type Values = z.output<typeof schema>;

function parse(env: Environment): Values {
  const result = schema.safeParse(givenVariables(env));
  if (result.success) {
    refuseLifetimes(result.data);
    return result.data;
  }
  const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  throw new ConfigError(
    `${lines.join('; ')}. Correct it in the environment or in .env; .env.example explains each one.`,
  );
}

/** What the command line says instead of the environment. */
export interface ConfigOverrides {
  readonly sample?: boolean;
  readonly sampleSizeKm?: number;
  readonly allLayers?: boolean;
}

/** Reads and checks the environment; `sample: false` overrides HEADWATER_SAMPLE, the others come from the command line alone. Throws `ConfigError` naming the variable. */
export function readConfig(env: Environment, overrides: ConfigOverrides = {}): Config {
  refuseMissingParts(env);
  const values = parse(env);
  return {
    dataDir: resolve(values.DATA_DIR),
    excelPath: excelPath(values),
    host: values.BACKEND_HOST,
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: values.CORS_ORIGINS,
    port: values.BACKEND_PORT,
    baseUrl: values.PUBLIC_BASE_URL ?? `http://localhost:${values.BACKEND_PORT}`,
    baseUrlIsGiven: values.PUBLIC_BASE_URL !== undefined,
    database: databaseConfig(values),
    logLevel: values.LOG_LEVEL,
    log: { format: values.LOG_FORMAT, fileBytes: values.LOG_FILE_MB * MB, files: values.LOG_FILES },
    serverLimits: serverLimits(values),
    userLimits: { openRuns: values.MAX_OPEN_RUNS_PER_USER, eventStreams: values.MAX_EVENT_STREAMS_PER_USER },
    workService: workService(values),
    apiKeyRequestsPerMinute: values.API_KEY_REQUESTS_PER_MINUTE,
    importMaxBytes: values.IMPORT_MAX_MB * MB,
    apiKeyRequestsPerDay: values.API_KEY_REQUESTS_PER_DAY,
    registration: values.REGISTRATION,
    activation: values.ACTIVATE_LOCATION,
    boundaryData: boundaryData(values),
    mail: mail(values),
    orchestrator: orchestrator(values),
    workflowAccess: values.DAG_API_ACCESS,
    ...catalogues(values),
    maxCloudCover: values.EO_MAX_CLOUD_COVER,
    jwtSecret: values.JWT_SECRET,
    accessTokenDays: values.ACCESS_TOKEN_DAYS,
    refreshTokenDays: values.REFRESH_TOKEN_DAYS,
    sessionDays: sessionDays(values),
    superuserPassword: values.SUPERUSER_PASSWORD,
    publication: publication(values),
    freeDisk: { warnBytes: values.FREE_DISK_WARN_MB * MB, failBytes: values.FREE_DISK_FAIL_MB * MB },
    replacedFilesHours: values.REPLACED_FILES_HOURS,
    runEventsDays: values.RUN_EVENTS_DAYS,
    runsDays: values.RUNS_DAYS,
    runLeaseSeconds: values.RUN_LEASE_SECONDS,
    worker: workerInProcess(values),
    sample: overrides.sample ?? values.HEADWATER_SAMPLE,
    sampleSizeKm: overrides.sampleSizeKm,
    allLayers: overrides.allLayers ?? false,
    threads: values.HEADWATER_THREADS,
    containerMarker: values.HEADWATER_CONTAINER_MARKER,
  };
}
