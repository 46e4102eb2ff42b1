import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DomainError, errorCode, isDomainError } from '@headwater/core';
import type { Connection } from '@headwater/postgres';
import { ConfigError } from './config/config-error.ts';
import type { DatabaseConfig } from './config/storage.ts';

/** How to connect, for everything that does. Throws `ConfigError` naming DB_SSL_CA where its file has no certificate. */
export async function connectionTo({ tls, ...address }: Omit<DatabaseConfig, 'searchTimeoutMs'>): Promise<Connection> {
  if (tls === undefined) return address;
  if (!tls.verify) return { ...address, ssl: { rejectUnauthorized: false } };
  const ca = tls.caFile === undefined ? {} : { ca: await certificates(tls.caFile) };
  return { ...address, ssl: { rejectUnauthorized: true, ...ca } };
}

async function certificates(path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    const reason = errorCode(error) ?? String(error);
    throw new ConfigError(
      `DB_SSL_CA: ${path} cannot be read (${reason}); give the path of a file that this user may read.`,
    );
  });
  // Node ignores what is no certificate, and the connection then fails for a reason that says nothing of this file.
  if (!isCertificate(pem))
    throw new ConfigError(
      `DB_SSL_CA: ${path} holds no certificate; give a file in PEM form (-----BEGIN CERTIFICATE-----).`,
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

/** What to set where TLS is the trouble, by what the database's error says of it. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/certificate is not trusted/, 'Set DB_SSL_CA to a file with it, beside DB_SSL=verify-full.'],
  [/certificate is for another host name/, 'Set DB_HOST to a name that the certificate has.'],
  [/it requires TLS/, 'Set DB_SSL to verify-full, with DB_SSL_CA where its issuer is your own; require checks nobody.'],
  [/it has no TLS/, 'Set DB_SSL to disable only where nobody can read along between here and there.'],
];

/** Rejects with the same error, with the setting that mends it where TLS is the trouble. */
export function explainTls(error: unknown): never {
  const remedy = isDomainError(error) ? REMEDIES.find(([pattern]) => pattern.test(error.message))?.[1] : undefined;
  if (remedy === undefined || !isDomainError(error)) throw error;
  throw new DomainError(error.code, `${error.message}. ${remedy}`, { cause: error });
}
