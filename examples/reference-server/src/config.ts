import { resolve } from 'node:path';
import { passwordProblems } from '@headwater/core';
import type { PublicationOptions } from '@headwater/http-service';
import { z } from 'zod';
import { licenseText, providersText } from './publication.ts';
import { VARIABLES } from './variables.ts';

/** A variable that is set wrongly: `message` names it, says what is wrong and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Connection to PostgreSQL. */
export interface DatabaseConfig {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

/** Everything that the reference server takes from its environment. */
export interface Config {
  /** Absolute path. */
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Public address without trailing slash. */
  readonly baseUrl: string;
  /** Absent = embedded database under `dataDir`. */
  readonly database: DatabaseConfig | undefined;
  readonly logLevel: 'debug' | 'info' | 'error';
  /** Proxies whose X-Forwarded-For tells the client's address. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call with credentials, beside local ones. */
  readonly corsOrigins: readonly string[];
  readonly eoStacApi: { readonly url: string; readonly collection: string } | undefined;
  /** Scenes with more cloud than this (percent, `eo:cloud_cover`) are not read. */
  readonly maxCloudCover: number;
  readonly jwtSecret: string | undefined;
  readonly accessTokenDays: number;
  readonly refreshTokenDays: number;
  readonly superuserPassword: string | undefined;
  /** What is said of published layers; absent members have the service's defaults. */
  readonly publication: PublicationOptions;
  /** How long files of replaced Items stay. */
  readonly replacedFilesHours: number;
  readonly sample: boolean;
  /** Side of the sample in km; undefined = that of the one which is there, or the smallest. */
  readonly sampleSizeKm: number | undefined;
  readonly threads: number | undefined;
  /** File outside DATA_DIR whose absence means "first start of this container". */
  readonly containerMarker: string | undefined;
}

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `expected at least ${min}`).max(max, `expected at most ${max}`));
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an address that starts with http:// or https://' })
  .transform((url) => url.replace(/\/+$/, ''));
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'expected addresses or ranges such as 10.0.0.1,10.1.0.0/16',
});
const origin = z
  .url({ protocol: /^https?$/, error: 'expected origins such as https://maps.example.org' })
  .refine((text) => new URL(text).origin === text, 'expected origins without path, such as https://maps.example.org');
/** Comma-separated texts; not set = none. */
const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item))
    .default([]);
/** Ends up in every link that is handed out: a query would break them, a password in it would be told to everybody. */
const publicUrl = httpUrl.refine((text) => {
  const { search, hash, username, password } = new URL(text);
  return `${search}${hash}${username}${password}` === '';
}, 'expected scheme, host and path only, such as https://example.org/geo');
/** The superuser's name is drawn at the first start; any such name is as near to a password as this one. */
const SUPERUSER = { username: 'test_user_0000' };
const onOff = z
  .enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'expected on or off' })
  .transform((text) => text === 'on' || text === 'true' || text === '1');

const schema = z.object({
  DATA_DIR: z
    .string()
    .refine(
      (path) => !path.startsWith('~'),
      "~ is a shell's word for the home folder and is not read here; give the whole path",
    )
    .default('data'),
  BACKEND_PORT: whole(1, 65_535).default(8000),
  BACKEND_HOST: z.string().default('0.0.0.0'),
  PUBLIC_BASE_URL: publicUrl.optional(),
  DB_HOST: z.string().optional(),
  DB_PORT: whole(1, 65_535).default(5432),
  DB_NAME: z.string().optional(),
  DB_USER: z.string().optional(),
  DB_PASSWORD: z.string().optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'error'], { error: 'expected debug, info or error' }).default('info'),
  TRUSTED_PROXIES: list(address),
  CORS_ORIGINS: list(origin),
  EO_STAC_API_URL: httpUrl.optional(),
  EO_STAC_COLLECTION: z.string().default('sentinel-2-l2a'),
  EO_MAX_CLOUD_COVER: whole(0, 100).default(90),
  JWT_SECRET: z
    .string()
    .min(32, 'expected at least 32 characters')
    .refine((text) => new Set(text).size > 1, 'expected random text, not one character again and again')
    .optional(),
  ACCESS_TOKEN_DAYS: whole(1, 3650).default(90),
  REFRESH_TOKEN_DAYS: whole(1, 3650).default(120),
  SUPERUSER_PASSWORD: z
    .string()
    .check(({ value, issues }) => {
      for (const { message } of passwordProblems(value, SUPERUSER))
        issues.push({ code: 'custom', input: value, message });
    })
    .optional(),
  HEADWATER_TITLE: z.string().optional(),
  HEADWATER_LICENSE: licenseText.optional(),
  HEADWATER_LICENSE_URL: z
    .url({ protocol: /^https?$/, error: 'expected an address that starts with http:// or https://' })
    .optional(),
  HEADWATER_PROVIDERS: providersText.optional(),
  HEADWATER_ATTRIBUTION: z.string().optional(),
  REPLACED_FILES_HOURS: whole(0, 87_600).default(24),
  HEADWATER_SAMPLE: onOff.default(true),
  HEADWATER_THREADS: whole(1, 64).optional(),
  HEADWATER_CONTAINER_MARKER: z.string().optional(),
});
type Values = z.output<typeof schema>;

/** Variables as given; an empty text counts as not set. */
type Environment = Readonly<Record<string, string | undefined>>;

function refuseMissingParts(env: Environment): void {
  for (const { name, use, part } of VARIABLES) {
    const value = env[name];
    if (use === 'not-yet' && value !== undefined && value !== '') {
      throw new ConfigError(
        `${name} is set, but ${part ?? 'its part'} is not in this version. Unset ${name} to start.`,
      );
    }
  }
}

function parse(env: Environment): Values {
  const given = Object.fromEntries(
    VARIABLES.filter((variable) => variable.use === 'read')
      .map(({ name }) => [name, env[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (result.success) {
    const { ACCESS_TOKEN_DAYS, REFRESH_TOKEN_DAYS } = result.data;
    if (REFRESH_TOKEN_DAYS >= ACCESS_TOKEN_DAYS) return result.data;
    throw new ConfigError(
      `REFRESH_TOKEN_DAYS: ${REFRESH_TOKEN_DAYS} is less than ACCESS_TOKEN_DAYS (${ACCESS_TOKEN_DAYS}); a refresh token must live at least as long.`,
    );
  }
  const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(
    `${lines.join('; ')}. Correct it in the environment or in .env; .env.example explains each one.`,
  );
}

function database(values: Values): DatabaseConfig | undefined {
  const { DB_HOST: host, DB_PORT: port, DB_NAME: name, DB_USER: user, DB_PASSWORD: password } = values;
  if (host === undefined) return undefined;
  if (name === undefined) throw new ConfigError('DB_NAME: needed when DB_HOST is set; name the database to use.');
  if (user === undefined) throw new ConfigError('DB_USER: needed when DB_HOST is set; name the role to connect as.');
  return { host, port, database: name, user, password: password ?? '' };
}

function publication(values: Values): PublicationOptions {
  const { HEADWATER_TITLE: title, HEADWATER_LICENSE: license, HEADWATER_LICENSE_URL: licenseUrl } = values;
  const { HEADWATER_PROVIDERS: providers, HEADWATER_ATTRIBUTION: attribution } = values;
  if (license === 'other' && licenseUrl === undefined)
    throw new ConfigError(
      'HEADWATER_LICENSE_URL: needed when HEADWATER_LICENSE is other; give the address of its text.',
    );
  return {
    ...(title === undefined ? {} : { title }),
    ...(license === undefined ? {} : { license }),
    ...(licenseUrl === undefined ? {} : { licenseUrl }),
    ...(providers === undefined ? {} : { providers }),
    ...(attribution === undefined ? {} : { attribution }),
  };
}

/** What the command line says instead of the environment. */
export interface ConfigOverrides {
  readonly sample?: boolean;
  readonly sampleSizeKm?: number;
}

/** Reads and checks the environment; `sample: false` overrides HEADWATER_SAMPLE, `sampleSizeKm` comes from the command line. Throws `ConfigError` naming the variable. */
export function readConfig(env: Environment, overrides: ConfigOverrides = {}): Config {
  refuseMissingParts(env);
  const values = parse(env);
  return {
    dataDir: resolve(values.DATA_DIR),
    host: values.BACKEND_HOST,
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: values.CORS_ORIGINS,
    port: values.BACKEND_PORT,
    baseUrl: values.PUBLIC_BASE_URL ?? `http://localhost:${values.BACKEND_PORT}`,
    database: database(values),
    logLevel: values.LOG_LEVEL,
    eoStacApi:
      values.EO_STAC_API_URL === undefined
        ? undefined
        : { url: values.EO_STAC_API_URL, collection: values.EO_STAC_COLLECTION },
    maxCloudCover: values.EO_MAX_CLOUD_COVER,
    jwtSecret: values.JWT_SECRET,
    accessTokenDays: values.ACCESS_TOKEN_DAYS,
    refreshTokenDays: values.REFRESH_TOKEN_DAYS,
    superuserPassword: values.SUPERUSER_PASSWORD,
    publication: publication(values),
    replacedFilesHours: values.REPLACED_FILES_HOURS,
    sample: overrides.sample ?? values.HEADWATER_SAMPLE,
    sampleSizeKm: overrides.sampleSizeKm,
    threads: values.HEADWATER_THREADS,
    containerMarker: values.HEADWATER_CONTAINER_MARKER,
  };
}
