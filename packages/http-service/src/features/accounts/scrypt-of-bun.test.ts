import type * as Crypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createScryptHasher } from './scrypt-hasher.ts';

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>();
  const scrypt = (...[password, salt, length, options, answer]: Parameters<typeof crypto.scrypt>): void =>
    crypto.scrypt(password, salt, length, options, (error, key) =>
      Reflect.apply(answer, undefined, [error ?? undefined, key]),
    );
  return { ...crypto, scrypt };
});

test('passwords are hashed and verified if scrypt calls back with undefined instead of null as the error, as on Bun', async () => {
  const hasher = createScryptHasher({ N: 1024, r: 8, p: 1 });
  expect(await hasher.verify('secret words', await hasher.hash('secret words'))).toBe(true);
});
