import { DomainError, isDomainError } from '@headwater/core';
import { unknownOrganization } from '@headwater/identity';

/** Fields of a driver or network error that tell what happened. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly constraint: string;
}

/** SQLSTATEs and Node codes that mean "the database cannot serve now", with what to check. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [
    /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'check that it runs and that host and port are right',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name is not known: check its spelling and the name server'],
  [/^EACCES$/, 'this user may not enter the folder of its socket'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'its TLS certificate is for another host name: connect by a name that it has, or give it one that names this host',
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'its TLS certificate is not valid today: renew it there, or check the clocks'],
  [/_CERT|^CERT_|^UNABLE_TO_|^ERR_TLS_/, 'its TLS certificate is not trusted: give the certificate of its issuer'],
  [/^(EPROTO|ERR_SSL_)/, 'its TLS is not understood: check that it is PostgreSQL and speaks TLS 1.2 or newer'],
  [/^08/, 'check that it runs and that the network between is up'],
  [/^57P/, 'it is starting, stopping or was restarted: try again shortly'],
  [/^25P0[34]$/, 'it ends transactions that take too long: look at its timeouts for transactions'],
  [/^55P03$/, 'other transactions hold what this one needs: try again shortly'],
  [/^53300$/, 'it has no connection left: raise max_connections or lower the pool size'],
  [/^53200$/, 'it is out of memory'],
  [/^28/, 'it refuses this user: check the user name and the password'],
  [/^3D000$/, 'that database does not exist there: create it or check its name'],
  [/^42501$/, 'this user lacks a privilege there: grant it, or make it the owner of the schema "headwater"'],
  [/^25006$/, 'it is read-only (a standby?): connect to the primary'],
  [/^XX00[12]$/, 'its files are damaged: restore a backup'],
];

/** Failures whose code is that of another cause as well. */
const NO_ENCRYPTION: readonly [RegExp, string] = [/no encryption|SSL off/i, 'it wants TLS: switch TLS on here'];

/** The same for errors of node-postgres itself, which carry no code. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/client password must be/i, 'it wants a password: set one'],
  [/does not support SSL/i, 'it has no TLS: switch TLS on there, or off here'],
  [
    /connection terminated|terminating connection|timeout exceeded when trying to connect|query read timeout|not queryable|connection ended|client was closed|cannot use a pool after/i,
    'check that it runs and that host and port are right',
  ],
  [/connection pool of the database object has been destroyed/i, 'this process has closed it: the service is stopping'],
];

/** A statement that was ended: by its `statement_timeout`, or by an administrator. */
const CANCELED = '57014';
/** What a pool says when all its connections are taken for too long. */
const NO_FREE_CONNECTION = /timeout exceeded when trying to connect/i;

/** Foreign keys to organisations: where one was removed while somebody was put into it. */
const OF_ORGANIZATION = /_organization_id_fkey$/;

/** Seconds after which a transaction that met others too often may be sent again. */
const RETRY_AFTER_SECONDS = 1;

/** Error classes that a repeated transaction may cure: serialization failure and deadlock. */
export function isRetryable(error: unknown): boolean {
  return /^40(001|P01)$/.test(read(error).code);
}

/** SQLSTATE or Node code of an error; empty when it carries none. */
export function errorCode(error: unknown): string {
  return read(error).code;
}

/**
 * Turns a driver error into a domain value: unique -> `conflict`, what was removed meanwhile -> `conflict`, bad values -> `validation`, disk
 * full -> `storage_full`, ended by the database -> `took_too_long`, no connection -> `unavailable` with what to check, a conflict with other
 * transactions -> `unavailable` for a second. Anything else comes back as it was.
 * `place` names the database (without secrets). Words of the database about values are in the `cause` alone: callers read messages.
 */
export function toDomainError(error: unknown, place: string): unknown {
  if (isDomainError(error)) return error;
  const failure = read(error);
  const remedy = unavailableRemedy(failure);
  if (remedy !== undefined) {
    const reason = failure.code === '' ? failure.message : failure.code;
    return new DomainError('unavailable', `${place} does not answer (${reason}): ${remedy}`, { cause: error });
  }
  if (isRetryable(error)) {
    const message = `${place} gave up a transaction that met others too often (${failure.code}): try again shortly`;
    return new DomainError('unavailable', message, {
      details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
      cause: error,
    });
  }
  if (failure.code === CANCELED) {
    return new DomainError(
      'took_too_long',
      `${place} ended a statement that took longer than it may: ask for less at once`,
      {
        cause: error,
      },
    );
  }
  if (failure.code === '53100' || failure.code === 'ENOSPC') {
    return new DomainError('storage_full', `${place} has no disk space left: free some and try again`, {
      cause: error,
    });
  }
  if (failure.code === '23505') {
    return new DomainError('conflict', `A record with this identity exists already (${failure.constraint})`, {
      cause: error,
    });
  }
  if (failure.code === '23503') {
    if (OF_ORGANIZATION.test(failure.constraint)) return unknownOrganization();
    const message = 'What this belongs to was removed meanwhile; look again and try again';
    return new DomainError('conflict', message, { cause: error });
  }
  if (/^22|^54|^23/.test(failure.code)) {
    return new DomainError('validation', `The database cannot store a value (${failure.code})`, { cause: error });
  }
  return error;
}

/** The same for a search, which has a time of its own and few connections: who waited for one in vain came behind many others. */
export function toSearchError(error: unknown, place: string, timeoutMs: number): unknown {
  const { code, message } = read(error);
  const seconds = timeoutMs / 1000;
  if (code === CANCELED) {
    const text = `${place} ended a search after ${seconds} s: narrow it, or allow searches more time`;
    return new DomainError('took_too_long', text, { details: { seconds }, cause: error });
  }
  if (code === '' && NO_FREE_CONNECTION.test(message)) {
    const details = { retryAfterSeconds: Math.ceil(2 * seconds) };
    return new DomainError('unavailable', 'Too many searches are at work; try again shortly.', {
      details,
      cause: error,
    });
  }
  return toDomainError(error, place);
}

function unavailableRemedy({ code, message }: Failure): string | undefined {
  if (NO_ENCRYPTION[0].test(message)) return NO_ENCRYPTION[1];
  const [table, text] = code === '' ? [MESSAGES, message] : [CODES, code];
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

function read(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error), constraint: '' };
  // Node tries every address of a host name and wraps the failures.
  if (error instanceof AggregateError && error.errors.length > 0) return read(error.errors[0]);
  const text = (key: string): string => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' ? value : '';
  };
  return { code: text('code'), message: text('message'), constraint: text('constraint') };
}
