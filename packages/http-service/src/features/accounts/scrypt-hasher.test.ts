import { expect, test } from 'vitest';
import { createScryptHasher } from './scrypt-hasher.ts';

const cheap = createScryptHasher({ N: 1024, r: 8, p: 1 });

test('a password verifies only against its own hash, and salts differ', async () => {
  const [one, two] = await Promise.all([cheap.hash('pässword'), cheap.hash('pässword')]);
  expect(one).not.toBe(two);
  expect(await cheap.verify('pässword', one)).toBe(true);
  expect(await cheap.verify('password', one)).toBe(false);
  // A person who types a password cannot see the difference between composed and decomposed letters.
  expect(await cheap.verify('pa\u0308ssword', two)).toBe(true);
});

test('a hash contains its cost, so hashes of another cost stay valid', async () => {
  const hash = await cheap.hash('secret words');
  expect(hash).toMatch(/^\$scrypt\$n=1024,r=8,p=1\$/);
  expect(await createScryptHasher({ N: 2048, r: 8, p: 1 }).verify('secret words', hash)).toBe(true);
});

test('a text that is not a hash verifies nothing', async () => {
  for (const hash of ['', 'plain', '$scrypt$n=0,r=8,p=1$AAAA$BBBB', '$2b$10$abcdefghijklmnopqrstuv']) {
    expect(await cheap.verify('plain', hash)).toBe(false);
  }
});

test('a hash of Django is verified without Unicode normalisation of the password, and is outdated', async () => {
  // Computed by `hashlib.pbkdf2_hmac` of Python.
  const moved = 'pbkdf2_sha256$1000$abcdefgh$lJCnK5ZvsSCzivI2j5FRptedXQ5iizN9jzB/WIwFQQk=';
  expect(await cheap.verify('hunter2 तालाब', moved)).toBe(true);
  expect(await cheap.verify('hunter2', moved)).toBe(false);
  expect(cheap.isOutdated?.(moved)).toBe(true);
  expect(cheap.isOutdated?.(await cheap.hash('x'))).toBe(false);
  for (const other of [moved.replace('$1000$', '$2000001$'), moved.replace('sha256', 'sha1'), moved.slice(0, -2), '!x'])
    expect([await cheap.verify('hunter2 तालाब', other), cheap.isOutdated?.(other)]).toEqual([false, false]);
});

test('a password matches its hash from Django 5.2', async () => {
  const moved = 'pbkdf2_sha256$1000000$hbKL3ScoEQOJNv3ieYcGXr$ucJBd1dyHcsgEvTZCDSK47gDPPtGd+rJYv+vBCLY898=';
  expect(await cheap.verify('hunter2 tidal तालाब', moved)).toBe(true);
});
