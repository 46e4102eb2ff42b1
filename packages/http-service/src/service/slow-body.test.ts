import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualTime } from '@headwater/core/memory';
import { expect, it, onTestFinished } from 'vitest';
import { toFetchHandler } from '../fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';

const BASE = 'http://headwater.example/api/v1';
const ROOT = { username: 'root', password: 'tall-river-42' };
const hasher = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async (password: string, hash: string) => hash === `hash of ${password}`,
};

/** A service with a signed-in superuser; `send` sends a body of two parts between which `meanwhile` happens, in two seconds. */
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
  const headwater = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: 'a key for this test only, for nothing else',
    clock: time,
    hasher,
    imports: { importers, scratchDir: folder },
  });
  const root = await headwater.accounts.createSuperuser(ROOT);
  const { access } = await headwater.accounts.login(ROOT, undefined);
  const handler = toFetchHandler(headwater.service);
  const send = async (path: string, type: string, { text, meanwhile }: Sent): Promise<number> => {
    const half = Math.floor(text.length / 2);
    const parts = async function* () {
      yield new TextEncoder().encode(text.slice(0, half));
      await time.advance(2000);
      await meanwhile();
      yield new TextEncoder().encode(text.slice(half));
    };
    const headers = { authorization: `Bearer ${access}`, 'content-type': type };
    const body = ReadableStream.from(parts());
    return (await handler(new Request(`${BASE}${path}`, { method: 'POST', headers, body, duplex: 'half' }))).status;
  };
  const recover = () => headwater.accounts.resetPassword(root.id, 'wide-meadow-43');
  return { headwater, send, recover, imported: () => imported, folder };
}

interface Sent {
  readonly text: string;
  readonly meanwhile: () => Promise<unknown>;
}

it('a body that is sent slowly is not acted upon once the session of its sender has ended', async () => {
  const { headwater, send, recover } = await serve();
  const text = JSON.stringify({ name: 'a', account_email: 'a@example.org' });
  expect(await send('/eoaccounts/', 'application/json', { text, meanwhile: async () => {} })).toBe(201);
  expect(await send('/eoaccounts/', 'application/json', { text, meanwhile: recover })).toBe(401);
  expect(await headwater.stores.eoAccounts.list()).toHaveLength(1);
});

it('an upload that is sent slowly is not imported once the session of its sender has ended', async () => {
  const { send, recover, imported, folder } = await serve();
  const part = 'content-disposition: form-data; name="file"; filename="in.geojson"\r\n\r\nthe file';
  const text = `--b\r\n${part}\r\n--b--\r\n`;
  const type = 'multipart/form-data; boundary=b';
  expect(await send('/import/places/', type, { text, meanwhile: async () => {} })).toBe(200);
  expect(await send('/import/places/', type, { text, meanwhile: recover })).toBe(401);
  expect([imported(), await readdir(folder)]).toEqual([1, []]);
});
