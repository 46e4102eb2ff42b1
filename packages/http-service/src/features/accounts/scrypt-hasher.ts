import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { PasswordHasher } from '@headwater/identity';
import { parseDjangoHash, verifyDjangoHash } from './django-hash.ts';

/** Setting for scrypt that OWASP recommends (32 MiB, about 0.2 s). */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const FORMAT = /^\$scrypt\$n=(\d{1,8}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22,86}={0,2})\$([\w+/]{43}=)$/;

/** Hashes passwords by scrypt. Verifies hashes of scrypt and of Django; `isOutdated` is true for those of Django. */
export function createScryptHasher(
  cost: { readonly N: number; readonly r: number; readonly p: number } = COST,
): PasswordHasher {
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await derive(password, salt, cost);
      return `$scrypt$n=${cost.N},r=${cost.r},p=${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`;
    },
    isOutdated: (hash) => parseDjangoHash(hash) !== undefined,
    async verify(password, hash) {
      const moved = parseDjangoHash(hash);
      if (moved !== undefined) return await verifyDjangoHash(password, moved);
      const [, n, r, p, salt = '', key = ''] = FORMAT.exec(hash) ?? [];
      if (n === undefined || r === undefined || p === undefined) return false;
      const expected = Buffer.from(key, 'base64');
      const derived = await derive(password, Buffer.from(salt, 'base64'), { N: Number(n), r: Number(r), p: Number(p) });
      return timingSafeEqual(expected, derived);
    },
  };
}

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  // Twice the required memory, because Node refuses scrypt at exactly the required memory.
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => {
      // If there is no error, Node passes null, but Bun passes undefined.
      if (error instanceof Error) reject(error);
      else resolve(key);
    });
  });
}
