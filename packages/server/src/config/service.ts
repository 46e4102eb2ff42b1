import {
  type ActivationRule,
  backgroundProblem,
  type MapBackground,
  type PublicationOptions,
  SERVER_LIMITS,
  type ServerLimits,
  USER_LIMITS,
  type UserLimits,
} from '@headwater/http-service';
import type { RegistrationRule } from '@headwater/identity';
import { z } from 'zod';
import { LOG_FILES } from '../log-file.ts';
import type { MailConfig } from '../mail.ts';
import type { Refuse } from './config-error.ts';
import {
  address,
  httpUrl,
  list,
  mailAddress,
  publicUrl,
  secret,
  smtpUrl,
  superuserPassword,
  webAddress,
  whole,
} from './fields.ts';

const PROVIDERS =
  'expected a JSON list of organisations such as [{"name":"Institute","url":"https://institute.example.org/","roles":["licensor","host"]}]; ' +
  'roles are producer, licensor, processor and host';

const providerList = z
  .array(
    z.strictObject({
      name: z.string().trim().min(1),
      url: z.url({ protocol: /^https?$/ }).optional(),
      description: z.string().optional(),
      roles: z.array(z.enum(['producer', 'licensor', 'processor', 'host'])).optional(),
    }),
  )
  .min(1);

const providersText = z.string().transform((text, context) => {
  const result = providerList.safeParse(jsonOf(text));
  if (result.success) return result.data.map(withoutAbsent);
  context.addIssue({ code: 'custom', message: PROVIDERS });
  return z.NEVER;
});

const BACKGROUNDS =
  'expected a JSON list such as [{"name":"Streets","url":"https://tiles.example.org/{z}/{x}/{y}.png","attribution":"(c) the map makers"}]';

const backgroundsText = z.string().transform((text, context): readonly MapBackground[] => {
  const value = jsonOf(text);
  const problem = backgroundProblem(value);
  if (problem === undefined) return value as readonly MapBackground[];
  context.addIssue({ code: 'custom', message: Array.isArray(value) ? `the list${problem}` : BACKGROUNDS });
  return z.NEVER;
});

const licenseText = z
  .string()
  .regex(/^[A-Za-z0-9.+-]+$/, 'expected an SPDX identifier such as CC-BY-4.0, or the word other');

type Provider = Exclude<NonNullable<PublicationOptions['providers']>, string>[number];

function withoutAbsent({ name, url, description, roles }: z.infer<typeof providerList>[number]): Provider {
  return {
    name,
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(roles === undefined ? {} : { roles }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Origin: only scheme, host and port. */
const origin = z.string().check(({ value, issues }) => {
  const message = problemOf(value);
  if (message !== undefined) issues.push({ code: 'custom', input: value, message });
});

function problemOf(text: string): string | undefined {
  const shown = JSON.stringify(text.slice(0, 100));
  if (text.includes('*'))
    return `${shown} would let unknown pages send requests with the sessions of their visitors; list the allowed origins, such as https://maps.example.org,https://geo.example.org`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // "maps.example.org:8080" is also a valid URL, whose scheme is the host.
  if (url === undefined || !/^https?:$/.test(url.protocol)) return `${shown} is not an origin; ${remedyFor(text)}`;
  if (url.origin !== text)
    return `${shown} is not exactly an origin: expected origins without path, user and query, such as ${url.origin}`;
  return undefined;
}

function remedyFor(text: string): string {
  const withScheme = `https://${text}`;
  const isHost = /^[\w.:[\]-]+$/.test(text) && URL.canParse(withScheme) && text !== 'null';
  return isHost
    ? `write it with its scheme, ${new URL(withScheme).origin}`
    : 'expected origins such as https://maps.example.org';
}

const SECOND_MS = 1000;
const MB = 1_000_000;

/** Variables of the HTTP service: address, log, limits, accounts, mails, and texts of published layers. */
export const SERVICE_FIELDS = {
  BACKEND_PORT: whole(1, 65_535).default(8000),
  BACKEND_HOST: z.string().default('0.0.0.0'),
  MAPSERVER_PORT: whole(0, 65_535).default(8080),
  MAPSERVER_URL: httpUrl.optional(),
  MAPSERVER_USERNAME: z.string().optional(),
  MAPSERVER_PASSWORD: z.string().optional(),
  PUBLIC_BASE_URL: publicUrl.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'error'], { error: 'expected debug, info or error' }).default('info'),
  LOG_FORMAT: z.enum(['human', 'json'], { error: 'expected human or json' }).optional(),
  LOG_FILE_MB: whole(1, 10_000).default(LOG_FILES.fileBytes / MB),
  LOG_FILES: whole(1, 1000).default(LOG_FILES.files),
  TRUSTED_PROXIES: list(address),
  CORS_ORIGINS: list(origin),
  MAX_CONNECTIONS: whole(1, 1_000_000).default(SERVER_LIMITS.maxConnections),
  REQUEST_TIMEOUT_SECONDS: whole(1, 86_400).default(SERVER_LIMITS.requestTimeoutMs / SECOND_MS),
  STOP_DELAY_SECONDS: whole(0, 600).default(0),
  WRITE_TIMEOUT_SECONDS: whole(1, 86_400).default(SERVER_LIMITS.writeTimeoutMs / SECOND_MS),
  MAX_OPEN_RUNS_PER_USER: whole(1, 100_000).default(USER_LIMITS.openRuns),
  MAX_EVENT_STREAMS_PER_USER: whole(1, 100_000).default(USER_LIMITS.eventStreams),
  API_KEY_REQUESTS_PER_MINUTE: whole(1, 1_000_000).optional(),
  API_KEY_REQUESTS_PER_DAY: whole(1, 1_000_000_000).optional(),
  IMPORT_MAX_MB: whole(1, 100_000).default(1000),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailAddress.optional(),
  REGISTRATION: z.enum(['off', 'open'], { error: 'expected off or open' }).default('open'),
  ACTIVATE_LOCATION: z.enum(['superuser', 'anybody'], { error: 'expected superuser or anybody' }).default('superuser'),
  JWT_SECRET: secret.optional(),
  ACCESS_TOKEN_DAYS: whole(1, 3650).default(90),
  REFRESH_TOKEN_DAYS: whole(1, 3650).default(120),
  SESSION_DAYS: whole(1, 3650).optional(),
  AUDIT_DAYS: whole(0, 36_500).default(365),
  METRICS_TOKEN: z.string().min(16, 'expected at least 16 characters').optional(),
  METRICS_PORT: whole(0, 65_535).default(0),
  SUPERUSER_PASSWORD: superuserPassword.optional(),
  HEADWATER_TITLE: z.string().optional(),
  HEADWATER_LICENSE: licenseText.optional(),
  HEADWATER_LICENSE_URL: webAddress.optional(),
  HEADWATER_PROVIDERS: providersText.optional(),
  HEADWATER_ATTRIBUTION: z.string().optional(),
  MAP_BACKGROUNDS: backgroundsText.optional(),
  HEADWATER_CONTAINER_MARKER: z.string().optional(),
  PUBLIC_API_X_API_KEY: z.string().optional(),
} as const;

type Values = z.output<z.ZodObject<typeof SERVICE_FIELDS>>;

/** Format and files of the log. */
export interface LogConfig {
  /** Format of stdout; default: human on a terminal, otherwise json. */
  readonly format: 'human' | 'json' | undefined;
  /** Size in bytes at which a new file begins. */
  readonly fileBytes: number;
  /** Maximum number of log files. */
  readonly files: number;
}

/** Address, limits, accounts and texts of the service. */
export interface ServiceConfig {
  readonly host: string;
  readonly port: number;
  /** Second port, which serves only the map server; 0 = none. */
  readonly mapServerPort: number;
  /** GeoServer at which layers are published. Undefined: the service is its own map server. */
  readonly geoServer: { readonly url: string; readonly username: string; readonly password: string } | undefined;
  /** Public address without trailing slash. */
  readonly baseUrl: string;
  /** True if PUBLIC_BASE_URL is set. Otherwise other machines cannot reach `baseUrl`. */
  readonly baseUrlIsGiven: boolean;
  readonly logLevel: 'debug' | 'info' | 'error';
  readonly log: LogConfig;
  /** Proxies whose X-Forwarded-For gives the client's address. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may send requests with credentials, in addition to local origins. */
  readonly corsOrigins: readonly string[];
  readonly serverLimits: ServerLimits;
  /** Time for which a stopping server continues to respond, ms. Its readiness check fails during this time. */
  readonly stopDelayMs: number;
  readonly userLimits: UserLimits;
  /** Maximum requests a minute with one API key; undefined = no limit. */
  readonly apiKeyRequestsPerMinute: number | undefined;
  readonly apiKeyRequestsPerDay: number | undefined;
  readonly importMaxBytes: number;
  readonly registration: RegistrationRule;
  /** Accounts that may activate places. */
  readonly activation: ActivationRule;
  /** Mail server; undefined = no mails are sent. */
  readonly mail: MailConfig | undefined;
  readonly jwtSecret: string | undefined;
  readonly accessTokenDays: number;
  readonly refreshTokenDays: number;
  /** Longest duration of a session, also if it is refreshed. */
  readonly sessionDays: number;
  /** Days for which the audit log is kept; 0 = for ever. */
  readonly auditDays: number;
  /** Token for reading the metrics from other machines. Without it, only superusers may read them from there. */
  readonly metricsToken: string | undefined;
  /** Port of the metrics of a worker; 0 = none. */
  readonly metricsPort: number;
  readonly superuserPassword: string | undefined;
  readonly publication: PublicationOptions;
  /** Maps of other servers that can be shown below a layer. */
  readonly mapBackgrounds: readonly MapBackground[];
  /** File outside DATA_DIR. If it does not exist, this is the first start of the container. */
  readonly containerMarker: string | undefined;
  /** API key of `headwater smoke-test`; the service does not use it. */
  readonly publicApiKey: string | undefined;
}

/** Reads the settings of the service. */
export function serviceConfig(values: Values, refuse: Refuse): ServiceConfig {
  refuseLifetimes(values, refuse);
  return {
    host: values.BACKEND_HOST,
    port: values.BACKEND_PORT,
    mapServerPort: values.MAPSERVER_PORT,
    geoServer: geoServer(values),
    baseUrl: values.PUBLIC_BASE_URL ?? `http://localhost:${values.BACKEND_PORT}`,
    baseUrlIsGiven: values.PUBLIC_BASE_URL !== undefined,
    logLevel: values.LOG_LEVEL,
    log: { format: values.LOG_FORMAT, fileBytes: values.LOG_FILE_MB * MB, files: values.LOG_FILES },
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: values.CORS_ORIGINS,
    serverLimits: serverLimits(values),
    stopDelayMs: values.STOP_DELAY_SECONDS * SECOND_MS,
    userLimits: { openRuns: values.MAX_OPEN_RUNS_PER_USER, eventStreams: values.MAX_EVENT_STREAMS_PER_USER },
    apiKeyRequestsPerMinute: values.API_KEY_REQUESTS_PER_MINUTE,
    apiKeyRequestsPerDay: values.API_KEY_REQUESTS_PER_DAY,
    importMaxBytes: values.IMPORT_MAX_MB * MB,
    registration: values.REGISTRATION,
    activation: values.ACTIVATE_LOCATION,
    mail: mail(values, refuse),
    jwtSecret: values.JWT_SECRET,
    accessTokenDays: values.ACCESS_TOKEN_DAYS,
    refreshTokenDays: values.REFRESH_TOKEN_DAYS,
    sessionDays: sessionDays(values),
    auditDays: values.AUDIT_DAYS,
    metricsToken: values.METRICS_TOKEN,
    metricsPort: values.METRICS_PORT,
    superuserPassword: values.SUPERUSER_PASSWORD,
    publication: publication(values, refuse),
    mapBackgrounds: values.MAP_BACKGROUNDS ?? [],
    containerMarker: values.HEADWATER_CONTAINER_MARKER,
    publicApiKey: values.PUBLIC_API_X_API_KEY,
  };
}

/**
 * Reads the settings of the GeoServer. Undefined if address, user or password is missing, or if the address is
 * the service's own second port (MAPSERVER_PORT on this machine), where no GeoServer can be.
 */
function geoServer(values: Values): ServiceConfig['geoServer'] {
  const { MAPSERVER_URL: url, MAPSERVER_USERNAME: username, MAPSERVER_PASSWORD: password } = values;
  if (url === undefined || username === undefined || password === undefined) return undefined;
  const { hostname, port } = new URL(url);
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname) && port === String(values.MAPSERVER_PORT);
  return isOwn ? undefined : { url, username, password };
}

function serverLimits(values: Values): ServerLimits {
  return {
    ...SERVER_LIMITS,
    maxConnections: values.MAX_CONNECTIONS,
    requestTimeoutMs: values.REQUEST_TIMEOUT_SECONDS * SECOND_MS,
    writeTimeoutMs: values.WRITE_TIMEOUT_SECONDS * SECOND_MS,
  };
}

function mail({ SMTP_URL: url, MAIL_FROM: from = '' }: Values, refuse: Refuse): MailConfig | undefined {
  if (url === undefined) return undefined;
  if (from === '') refuse('MAIL_FROM: needed with SMTP_URL; set it to the sender address of mails.');
  return { url, from };
}

/** Metadata of what the server publishes. The default licence is CC BY. */
export const publicationOf = ({ publication }: Pick<ServiceConfig, 'publication'>): PublicationOptions => ({
  license: 'CC-BY-4.0',
  providers: 'service',
  ...publication,
});

function publication(values: Values, refuse: Refuse): PublicationOptions {
  const { HEADWATER_TITLE: title, HEADWATER_LICENSE: license, HEADWATER_LICENSE_URL: licenseUrl } = values;
  const { HEADWATER_PROVIDERS: providers, HEADWATER_ATTRIBUTION: attribution } = values;
  if (license === 'other' && licenseUrl === undefined)
    refuse('HEADWATER_LICENSE_URL: needed when HEADWATER_LICENSE is other; set it to the address of the licence text.');
  return {
    ...(title === undefined ? {} : { title }),
    ...(license === undefined ? {} : { license }),
    ...(licenseUrl === undefined ? {} : { licenseUrl }),
    ...(providers === undefined ? {} : { providers }),
    ...(attribution === undefined ? {} : { attribution }),
  };
}

/** Refuses a refresh token that expires before the access token, and a session that ends before the refresh token. */
function refuseLifetimes({ ACCESS_TOKEN_DAYS, REFRESH_TOKEN_DAYS, SESSION_DAYS }: Values, refuse: Refuse): void {
  if (REFRESH_TOKEN_DAYS < ACCESS_TOKEN_DAYS) {
    refuse(
      `REFRESH_TOKEN_DAYS: ${REFRESH_TOKEN_DAYS} is less than ACCESS_TOKEN_DAYS (${ACCESS_TOKEN_DAYS}); a refresh token must last at least as long.`,
    );
  }
  if (SESSION_DAYS !== undefined && SESSION_DAYS < REFRESH_TOKEN_DAYS) {
    refuse(
      `SESSION_DAYS: ${SESSION_DAYS} is less than REFRESH_TOKEN_DAYS (${REFRESH_TOKEN_DAYS}); lower REFRESH_TOKEN_DAYS too, or leave SESSION_DAYS out.`,
    );
  }
}

const SESSION_DAYS = 365;

/** Duration of a session in days, at least the duration of the refresh token. */
function sessionDays({ SESSION_DAYS: days, REFRESH_TOKEN_DAYS: refreshDays }: Values): number {
  return days ?? Math.max(SESSION_DAYS, refreshDays);
}
