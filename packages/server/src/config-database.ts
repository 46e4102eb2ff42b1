import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';

/** Connection to PostgreSQL. */
export interface DatabaseConfig {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Longest run of one statement of a search. */
  readonly searchTimeoutMs: number;
  /** Absent = not encrypted. */
  readonly tls?: DatabaseTls;
}

/** How the connection to PostgreSQL is encrypted. */
export interface DatabaseTls {
  /** Whether the server has to prove who it is. */
  readonly verify: boolean;
  /** Absolute path of the certificates that may have signed its own; absent = those that Node trusts. */
  readonly caFile?: string;
}

/** The variables of the connection, each as it was read. */
interface DatabaseVariables {
  readonly DB_HOST?: string | undefined;
  readonly DB_PORT: number;
  readonly DB_NAME?: string | undefined;
  readonly DB_USER?: string | undefined;
  readonly DB_PASSWORD?: string | undefined;
  readonly DB_SSL: 'disable' | 'require' | 'verify-full';
  readonly DB_SSL_CA?: string | undefined;
  readonly SEARCH_TIMEOUT_SECONDS: number;
}

const SECOND_MS = 1000;

/** The connection that these variables describe; undefined where they name no server. Throws `ConfigError`. */
export function databaseConfig(values: DatabaseVariables): DatabaseConfig | undefined {
  const { DB_HOST: host, DB_PORT: port, DB_NAME: name, DB_USER: user, DB_PASSWORD: password } = values;
  if (host === undefined) return undefined;
  if (name === undefined) throw new ConfigError('DB_NAME: needed when DB_HOST is set; name the database to use.');
  if (user === undefined) throw new ConfigError('DB_USER: needed when DB_HOST is set; name the role to connect as.');
  const tls = databaseTls(values);
  const address = { host, port, database: name, user, password: password ?? '' };
  const searchTimeoutMs = values.SEARCH_TIMEOUT_SECONDS * SECOND_MS;
  return { ...address, searchTimeoutMs, ...(tls === undefined ? {} : { tls }) };
}

function databaseTls({ DB_SSL: mode, DB_SSL_CA: caFile }: DatabaseVariables): DatabaseTls | undefined {
  if (caFile !== undefined && mode !== 'verify-full')
    throw new ConfigError(
      `DB_SSL_CA: is looked at only with DB_SSL=verify-full, but DB_SSL is ${mode}. Set DB_SSL to verify-full, or unset DB_SSL_CA.`,
    );
  if (mode === 'disable') return undefined;
  return { verify: mode === 'verify-full', ...(caFile === undefined ? {} : { caFile: resolve(caFile) }) };
}
