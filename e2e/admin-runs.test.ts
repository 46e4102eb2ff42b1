import { createServer } from 'node:net';
import { headwaterPlugin } from '@headwater/http-adapter-fastify';
import { EXAMPLE_LAYERS, EXAMPLE_RUN } from '@headwater/http-service';
import { lulcPipeline } from '@headwater/land-cover';
import fastify from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../packages/testkit/src/http/fixture/sample-service.ts';
import {
  launchBrowser,
  noBrowser,
  noteComplaints,
  onScreen,
  overflowOf,
  SCREENS,
  shoot,
  violationsOf,
} from './browser.fixture.ts';

if (noBrowser !== undefined) console.log(`skipped: runs and layers of the admin in a browser: ${noBrowser}`);

const QUEUED = '0190a000-0000-7000-8000-000000009001';
const RASTER = `${EXAMPLE_LAYERS.raster.workspace}:${EXAMPLE_LAYERS.raster.name}`;
const PAGES = {
  'admin-runs': '/admin/runs/',
  'admin-run': `/admin/runs/${EXAMPLE_RUN}/`,
  'admin-layers': '/admin/layers/',
  'admin-layer': `/admin/layers/${encodeURIComponent(RASTER)}/`,
  'admin-tables': '/admin/tables/',
  'admin-accounts': '/admin/eo-accounts/',
  'admin-account': '/admin/eo-accounts/1/',
  'admin-account-add': '/admin/eo-accounts/add/',
  'admin-system': '/admin/system/',
  'admin-datasets': '/admin/datasets/',
};

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

describe.skipIf(noBrowser !== undefined)('runs and layers of the admin in Chromium', () => {
  let baseUrl: string;
  let sample: Awaited<ReturnType<typeof createSampleService>>;
  const host = fastify({ forceCloseConnections: true });
  let browser: Browser;
  const complaints: string[] = [];
  const open = async (page: Page, path: string): Promise<number> => (await page.goto(baseUrl + path))?.status() ?? 0;
  const signIn = async (page: Page): Promise<void> => {
    await open(page, '/login/');
    await page.locator('#username').fill(SAMPLE_USERS.operator.username);
    await page.locator('#password').fill(SAMPLE_USERS.operator.password);
    await page.locator('main form button').click();
    await page.waitForURL('**/dashboard/');
  };

  beforeAll(async () => {
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    sample = await createSampleService({ baseUrl });
    await host.register(headwaterPlugin, { service: sample.service, prefix: '' });
    await host.listen({ port, host: '127.0.0.1' });
    const params = { startYear: 2020 };
    await sample.stores.runs.enqueue({
      id: QUEUED,
      pipeline: lulcPipeline.name,
      params,
      fingerprint: 'e2e',
      ownerId: 1,
    });
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await sample.close();
    await host.close();
  });

  it.each(SCREENS.flatMap((screen) => ['en-GB', 'hi-IN'].map((locale) => ({ ...screen, locale }))))(
    'axe finds no fault at $width px, $scheme, $locale',
    async ({ locale, ...screen }) => {
      const context = await onScreen(browser, screen);
      await context.setExtraHTTPHeaders({ 'accept-language': locale });
      const page = noteComplaints(await context.newPage(), complaints);
      await signIn(page);
      for (const [what, path] of Object.entries(PAGES)) {
        expect([what, await open(page, path)]).toEqual([what, 200]);
        expect([what, await violationsOf(page), await overflowOf(page)]).toEqual([what, [], 0]);
        await shoot(page, `${what}-${locale.slice(0, 2)}`, screen);
      }
      await context.close();
    },
    120_000,
  );

  it.each([true, false])(
    'a superuser watches the runs, opens one and cancels it (script: %s)',
    async (hasScript) => {
      const context = await browser.newContext({ javaScriptEnabled: hasScript });
      const page = noteComplaints(await context.newPage(), complaints);
      const id = QUEUED.replace(/1$/, hasScript ? '1' : '2');
      const params = { startYear: 2020 };
      await sample.stores.runs
        .enqueue({ id, pipeline: lulcPipeline.name, params, fingerprint: id, ownerId: 1 })
        .catch(() => {});
      await signIn(page);
      await open(page, '/admin/');
      await page.getByRole('link', { name: 'Runs', exact: true }).click();
      await page.getByRole('heading', { name: 'The queue' }).waitFor();
      await page.getByRole('link', { name: `${lulcPipeline.name} ${id.slice(-8)}` }).click();
      await page.getByText('Live page of the run').first().waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Done: Cancel').waitFor();
      expect(await sample.stores.runs.get(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      await context.close();
    },
    60_000,
  );

  it('a superuser unpublishes a layer after the confirmation, and the public pages no longer show it', async () => {
    const layer = await sample.stores.catalog.layer(EXAMPLE_LAYERS.raster.workspace, EXAMPLE_LAYERS.raster.name);
    const [item] = (await sample.stores.catalog.itemsOfRun(EXAMPLE_RUN)).filter(({ id }) => id === layer?.itemId);
    const collection = `/api/v1/stac/${item?.collectionPath ?? ''}/`;
    const visitor = await (await browser.newContext()).newPage();
    await open(visitor, collection);
    expect(await visitor.locator(`a[href*="/items/${item?.id ?? ''}/"]`).count()).toBeGreaterThan(0);
    const page = await (await browser.newContext()).newPage();
    await signIn(page);
    await open(page, '/admin/layers/');
    await page.getByRole('link', { name: RASTER, exact: true }).click();
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await page.getByText('Nothing is changed yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.locator('main').innerText()).toContain(`Layers: ${RASTER}`);
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await page.getByText('Done: Unpublish').waitFor();
    await open(visitor, collection);
    expect(await visitor.locator(`a[href*="/items/${item?.id ?? ''}/"]`).count()).toBe(0);
    expect(await open(visitor, `${collection}items/${item?.id ?? ''}/`)).toBe(404);
    await visitor.context().close();
    await page.context().close();
  }, 60_000);

  it('no page caused an error or a failed request', () => {
    expect(complaints).toEqual([]);
  });
});
