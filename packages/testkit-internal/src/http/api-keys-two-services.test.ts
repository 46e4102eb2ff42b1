import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UserPrincipal } from '@headwater/identity';
import { createHeadwater, type Headwater, toFetchHandler } from '@headwater/http-service';
import { createPostgresStores } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLE_SECRET } from './fixture/sample-service.ts';
import { policyProbes } from '@headwater/testkit/http';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

// Two services on one database behave like two processes, because they share no memory.

let dataDir: string;
let embedded: Awaited<ReturnType<typeof openEmbedded>>;
let one: Headwater;
let other: Headwater;
let principal: UserPrincipal;
const lines: string[] = [];

async function serve(apiKeyRequestsPerDay = 1_000_000): Promise<Headwater> {
  const note = (...line: unknown[]): void => void lines.push(JSON.stringify(line));
  return createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: SAMPLE_SECRET,
    stores: await createPostgresStores({ connection: embedded.connection }),
    operations: policyProbes(),
    logger: { debug: note, info: note, error: note },
    logRequests: true,
    limits: { apiKeyRequestsPerDay },
  });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-keys-'));
  await copyDatabase(dataDir);
  embedded = await openEmbedded({ dataDir });
  [one, other] = [await serve(), await serve()];
  await one.accounts.createUser({ username: 'asha', password: 'tall-river-42' });
  principal = await signedIn();
}, 120_000);
afterAll(async () => {
  await other.close();
  await embedded.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function signedIn(): Promise<UserPrincipal> {
  const user = await one.stores.users.byUsername('asha');
  if (user === undefined) throw new Error('there is no user asha');
  return { kind: 'user', user };
}

async function statusWith({ service }: Headwater, key: string): Promise<number> {
  const headers = { 'x-api-key': key };
  return (await toFetchHandler(service)(new Request('http://headwater.example/probe/api-key/', { headers }))).status;
}

it('a key that one service generates is valid at the other; a key that one service deactivates is immediately refused by the other', async () => {
  const { text } = await one.apiKeys.generate(principal);
  expect([await statusWith(one, text), await statusWith(other, text)]).toEqual([200, 200]);
  await one.apiKeys.deactivate(principal, { userId: principal.user.id, text });
  expect([await statusWith(other, text), await statusWith(one, text)]).toEqual([401, 401]);
});

it('the keys of a user who is disabled at one service are immediately refused by the other', async () => {
  const { text } = await other.apiKeys.generate(principal);
  expect(await statusWith(other, text)).toBe(200);
  await one.accounts.setActive(principal.user.id, false);
  expect(await statusWith(other, text)).toBe(401);
  await one.accounts.setActive(principal.user.id, true);
  expect(await statusWith(other, text)).toBe(200);
  // The sessions of a disabled user end, so the user must sign in again.
  await expect(other.apiKeys.generate(principal)).rejects.toMatchObject({ code: 'token_not_valid' });
  principal = await signedIn();
});

it('the daily limit of API key requests counts the requests to both services, once the first has closed', async () => {
  const [first, second] = [await serve(3), await serve(3)];
  const { text } = await first.apiKeys.generate(principal);
  expect([await statusWith(first, text), await statusWith(first, text)]).toEqual([200, 200]);
  await first.close();
  expect([await statusWith(second, text), await statusWith(second, text)]).toEqual([200, 429]);
  await second.close();
});

it('a closing service stores when keys were used; its log contains no key', async () => {
  const { text, key } = await one.apiKeys.generate(principal);
  const before = new Date().toISOString();
  expect(await statusWith(one, text)).toBe(200);
  const lastUse = async (): Promise<string | null | undefined> =>
    (await other.stores.apiKeys.find(key.prefix))?.key.lastUsedAt;
  expect(await lastUse()).toBeNull();
  await one.close();
  const used = (await lastUse()) ?? '';
  expect(used >= before && used <= new Date().toISOString()).toBe(true);
  expect(lines.filter((line) => line.includes('"/probe/api-key/"')).length).toBeGreaterThan(5);
  expect(lines.join()).not.toContain(text.slice(9));
});
