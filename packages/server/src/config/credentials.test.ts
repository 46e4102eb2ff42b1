import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EoAccount } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from './read-config.ts';
import { checkCredentials } from './credentials.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-credentials-'));
});
afterEach(() => rm(folder, { recursive: true }));

const ACCOUNT = { name: 'project', accountEmail: null, isVisible: true } as const;
const SERVICE = { type: 'service_account', client_email: 'a@b.iam.gserviceaccount.com', private_key: 'x-secret-x' };

async function check(
  content: string | undefined,
  { account = {}, bucket = '' }: { account?: Partial<EoAccount>; bucket?: string } = {},
): Promise<string | undefined> {
  const path = join(folder, 'credentials.json');
  if (content !== undefined) await writeFile(path, content);
  const { eoAccounts } = createMemoryDomainStores();
  await eoAccounts.create({ ...ACCOUNT, ...account });
  return checkCredentials(
    readConfig({ GOOGLE_APPLICATION_CREDENTIALS: path, STORAGE_BUCKET_NAME: bucket }),
    eoAccounts,
  );
}

it('accepts a credentials file, or no file', async () => {
  expect(await check(JSON.stringify(SERVICE))).toBeUndefined();
  expect(await check('{"type":"external_account"}', { bucket: 'tiles' })).toBeUndefined();
  expect(await checkCredentials(readConfig({}), createMemoryDomainStores().eoAccounts)).toBeUndefined();
});

const BAD = [
  ['no file', undefined, /cannot be read \(ENOENT\)/],
  ['no JSON', '{"private_key": x-secret-x', /is not valid JSON/],
  ['a list', '["x-secret-x"]', /no "type"/],
  [
    'a file with nothing but a key',
    '{"type":"service_account","private_key":"x-secret-x"}',
    /is not complete \(no client_email\)/,
  ],
] as const;

it.each(BAD)('warns of %s with the name of the variable, and shows no part of the file', async (_, content, reason) => {
  const warning = await check(content);
  expect(warning).toMatch(/^GOOGLE_APPLICATION_CREDENTIALS: .*credentials\.json .* Mount the file/);
  expect(warning).toMatch(reason);
  expect(warning).not.toContain('x-secret-x');
  expect(await check(content, { account: { platform: 'earth_engine', isActive: false } })).toEqual(warning);
});

it.each(BAD)('refuses to start with %s if an account or a bucket needs the file', async (_, content, reason) => {
  await expect(check(content, { account: { platform: 'earth_engine' } })).rejects.toThrow(
    /account 1 \(project\) of earth_engine needs this file/,
  );
  await expect(check(content, { bucket: 'tiles' })).rejects.toThrow(reason);
  await expect(check(content, { bucket: 'tiles' })).rejects.toThrow(
    /This file is the key of the bucket in STORAGE_BUCKET_NAME\. Mount the file .*, or unset STORAGE_BUCKET_NAME\.$/,
  );
});
