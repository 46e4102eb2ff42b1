import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openScenes } from './catalogues.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-scenes-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

it('finds no catalogue in an empty folder, and then a catalogue that was added', async () => {
  const scenes = openScenes({ folder });
  await expect(scenes.probe?.()).rejects.toMatchObject({ code: 'no_scenes' });
  await mkdir(join(folder, 'one'));
  await writeFile(join(folder, 'one', 'catalog.json'), '{}');
  expect(await scenes.probe?.()).toBe('1 catalogue');
});

it('sends an API at most one request a minute; fails if it responds with an error or not at all, and shows no credentials', async () => {
  let requests = 0;
  let status = 200;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ['performance'] });
  const scenes = openScenes({ folder, api: { url: `http://name:secret@127.0.0.1:${port}/v1`, collections: ['c'] } });
  for (let i = 0; i < 20; i++) expect(await scenes.probe?.()).toMatch(/^0 catalogues and the STAC API 127\.0\.0\.1/);
  expect(requests).toBe(1);
  status = 502;
  vi.advanceTimersByTime(60_000);
  const refused: unknown = await scenes.probe?.().catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('it responded with HTTP 502'),
  });
  expect(String(refused)).not.toContain('secret');
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  vi.advanceTimersByTime(60_000);
  await expect(scenes.probe?.()).rejects.toMatchObject({ code: 'unavailable' });
  const back = createServer((_request, response) => response.end()).listen(port, '127.0.0.1');
  await once(back, 'listening');
  vi.advanceTimersByTime(60_000);
  expect(await scenes.probe?.()).toContain('which responds');
  back.closeAllConnections();
  back.close();
});
