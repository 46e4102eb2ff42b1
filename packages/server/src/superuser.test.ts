import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKeys } from '@headwater/identity';
import { createHeadwater, createScryptHasher, type Headwater } from '@headwater/http-service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigError } from './config/read-config.ts';
import { ensureSuperuser, type Superuser } from './superuser.ts';

let folder: string;
let headwater: Headwater;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-superuser-'));
  headwater = createHeadwater({
    baseUrl: 'http://localhost',
    secret: crypto.getRandomValues(new Uint8Array(32)),
    identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }) },
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (password?: string, marker?: string): Promise<Superuser> =>
  ensureSuperuser({ accounts: headwater.accounts, stores: headwater.stores, password, containerMarker: marker });
const signsIn = (username: string, password: string): Promise<boolean> =>
  headwater.accounts.login({ username, password }, undefined).then(
    () => true,
    () => false,
  );

it('the first start creates test_user_NNNN with a random password, the second one does not change it', async () => {
  const { user, password = '' } = await start();
  expect(user.username).toMatch(/^test_user_\d{4}$/);
  expect(await signsIn(user.username, password)).toBe(true);
  expect(await start('another-password-7')).toMatchObject({ password: undefined, warning: undefined });
  expect(await signsIn(user.username, password)).toBe(true);
});

it("a container's first start resets the password to the installer's default and warns; its second start does not", async () => {
  const marker = join(folder, 'run', 'started');
  const { user, password: own = '' } = await start();
  const reset = await start(undefined, marker);
  expect(reset).toMatchObject({ password: 'test_change_me', warning: expect.stringContaining('installer default') });
  expect([await signsIn(user.username, own), await signsIn(user.username, 'test_change_me')]).toEqual([false, true]);
  expect(await start(undefined, marker)).toMatchObject({ password: undefined, warning: undefined });
});

it("a container's first start keeps the superuser's API keys, so that programs continue to work", async () => {
  const { accounts, stores } = headwater;
  const { user } = await start();
  const clock = { now: () => new Date() };
  const keys = createApiKeys({ stores, clock });
  const key = await keys.generate({ kind: 'user', user });
  const reset = await start('tall-river-42', join(folder, 'started'));
  expect(reset.password).toBe('tall-river-42');
  expect((await keys.authenticate(key.text)).user.id).toBe(user.id);
  await accounts.resetPassword(user.id, 'another-meadow-42');
  await expect(keys.authenticate(key.text)).rejects.toMatchObject({ code: 'token_not_valid' });
});

it("the installer's default must be changed before any other request; a password from SUPERUSER_PASSWORD need not be changed", async () => {
  const { user } = await start(undefined, join(folder, 'first'));
  const mustChange = async (): Promise<unknown> => (await headwater.stores.users.byId(user.id))?.mustChangePassword;
  expect([user.mustChangePassword, await mustChange()]).toEqual([true, true]);
  await start('tall-river-42', join(folder, 'second'));
  expect(await mustChange()).toBe(false);
  const { warning } = await start(undefined, join(folder, 'third'));
  expect(await mustChange()).toBe(true);
  expect(warning).toMatch(/npx headwater change-password --username test_user_\d{4},/);
});

it.each([
  ['the installer default', undefined],
  ['SUPERUSER_PASSWORD', 'deep-forest-44'],
])('a new container keeps the password that the owner has set instead of %s', async (_, configured) => {
  const { user } = await start(configured, join(folder, 'first'));
  await headwater.accounts.resetPassword(user.id, 'tall-river-42');
  for (const marker of ['second', 'third'])
    expect(await start(configured, join(folder, marker))).toMatchObject({ password: undefined, warning: undefined });
  await start('wide-meadow-43', join(folder, 'fourth'));
  expect(await signsIn(user.username, 'tall-river-42')).toBe(true);
  expect(await signsIn(user.username, configured ?? 'test_change_me')).toBe(false);
});

it('a new container ends no session if SUPERUSER_PASSWORD is already in use, and applies a changed SUPERUSER_PASSWORD', async () => {
  const { user } = await start('deep-forest-44', join(folder, 'first'));
  const version = async (): Promise<unknown> => (await headwater.stores.users.byId(user.id))?.sessionVersion;
  expect(await start('deep-forest-44', join(folder, 'second'))).toMatchObject({ password: undefined });
  expect(await version()).toBe(0);
  expect(await start('wide-meadow-43', join(folder, 'third'))).toMatchObject({ password: 'wide-meadow-43' });
  expect(await start('wide-meadow-43', join(folder, 'fourth'))).toMatchObject({ password: undefined });
  expect([await version(), await signsIn(user.username, 'wide-meadow-43')]).toEqual([1, true]);
});

it('a container keeps the password that the owner has set, even if an earlier version created the superuser', async () => {
  const { user } = await start();
  await headwater.accounts.resetPassword(user.id, 'tall-river-42');
  await start('deep-forest-44', join(folder, 'first'));
  expect(await signsIn(user.username, 'tall-river-42')).toBe(true);
});

it('a superuser that the operator created keeps its password', async () => {
  await headwater.accounts.createSuperuser({ username: 'asha', password: 'tall-river-42' });
  expect(await start(undefined, join(folder, 'started'))).toMatchObject({ password: undefined, warning: undefined });
  expect(await signsIn('asha', 'tall-river-42')).toBe(true);
});

it('a marker that cannot be written is reported, and the next start counts as the first start again', async () => {
  await writeFile(join(folder, 'file'), '');
  const marker = join(folder, 'file', 'started');
  await expect(start(undefined, marker)).rejects.toThrow(/^HEADWATER_CONTAINER_MARKER: /);
  await expect(start(undefined, marker)).rejects.toBeInstanceOf(ConfigError);
  await rm(join(folder, 'file'));
  expect(await start(undefined, marker)).toMatchObject({ password: 'test_change_me' });
  expect(await start(undefined, marker)).toMatchObject({ password: undefined, warning: undefined });
});
