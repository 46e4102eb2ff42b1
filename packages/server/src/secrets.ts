import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InstallationStore } from '@headwater/core/ports';
import { ConfigError } from './config/read-config.ts';

const MIN_BYTES = 32;

async function createKey(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(newKey());
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Sources of the signing key; `configured` has precedence. */
export interface KeySources {
  readonly configured: string | undefined;
  readonly dataDir: string;
  /** Texts that servers share in a database. Absent with the embedded database. */
  readonly installation?: Pick<InstallationStore, 'getOrCreate'>;
}

/**
 * Returns the signing key: configured, from the shared database, or from `DATA_DIR/secrets/jwt.key` (created with mode
 * 0600).
 */
export async function signingKey({ configured, dataDir, installation }: KeySources): Promise<Uint8Array> {
  const path = keyPath(dataDir);
  const text =
    configured ??
    (installation === undefined
      ? await keyOfFile(path)
      : await installation.getOrCreate('signing key', (await knownKey(path)) ?? newKey()));
  return new TextEncoder().encode(text);
}

/** Returns the key that a start would use, but stores nothing. If a start would create a key, returns a random key. */
export async function presentKey({
  configured,
  dataDir,
  installation,
}: Omit<KeySources, 'installation'> & {
  readonly installation?: Pick<InstallationStore, 'read'>;
}): Promise<Uint8Array> {
  const stored = configured ?? (await installation?.read('signing key')) ?? (await knownKey(keyPath(dataDir)));
  return new TextEncoder().encode(stored ?? newKey());
}

const keyPath = (dataDir: string): string => join(dataDir, 'secrets', 'jwt.key');

const newKey = (): string => randomBytes(48).toString('base64url');

async function keyOfFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await createKey(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await chmod(path, 0o600);
  return checkedKey(path, await readFile(path, 'utf8'));
}

/** Throws `ConfigError` if the key file in `dataDir` contains a key that a start would refuse. */
export async function checkSigningKey(dataDir: string): Promise<void> {
  await knownKey(keyPath(dataDir));
}

async function knownKey(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return undefined;
  });
  return text === undefined ? undefined : checkedKey(path, text);
}

function checkedKey(path: string, text: string): string {
  const key = text.trim();
  if (key.length >= MIN_BYTES) return key;
  throw new ConfigError(
    `${path} contains fewer than ${MIN_BYTES} characters. Delete the file to get a new key; all tokens then become invalid.`,
  );
}
