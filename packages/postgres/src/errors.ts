import { DomainError, isDomainError } from '@headwater/core';
import { unknownOrganization } from '@headwater/identity';

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly constraint: string;
}

/** Pattern of a failure, and its remedy. `silent`: the database does not respond; otherwise it cannot be used. */
type Rule = readonly [pattern: RegExp, remedy: string, state?: 'silent'];

/** SQLSTATEs and Node codes of an unavailable or unusable database. */
const CODES: readonly Rule[] = [
  [
    /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'check that it runs and that host and port are right',
    'silent',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name is unknown: check its spelling and the name server', 'silent'],
  [/^EACCES$/, 'this user has no permission for the folder of its socket: grant it'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'its TLS certificate is for another host name: connect with a host name of the certificate, or install one for this host',
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    'its TLS certificate has expired or is not valid yet: renew it there, or check the clocks',
  ],
  [/_CERT|^CERT_|^UNABLE_TO_|^ERR_TLS_/, 'its TLS certificate is not trusted: configure the certificate of its issuer'],
  [/^(EPROTO|ERR_SSL_)/, 'the TLS handshake failed: check that it is PostgreSQL with TLS 1.2 or newer'],
  [/^08/, 'check that it runs and that the network works', 'silent'],
  [/^57P/, 'it is starting, stopping or was restarted: retry shortly'],
  [/^25P0[34]$/, 'it ends long transactions: check its timeouts for transactions'],
  [/^55P03$/, 'other transactions hold the locks that this one needs: retry shortly'],
  [/^53300$/, 'it has no connection left: raise max_connections or lower the pool size'],
  [/^53200$/, 'it is out of memory: free memory on its machine, then retry'],
  [/^28/, 'it refuses this user: check the user name and the password'],
  [/^3D000$/, 'that database does not exist there: create it or check its name'],
  [/^42501$/, 'this user lacks a privilege there: grant it, or make it the owner of the schema of this service'],
  [/^25006$/, 'it is read-only (a standby?): connect to the primary'],
  [/^XX00[12]$/, 'its files are damaged: restore a backup'],
];

/**
 * Message of a server that requires TLS, with the remedy. The message is tested, because other failures have the same
 * code.
 */
const NO_ENCRYPTION: Rule = [/no encryption|SSL off/i, 'it requires TLS: enable TLS here'];

const MESSAGES: readonly Rule[] = [
  [/client password must be/i, 'it requires a password: set one'],
  [/does not support SSL/i, 'it has no TLS: enable TLS there, or disable it here'],
  [
    /connection terminated|terminating connection|timeout exceeded when trying to connect|query read timeout|not queryable|connection ended|client was closed|cannot use a pool after/i,
    'check that it runs and that host and port are right',
    'silent',
  ],
  [/connection pool of the database object has been destroyed/i, 'this process has closed it: the service is stopping'],
];

/** SQLSTATE of a statement that its `statement_timeout` or an administrator ended. */
const CANCELED = '57014';
const NO_FREE_CONNECTION = /timeout exceeded when trying to connect/i;

/** Foreign keys to organisations. A write violates such a key if the organisation is removed at the same time. */
const ORGANIZATION_KEY = /_organization_id_fkey$/;

const RETRY_AFTER_SECONDS = 1;

/** True for a serialization failure or a deadlock, after which a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  return /^40(001|P01)$/.test(read(error).code);
}

/** SQLSTATE or Node code of an error; empty for an error without a code. */
export function errorCode(error: unknown): string {
  return read(error).code;
}

/**
 * Converts a driver error to a domain error; returns other errors unchanged. `place` describes the database without
 * secrets.
 * Unique key or removed parent: `conflict`; invalid values: `validation`; disk full: `storage_full`; statement ended by
 * the database: `took_too_long`; no connection or too many conflicts: `unavailable`.
 * The database's message is only in `cause`, because it may contain values.
 */
export function toDomainError(error: unknown, place: string): unknown {
  if (isDomainError(error)) return error;
  const failure = read(error);
  const rule = unavailableRule(failure);
  if (rule !== undefined) {
    const [, remedy, state] = rule;
    const reason = failure.code === '' ? failure.message : failure.code;
    const what = state === 'silent' ? 'does not respond' : 'cannot be used';
    return new DomainError('unavailable', `${place} ${what} (${reason}): ${remedy}`, { cause: error });
  }
  if (isRetryable(error)) {
    const message = `${place} ended a transaction after too many conflicts with others (${failure.code}): retry shortly`;
    return new DomainError('unavailable', message, {
      details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
      cause: error,
    });
  }
  if (failure.code === CANCELED) {
    return new DomainError(
      'took_too_long',
      `${place} ended a statement that exceeded its time limit: request less data in one request`,
      {
        cause: error,
      },
    );
  }
  if (failure.code === '53100' || failure.code === 'ENOSPC') {
    return new DomainError('storage_full', `${place} has no disk space left: free some disk space and retry`, {
      cause: error,
    });
  }
  if (failure.code === '23505') {
    return new DomainError(
      'conflict',
      `A record with this identity already exists (${failure.constraint}); use another name or id, or change the existing record`,
      {
        cause: error,
      },
    );
  }
  if (failure.code === '23503') {
    if (ORGANIZATION_KEY.test(failure.constraint)) return unknownOrganization();
    const message = 'The record to which these data belong was removed in the meantime; reload and retry';
    return new DomainError('conflict', message, { cause: error });
  }
  if (/^22|^54|^23/.test(failure.code)) {
    return new DomainError(
      'validation',
      `The database cannot store a value (PostgreSQL code ${failure.code}); ${remedyOf(failure.code)}`,
      { cause: error },
    );
  }
  return error;
}

/** Remedy for a value that PostgreSQL refuses, by its error code (Appendix A of its manual). */
function remedyOf(code: string): string {
  if (code === '22001' || code.startsWith('54')) return 'shorten it';
  if (code === '22003') return 'use a number in the range of its column';
  if (code === '22007' || code === '22008') return 'correct the date or time';
  if (code === '23502') return 'give the missing value';
  return 'correct the value';
}

/** Converts an error of a search, which has its own time limit and few connections. */
export function toSearchError(error: unknown, place: string, timeoutMs: number): unknown {
  const { code, message } = read(error);
  const seconds = timeoutMs / 1000;
  if (code === CANCELED) {
    const text = `${place} ended a search after ${seconds} s: narrow the search, or allow searches more time`;
    return new DomainError('took_too_long', text, { details: { seconds }, cause: error });
  }
  if (code === '' && NO_FREE_CONNECTION.test(message)) {
    const details = { retryAfterSeconds: Math.ceil(2 * seconds) };
    return new DomainError('unavailable', 'Too many searches are running; retry shortly.', {
      details,
      cause: error,
    });
  }
  return toDomainError(error, place);
}

function unavailableRule({ code, message }: Failure): Rule | undefined {
  if (NO_ENCRYPTION[0].test(message)) return NO_ENCRYPTION;
  const [table, text] = code === '' ? [MESSAGES, message] : [CODES, code];
  return table.find(([pattern]) => pattern.test(text));
}

function read(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error), constraint: '' };
  // Node tries every address of a host name and wraps the errors; the first one is read.
  if (error instanceof AggregateError && error.errors.length > 0) return read(error.errors[0]);
  const text = (key: string): string => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' ? value : '';
  };
  return { code: text('code'), message: text('message'), constraint: text('constraint') };
}
