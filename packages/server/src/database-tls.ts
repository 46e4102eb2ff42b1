import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DomainError, errorCode, isDomainError } from '@headwater/core';
import type { Connection } from '@headwater/postgres';
import { ConfigError } from './config/config-error.ts';
import type { DatabaseConfig } from './config/storage.ts';

/** Connection settings with TLS. Throws `ConfigError` with DB_SSL_CA if its file has no certificate. */
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
  // Node ignores a file without certificates, and the connection then fails with an error that does not mention the file.
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

/** Settings that fix TLS problems, by the text of the database's error. */
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

/** Rejects with the same error, plus the setting that fixes a TLS problem. */
export function explainTls(error: unknown): never {
  const remedy = isDomainError(error) ? REMEDIES.find(([pattern]) => pattern.test(error.message))?.[1] : undefined;
  if (remedy === undefined || !isDomainError(error)) throw error;
  throw new DomainError(error.code, `${error.message}. ${remedy}`, { cause: error });
}
