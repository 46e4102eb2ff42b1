import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config.ts';

const MIN_BYTES = 32;

async function createKey(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(48).toString('base64url'));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The key that signs tokens: the given one, else `DATA_DIR/secrets/jwt.key` (made once, mode 0600). At least 32 bytes. */
export async function signingKey(dataDir: string, given: string | undefined): Promise<Uint8Array> {
  if (given !== undefined) return new TextEncoder().encode(given);
  const folder = join(dataDir, 'secrets');
  const path = join(folder, 'jwt.key');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await createKey(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await chmod(path, 0o600);
  const text = (await readFile(path, 'utf8')).trim();
  if (text.length < MIN_BYTES) {
    throw new ConfigError(
      `${path} holds fewer than ${MIN_BYTES} characters. Delete it to have a new key made; every token then ends.`,
    );
  }
  return new TextEncoder().encode(text);
}
