import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

if (noBrowser !== undefined) console.log(`skipped: forms of the admin in a browser: ${noBrowser}`);

const PASSWORD = 'tall-river-42';
const EMAIL = 'layers@example.iam.gserviceaccount.test';
/** Key of a service account whose token address no server has, because tests reach this machine only. */
const KEY = JSON.stringify({
  type: 'service_account',
  client_email: EMAIL,
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  token_uri: 'https://oauth2.example.test/token',
});

describe.skipIf(noBrowser !== undefined)('forms of the admin in Chromium', () => {
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
    const credentials = join(dataDir, 'key.json');
    await writeFile(credentials, KEY);
    const env = { SUPERUSER_PASSWORD: PASSWORD, GOOGLE_APPLICATION_CREDENTIALS: credentials };
    server = await startServerProcess({ dataDir, env, args: ['--no-sample'] });
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

  it.each(SCREENS.filter(({ width, scheme }) => (width === 1280) === (scheme === 'light')))(
    'a superuser adds an account with the address of the mounted file, not with another, and tests its connection ($width px)',
    async (screen) => {
      const context = await onScreen(browser, screen);
      const page = noteComplaints(await context.newPage(), complaints);
      const check = async (what: string): Promise<void> => {
        expect([what, await violationsOf(page), await overflowOf(page)]).toEqual([what, [], 0]);
        await shoot(page, `admin-${what}-en`, screen);
      };
      await open(page, '/admin/eo-accounts/add/');
      await signIn(page, superuser);
      const email = page.getByLabel('Service-account e-mail');
      expect(await email.inputValue()).toBe(EMAIL);
      await page.getByLabel('Name', { exact: true }).fill(`satellites ${screen.width}`);
      await page.getByLabel('Platform').selectOption('earth_engine');
      await email.fill('other@example.test');
      await page.locator('main form button').click();
      const refusal = await page.locator('.failing').first().textContent();
      expect(refusal).toContain(EMAIL);
      expect(refusal).toContain('other@example.test');
      await check('account-refused');
      await page.getByLabel('Service-account e-mail').fill(EMAIL);
      await page.locator('main form button').click();
      await page.waitForURL(/\/admin\/eo-accounts\/\d+\//);
      const id = /eo-accounts\/(\d+)\//.exec(page.url())?.[1] ?? '';
      expect(await page.locator('.large').textContent()).toContain(id);
      await check('account');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await page.getByText('The platform accepts the key').first().waitFor({ timeout: 11_000 });
      await check('account-tested');
      expect(await page.content()).not.toContain('PRIVATE KEY');
      await context.close();
    },
    120_000,
  );

  it('no page caused an error or a failed request', () => {
    // The form with another address is answered with status 400.
    const isRefusal = (text: string): boolean => text.includes('/eo-accounts/add/') && text.includes('status of 400');
    expect(complaints.filter((text) => !isRefusal(text))).toEqual([]);
  });
});
