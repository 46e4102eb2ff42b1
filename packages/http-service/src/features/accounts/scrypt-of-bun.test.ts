import { expect, test, vi } from 'vitest';
import { createScryptHasher } from './scrypt-hasher.ts';

// Bun's `scrypt` calls back with undefined instead of null if there is no error.
vi.mock(import('node:crypto'), async (original) => {
  const crypto = await original();
  const scrypt: typeof crypto.scrypt = (password, salt, length, options, callback) => {
    const given = typeof options === 'function' ? {} : options;
    const answer = (typeof options === 'function' ? options : callback) as (error: unknown, key: Buffer) => void;
    crypto.scrypt(password, salt, length, given, (error, key) => answer(error ?? undefined, key));
  };
  return { ...crypto, scrypt };
});

test('passwords are hashed and verified on Bun', async () => {
  const hasher = createScryptHasher({ N: 1024, r: 8, p: 1 });
  expect(await hasher.verify('secret words', await hasher.hash('secret words'))).toBe(true);
});
