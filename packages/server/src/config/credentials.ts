import { readFile, stat } from 'node:fs/promises';
import { type EoAccountStore, errorCode } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { ConfigError } from './config-error.ts';
import type { StorageConfig } from './storage.ts';

const MOUNT = 'Mount the file and set GOOGLE_APPLICATION_CREDENTIALS to its path';
const BUCKET = 'STORAGE_BUCKET_NAME';
const FOR_BUCKET = `This file is the key of the bucket in ${BUCKET}.`;

/**
 * Checks the credentials file. Returns undefined for a usable file, or if none is set. If the file is unusable:
 * throws `ConfigError` if a bucket or an active account needs it, otherwise returns a warning.
 */
export async function checkCredentials(
  { credentials }: Pick<StorageConfig, 'credentials'>,
  eoAccounts: Pick<EoAccountStore, 'list'>,
): Promise<string | undefined> {
  if (credentials === undefined) return undefined;
  const problem = await problemOf(credentials.path);
  if (problem === undefined) return undefined;
  const text = `GOOGLE_APPLICATION_CREDENTIALS: ${credentials.path} ${problem}`;
  const account = await needingAccount(eoAccounts);
  if (account !== undefined)
    throw new ConfigError(`${text}, but ${account} needs this file. ${MOUNT}, or unset the variable.`);
  if (credentials.bucket !== undefined) throw new ConfigError(`${text}. ${FOR_BUCKET} ${MOUNT}, or unset ${BUCKET}.`);
  return `${text}. ${MOUNT}, or unset the variable.`;
}

async function needingAccount(eoAccounts: Pick<EoAccountStore, 'list'>): Promise<string | undefined> {
  const account = (await eoAccounts.list()).find(
    ({ platform, isActive, hasKey }) => platform !== 'local' && isActive && !hasKey,
  );
  return account === undefined ? undefined : `account ${account.id} (${account.name}) of ${account.platform}`;
}

/** Members that the file of a service account must have. */
const MEMBERS = ['client_email', 'private_key'];

const MOST_BYTES = 65_536;

/** Content of a credentials file: any JSON, or why it cannot be read. `code`: error code of the system, or a reason. */
export type CredentialsFile =
  | { readonly kind: 'read'; readonly content: unknown }
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'huge' }
  | { readonly kind: 'noJson' };

/** Reads a credentials file of a limited size. Never rejects. */
export async function readCredentials(path: string): Promise<CredentialsFile> {
  try {
    const file = await stat(path);
    // A device or a pipe may never end, so only regular files are read.
    if (!file.isFile()) return { kind: 'unreadable', code: file.isDirectory() ? 'EISDIR' : 'it is not a regular file' };
    if (file.size > MOST_BYTES) return { kind: 'huge' };
    return { kind: 'read', content: JSON.parse(await readFile(path, 'utf8')) };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'noJson' };
    return { kind: 'unreadable', code: errorCode(error) ?? 'unknown' };
  }
}

/**
 * Problem of the file as the end of a sentence; undefined for a usable file. Contains no part of the file, because it
 * is a secret.
 */
async function problemOf(path: string): Promise<string | undefined> {
  const file = await readCredentials(path);
  if (file.kind === 'noJson') return 'is not valid JSON';
  if (file.kind === 'huge') return `is not a credentials file (larger than ${MOST_BYTES} bytes)`;
  if (file.kind === 'unreadable') return `cannot be read (${file.code})`;
  const { content } = file;
  if (!isObject(content) || typeof content['type'] !== 'string') return 'is not a credentials file (no "type")';
  const missing = content['type'] === 'service_account' ? MEMBERS.filter((name) => !isText(content[name])) : [];
  return missing.length === 0 ? undefined : `is not complete (no ${missing.join(', no ')})`;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
