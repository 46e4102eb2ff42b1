import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';
import { operation } from '../rows/operation.ts';

const BASE = 'http://headwater.example/api/v1';
const ROOT = { username: 'root', password: 'tall-river-42' };
const ROW = {
  method: 'POST',
  tag: 'tests',
  summary: 'Test',
  body: z.object({ text: z.string() }),
  errors: ['not_authenticated', 'token_not_valid', 'validation'],
  examples: [{ name: 'test', status: 200 }],
  responses: { 200: { description: 'Anything', schema: z.unknown() } },
} as const;
const KEY_ROW = operation({
  ...ROW,
  id: 'noteText',
  path: '/api/v1/note/',
  auth: 'apiKey',
  handler: () => ({ status: 200, json: {} }),
});
/** Password hashes of the users that the operation `WHO_ROW` got. */
const hashes: string[] = [];
const WHO_ROW = operation({
  ...ROW,
  id: 'whoSends',
  path: '/api/v1/who/',
  auth: 'bearer',
  handler: ({ principal: { user } }) => {
    hashes.push(user.passwordHash);
    return { status: 200, json: {} };
  },
});
const hasher = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async (password: string, hash: string) => hash === `hash of ${password}`,
};

/** Starts a service. `send` sends a body in two parts and calls `meanwhile` between them. */
async function serve() {
  const folder = await mkdtemp(join(tmpdir(), 'slow-body-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const time = createManualTime();
  let imported = 0;
  const run = async () => {
    imported += 1;
    const counts = { stored: 0, unchanged: 0, refusedCount: 0, refused: [], repaired: [] };
    return { kind: 'places', fileName: 'in.geojson', ...counts } as const;
  };
  const importers = () => [{ kind: 'places', endings: ['.geojson'], run } as const];
  const memory = createMemoryStores();
  const database = { ms: 0, looks: 0 };
  const ofSession: typeof memory.users.ofSession = async (...parameters) => {
    database.looks += 1;
    await time.advance(database.ms);
    return await memory.users.ofSession(...parameters);
  };
  const headwater = createHeadwater({
    stores: { ...memory, users: { ...memory.users, ofSession } },
    operations: [KEY_ROW, WHO_ROW],
    tags: { tests: 'rows of tests' },
    baseUrl: 'http://headwater.example',
    secret: 'a key for this test only, for nothing else',
    clock: time,
    identity: { hasher },
    imports: { importers, scratchDir: folder },
  });
  const root = await headwater.accounts.createSuperuser(ROOT);
  const { access } = await headwater.accounts.login(ROOT, undefined);
  const handler = toFetchHandler(headwater.service);
  const send = async (path: string, type: string, sent: Sent): Promise<number> => {
    const { text, meanwhile, ms = 2000, credentials = { authorization: `Bearer ${access}` } } = sent;
    const half = Math.floor(text.length / 2);
    const parts = async function* () {
      yield new TextEncoder().encode(text.slice(0, half));
      await time.advance(ms);
      await meanwhile();
      yield new TextEncoder().encode(text.slice(half));
    };
    const headers = { ...credentials, 'content-type': type };
    const body = ReadableStream.from(parts());
    return (await handler(new Request(`${BASE}${path}`, { method: 'POST', headers, body, duplex: 'half' }))).status;
  };
  const recover = () => headwater.accounts.resetPassword(root.id, 'wide-meadow-43');
  return { headwater, root, database, send, recover, imported: () => imported, folder };
}

interface Sent {
  readonly text: string;
  readonly meanwhile: () => Promise<unknown>;
  /** Time between the two parts, ms; default 2000. */
  readonly ms?: number;
  readonly credentials?: Readonly<Record<string, string>>;
}

it('a slowly sent body is refused if the session of its sender has ended', async () => {
  const { headwater, send, recover } = await serve();
  const text = JSON.stringify({ name: 'a', account_email: 'a@example.org' });
  expect(await send('/eoaccounts/', 'application/json', { text, meanwhile: async () => {} })).toBe(201);
  expect(await send('/eoaccounts/', 'application/json', { text, meanwhile: recover })).toBe(401);
  expect(await headwater.stores.eoAccounts.list()).toHaveLength(1);
});

it('a slowly sent upload is not imported if the session of its sender has ended', async () => {
  const { send, recover, imported, folder } = await serve();
  const part = 'content-disposition: form-data; name="file"; filename="in.geojson"\r\n\r\nthe file';
  const text = `--b\r\n${part}\r\n--b--\r\n`;
  const type = 'multipart/form-data; boundary=b';
  expect(await send('/import/places/', type, { text, meanwhile: async () => {} })).toBe(200);
  expect(await send('/import/places/', type, { text, meanwhile: recover })).toBe(401);
  expect([imported(), await readdir(folder)]).toEqual([1, []]);
});

it('the session is checked once if only the database is slow, and twice if the body is slow', async () => {
  const { send, database } = await serve();
  const text = JSON.stringify({ name: 'a', account_email: 'a@example.org' });
  database.ms = 3000;
  database.looks = 0;
  expect(await send('/eoaccounts/', 'application/json', { text, meanwhile: async () => {}, ms: 0 })).toBe(201);
  expect(database.looks).toBe(1);
  expect(await send('/eoaccounts/', 'application/json', { text, meanwhile: async () => {} })).toBe(201);
  expect(database.looks).toBe(3);
});

it('a key with a slowly sent body is checked twice and counted once', async () => {
  const { headwater, root, send } = await serve();
  const { apiKeys } = headwater;
  onTestFinished(() => headwater.close(5));
  const { text: key } = await apiKeys.generate({ kind: 'user', user: root });
  const note = (meanwhile: Sent['meanwhile']): Promise<number> =>
    send('/note/', 'application/json', { text: '{"text":"a"}', meanwhile, credentials: { 'x-api-key': key } });
  expect(await note(async () => {})).toBe(200);
  expect(await apiKeys.usesToday(root.id)).toBe(1);
  const end = () => apiKeys.deactivate({ kind: 'user', user: root }, { userId: root.id, text: key });
  expect(await note(end)).toBe(401);
});

it('after a slowly sent body, the handler gets the user as stored when the body was complete', async () => {
  const { headwater, root, send } = await serve();
  const rehash = () => headwater.stores.users.rehash(root.id, root.passwordHash, 'new hash');
  expect(await send('/who/', 'application/json', { text: '{"text":"a"}', meanwhile: rehash })).toBe(200);
  expect(hashes.splice(0)).toEqual(['new hash']);
});
