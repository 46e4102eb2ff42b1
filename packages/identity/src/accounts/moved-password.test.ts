import { DomainError } from '@headwater/core';
import { expect, it } from 'vitest';
import { accountBench, noAccount, PASSWORD, principalOf } from './bench.fixture.ts';
import { createAccountService } from './service.ts';

/**
 * Bench whose hasher also verifies hashes of another system. Such a hash is `moved ` followed by the typed password.
 */
async function movedBench(passwordHash: string) {
  const bench = await accountBench();
  const verify = async (password: string, hash: string): Promise<boolean> =>
    hash.startsWith('moved ') ? hash === `moved ${password}` : await bench.hasher.verify(password, hash);
  const hasher = { ...bench.hasher, verify, isOutdated: (hash: string) => hash.startsWith('moved ') };
  await bench.stores.users.rehash(bench.asha.id, bench.asha.passwordHash, passwordHash);
  const accounts = createAccountService({ ...bench.deps, hasher });
  const stored = async () => await bench.stores.users.byId(bench.asha.id);
  return { ...bench, hasher, accounts, stored };
}

// NFKC converts the fullwidth letter to `A`; the other system hashed the password without this conversion.
const TYPED = `${PASSWORD}Ａ`;

it('the first sign-in replaces the hash of another system, and sessions stay valid', async () => {
  const { accounts, stored } = await movedBench(`moved ${TYPED}`);
  const request = { username: 'asha', password: TYPED };
  await expect(accounts.login({ ...request, password: PASSWORD }, 'a')).rejects.toMatchObject(noAccount);
  expect(await stored()).toMatchObject({ passwordHash: `moved ${TYPED}` });
  const { refresh } = await accounts.login(request, 'a');
  expect(await stored()).toMatchObject({ passwordHash: `hash of ${PASSWORD}A`, sessionVersion: 0 });
  await accounts.refresh(refresh);
  await accounts.signIn(request, 'a');
});

it('a sign-in succeeds although the new hash cannot be stored', async () => {
  const { deps, hasher, stored } = await movedBench(`moved ${TYPED}`);
  const full = async (): Promise<string> => {
    throw new DomainError('unavailable', 'too many hashes wait');
  };
  const service = createAccountService({ ...deps, hasher: { ...hasher, hash: once(hasher.hash, full) } });
  expect(await service.signIn({ username: 'asha', password: TYPED }, 'a')).toMatchObject({ username: 'asha' });
  expect(await stored()).toMatchObject({ passwordHash: `moved ${TYPED}` });
});

function once<T>(first: (text: string) => Promise<T>, later: () => Promise<T>): (text: string) => Promise<T> {
  let called = false;
  return async (text) => {
    if (called) return await later();
    called = true;
    return await first(text);
  };
}

it('for an account without a password, a typed password is compared with a decoy hash, and never matches', async () => {
  const { accounts, hasher } = await movedBench('!');
  for (const password of ['!', '', PASSWORD])
    await expect(accounts.login({ username: 'asha', password }, 'a')).rejects.toMatchObject(noAccount);
  expect(hasher.verified).toHaveLength(3);
  expect(hasher.verified.every((hash) => hash.startsWith('hash of '))).toBe(true);
});

it('the password can be changed before its hash was replaced', async () => {
  const { accounts, stored, asha } = await movedBench(`moved ${TYPED}`);
  const change = { oldPassword: TYPED, newPassword: 'quiet-meadow-43' };
  const user = (await stored()) ?? asha;
  await accounts.changePassword(principalOf(user), change, 'a');
  expect(await stored()).toMatchObject({ passwordHash: 'hash of quiet-meadow-43', sessionVersion: 1 });
});
