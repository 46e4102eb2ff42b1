import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { startServerProcess, type ServerProcess } from './server-process.ts';

if (noBrowser !== undefined) console.log(`skipped: imports in a browser: ${noBrowser}`);

const PASSWORD = 'tall-river-42';

describe.skipIf(noBrowser !== undefined)('imports of the admin in Chromium', () => {
  let dataDir: string;
  let server: ServerProcess;
  let browser: Browser;
  let superuser = '';
  const complaints: string[] = [];
  const open = async (page: Page, path: string): Promise<number> =>
    (await page.goto(server.baseUrl + path))?.status() ?? 0;
  const signIn = async (page: Page, name: string): Promise<void> => {
    await page.locator('#username').fill(name);
    await page.locator('#password').fill(PASSWORD);
    await page.locator('main form button').click();
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-imports-'));
    server = await startServerProcess({ dataDir, env: { SUPERUSER_PASSWORD: PASSWORD }, args: ['--no-sample'] });
    [, superuser = ''] = await server.printed(/superuser {8}(test_user_\d{4})\n/, 120_000);
    await server.printed(/\n {2}Open http/, 120_000);
    browser = await launchBrowser();
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each(SCREENS.filter(({ width, scheme }) => (width === 1280) === (scheme === 'light')))(
    'a superuser checks a file, imports it and activates its tehsil; readers then see the tehsil ($width px)',
    async (screen) => {
      const context = await onScreen(browser, screen);
      const page = noteComplaints(await context.newPage(), complaints);
      const tehsil = `Nagri ${screen.width}`;
      const check = async (what: string): Promise<void> => {
        expect([what, await violationsOf(page), await overflowOf(page)]).toEqual([what, [], 0]);
        await shoot(page, `admin-${what}-en`, screen);
      };
      await open(page, '/admin/places/');
      await signIn(page, superuser);
      await page.getByRole('link', { name: 'Import a file' }).click();
      await check('import');
      const ring = [
        [80, 20],
        [80.1, 20],
        [80.1, 20.1],
        [80, 20.1],
        [80, 20],
      ];
      const geometry = { type: 'Polygon', coordinates: [ring] };
      const properties = { state: 'Jharkhand', district: 'Ranchi', tehsil };
      const text = JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', properties, geometry }] });
      await page
        .getByLabel('File', { exact: true })
        .setInputFiles({ name: 'nagri.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(text) });
      await page.getByRole('button', { name: 'Send the file' }).click();
      await page.getByText('Nothing is stored yet').waitFor();
      await check('import-checked');
      await page.getByRole('button', { name: 'Import now' }).click();
      await page.getByText('The file is imported').waitFor();
      await check('import-done');
      for (const name of ['Jharkhand', 'Ranchi', tehsil]) {
        await open(page, '/admin/places/');
        if (name === tehsil) await check('places');
        await page.getByRole('link', { name, exact: true }).first().click();
        const activate = page.getByRole('button', { name: 'Activate', exact: true });
        if ((await activate.count()) > 0) await activate.click();
        await page.getByRole('button', { name: 'Deactivate' }).waitFor();
      }
      await check('place');
      await open(page, `/places/?q=${encodeURIComponent(tehsil)}`);
      await page.getByText(tehsil).first().waitFor();
      const listed = await fetch(`${server.baseUrl}/api/v1/proposed_blocks/`);
      expect(await listed.text()).toContain(tehsil);
      await context.close();
    },
    120_000,
  );

  it('no page caused an error or a failed request', () => {
    expect(complaints).toEqual([]);
  });
});
