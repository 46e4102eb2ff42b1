import { expect, test, vi } from 'vitest';
import { createScryptHasher } from './scrypt-hasher.ts';

// Bun's `scrypt` calls back with undefined instead of null if there is no error.
vi.mock(import('node:crypto'), async (original) => {
  const crypto = await original();
  const scrypt = (...given: Parameters<typeof crypto.scrypt>): void => {
    const [password, salt, length, options, callback] = given;
    crypto.scrypt(password, salt, length, options, (error, key) =>
      Reflect.apply(callback, undefined, [error ?? undefined, key]),
    );
  };
  return { ...crypto, scrypt: Object.assign(scrypt, crypto.scrypt) };
});

test('passwords are hashed and verified on Bun', async () => {
  const hasher = createScryptHasher({ N: 1024, r: 8, p: 1 });
  expect(await hasher.verify('secret words', await hasher.hash('secret words'))).toBe(true);
});
