import { pbkdf2, timingSafeEqual } from 'node:crypto';

/** Form of a Django hash: algorithm, iterations, salt, and the base64 of 32 bytes. */
const FORMAT = /^pbkdf2_sha256\$([1-9]\d{0,7})\$([^$\s]{1,128})\$([\w+/]{43}=)$/;
const KEY_BYTES = 32;

/**
 * Maximum number of iterations, about a second of work. Without a maximum, a hostile hash could block a thread. Django
 * 5.2 uses a million.
 */
export const MOST_ITERATIONS = 2_000_000;

interface DjangoHash {
  readonly iterations: number;
  readonly salt: string;
  readonly key: Buffer;
}

/** Parses a hash of Django (`pbkdf2_sha256$...`); undefined for other texts and too many iterations. */
export function parseDjangoHash(hash: string): DjangoHash | undefined {
  const [, iterations, salt, key] = FORMAT.exec(hash) ?? [];
  if (iterations === undefined || salt === undefined || key === undefined) return undefined;
  if (Number(iterations) > MOST_ITERATIONS) return undefined;
  return { iterations: Number(iterations), salt, key: Buffer.from(key, 'base64') };
}

/** Compares a password with a Django hash in constant time. The password is not normalised, as in Django. */
export function verifyDjangoHash(password: string, { iterations, salt, key }: DjangoHash): Promise<boolean> {
  return new Promise((resolve, reject) => {
    pbkdf2(password, salt, iterations, KEY_BYTES, 'sha256', (error, derived) => {
      if (error instanceof Error) reject(error);
      else resolve(timingSafeEqual(key, derived));
    });
  });
}
