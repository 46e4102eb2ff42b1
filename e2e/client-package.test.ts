import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient, type HeadwaterClient } from '@headwater/client';
import { downloadToFile } from '@headwater/client/node';
import { createExpressRouter } from '@headwater/http-adapter-express';
import { createSampleService, listening, SAMPLE_USERS } from '@headwater/testkit-internal';
import { build } from 'esbuild';
import express from 'express';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../scripts/test-length.mjs';
import { startServerProcess } from './server-process.ts';

const EXECUTABLE = process.env['HEADWATER_CHROMIUM'] ?? '/usr/bin/chromium';
const noBrowser = !existsSync(EXECUTABLE);
if (noBrowser) console.log(`skipped: the client in a browser: ${EXECUTABLE} is missing; install Debian's chromium`);

interface Target {
  readonly baseUrl: string;
  readonly user: { readonly username: string; readonly password: string };
  readonly place: { readonly state: string; readonly district: string; readonly block: string };
  readonly collection: string;
  close(): Promise<unknown>;
}

/** Starts a service whose runs end immediately. */
async function sampleService(): Promise<Target> {
  const app = express();
  const host = await listening(app);
  const service = await createSampleService({ baseUrl: host.url });
  app.use(createExpressRouter(service.service));
  await service.start();
  return {
    baseUrl: host.url,
    user: SAMPLE_USERS.owner,
    place: { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil' },
    collection: 'sample_state_sample_district_sample_tehsil',
    close: async () => await Promise.all([host.close(), service.close()]),
  };
}

async function referenceServer(): Promise<Target> {
  const dir = await mkdtemp(join(tmpdir(), 'headwater-client-'));
  const password = 'tall-river-42';
  const server = await startServerProcess({ dataDir: join(dir, 'data'), env: { SUPERUSER_PASSWORD: password } });
  const [, username = ''] = await server.printed(/(test_user_\d{4})/, 60_000);
  await server.printed(/\n {2}Open http/, 300_000);
  return {
    baseUrl: server.baseUrl,
    user: { username, password },
    place: { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Jalsrota' },
    collection: 'virtapradesh_nirmalgarh_jalsrota',
    async close() {
      await server.stop('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Bundles the client for browsers. Fails if the client imports a `node:` module. */
async function scriptOfClient(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@headwater/client';", resolveDir: resolve(import.meta.dirname, '..') },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'headwater',
    conditions: ['@headwater/source'],
  });
  return outputFiles[0]?.text ?? '';
}

describe('the client with a listening service', () => {
  clientCases(sampleService);
});
// Runs only in long tests, because the first start of the server takes half a minute.
describe.runIf(isLong)('the client with the reference server', () => {
  clientCases(referenceServer);
});

function clientCases(start: () => Promise<Target>): void {
  let folder: string;
  let target: Target;
  let client: HeadwaterClient;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headwater-saved-'));
    target = await start();
    client = createClient({ baseUrl: target.baseUrl });
    await client.signIn(target.user);
  }, 400_000);
  afterAll(async () => {
    await target.close();
    await rm(folder, { recursive: true, force: true });
  });
  const request = () => ({ ...target.place, eo_account_id: 1, start_year: 2021, end_year: 2023, overwrite: true });

  it('computes a layer again, reports its progress, and saves its file', async () => {
    const seen: number[] = [];
    const run = await client.compute('lulc_for_tehsil', request(), { onProgress: (progress) => seen.push(progress) });
    expect(seen.length).toBeGreaterThan(0);
    const { href = '' } = run.stac_items[0]?.assets?.['data'] ?? {};
    const path = join(folder, 'map.tif');
    const bytes = await downloadToFile(client, href, { path });
    expect([bytes > 100, (await stat(path)).size]).toEqual([true, bytes]);
  });

  it('reads the Items of a place, in pages', async () => {
    const ids: unknown[] = [];
    const params = { query: { collections: target.collection, limit: 1 } };
    for await (const item of client.list('/api/v1/stac-api/search', { params })) ids.push(item['id']);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('the bundle for browsers is small', async () => {
    expect((await scriptOfClient()).length).toBeLessThan(18_000);
  });

  it.skipIf(noBrowser)(
    'works in Chromium',
    async () => {
      const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
      const browser = await chromium.launch({ executablePath: EXECUTABLE, args });
      try {
        const page = await browser.newPage();
        // The page has the origin of the service, so no CORS settings are needed.
        const script = await scriptOfClient();
        await page.route('**/page-of-client.html', async (route) => {
          await route.fulfill({ contentType: 'text/html', body: `<!doctype html><script>${script}</script>` });
        });
        await page.goto(`${target.baseUrl}/page-of-client.html`);
        const found = await page.evaluate(`(async () => {
        const client = headwater.createClient({ baseUrl: location.origin });
        await client.signIn(${JSON.stringify(target.user)});
        const seen = [];
        const options = { onProgress: (progress) => seen.push(progress) };
        const run = await client.compute('lulc_for_tehsil', ${JSON.stringify(request())}, options);
        const items = [];
        for await (const item of client.list('/api/v1/stac-api/search', { params: { query: { limit: 1 } } })) items.push(item.id);
        const { stream, bytes } = await client.download(run.stac_items[0].assets.data.href);
        const read = (await new Response(stream).arrayBuffer()).byteLength;
        const stop = new AbortController();
        const waiting = client.waitForRun(run.run_id, { signal: stop.signal, onEvent: () => stop.abort() });
        const aborted = await waiting.catch((error) => error.name);
        const error = await client.get('/api/v1/users/{id}/', { params: { path: { id: 0 } } }).catch((each) => each);
        return { state: run.state, seen: seen.length > 0, items: items.length > 1, whole: read === bytes, aborted,
          code: error.code, isOurs: headwater.isHeadwaterError(error) };
      })()`);
        const expected = { state: 'success', seen: true, items: true, whole: true, aborted: 'AbortError' };
        expect(found).toEqual({ ...expected, code: 'validation', isOurs: true });
      } finally {
        await browser.close();
      }
    },
    240_000,
  );
}
