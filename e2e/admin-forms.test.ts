import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkShown,
  LANGUAGES,
  launchBrowser,
  noBrowser,
  noFaults,
  onScreen,
  signInByForm,
  watchPage,
} from './browser.fixture.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

if (noBrowser !== undefined) console.log(`skipped: forms of the admin in a browser: ${noBrowser}`);

const PASSWORD = 'tall-river-42';
const EMAIL = 'layers@example.iam.gserviceaccount.test';
/** Key of a service account. No server listens at its token address, because tests connect only to this machine. */
const KEY = JSON.stringify({
  type: 'service_account',
  project_id: 'example',
  client_email: EMAIL,
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  token_uri: 'https://oauth2.example.test/token',
});

describe.skipIf(noBrowser !== undefined)('forms of the admin in Chromium', () => {
  let dataDir: string;
  let server: ServerProcess;
  let browser: Browser;
  let superuser = '';
  const faults = noFaults();
  const open = async (page: Page, path: string): Promise<number> =>
    (await page.goto(server.baseUrl + path))?.status() ?? 0;
  const signIn = (page: Page): Promise<void> => signInByForm(page, superuser, PASSWORD);

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

  it.each(LANGUAGES)(
    'a superuser checks a file, imports it and activates its tehsil; readers then see the tehsil ($locale)',
    async ({ locale, first, screens }) => {
      const context = await onScreen(browser, first);
      const page = watchPage(await context.newPage(), server.baseUrl, faults);
      const tehsil = `Nagri ${locale}`;
      const check = (what: string): Promise<void> => checkShown(page, `admin-${what}`, screens);
      await open(page, '/admin/places/');
      await signIn(page);
      await page.locator('main a[href$="/places/import/"]').click();
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
        .locator('#file')
        .setInputFiles({ name: 'nagri.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(text) });
      await page.locator('form:has(#file) button').click();
      await page.locator('form:has([name=checked])').waitFor();
      await check('import-checked');
      await page.locator('form:has([name=checked]) button').click();
      await page.locator('#report ~ p a[href$="/admin/places/"]').waitFor();
      await check('import-done');
      for (const name of ['Jharkhand', 'Ranchi', tehsil]) {
        await open(page, '/admin/places/');
        if (name === tehsil) await check('places');
        await page.getByRole('link', { name, exact: true }).first().click();
        const activate = page.locator('form[action*="/actions/activate/"] button');
        if ((await activate.count()) > 0) await activate.click();
        await page.locator('form[action*="/actions/deactivate/"] button').waitFor();
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

  it.each(LANGUAGES)(
    'a superuser can add an account only with the email address in the mounted key file, and can test the connection ($locale)',
    async ({ locale, first, screens }) => {
      const context = await onScreen(browser, first);
      const page = watchPage(await context.newPage(), server.baseUrl, faults);
      const check = (what: string): Promise<void> => checkShown(page, `admin-${what}`, screens);
      await open(page, '/admin/eo-accounts/add/');
      await signIn(page);
      const email = page.locator('#service_account_email');
      expect(await email.inputValue()).toBe(EMAIL);
      await page.locator('#name').fill(`satellites ${locale}`);
      await page.locator('#platform').selectOption('earth_engine');
      await email.fill('other@example.test');
      await page.locator('main form button').click();
      const refusal = await page.locator('.failing').first().textContent();
      expect(refusal).toContain(EMAIL);
      expect(refusal).toContain('other@example.test');
      await check('account-refused');
      await email.fill(EMAIL);
      await page.locator('main form button').click();
      await page.waitForURL(/\/admin\/eo-accounts\/\d+\//);
      const id = /eo-accounts\/(\d+)\//.exec(page.url())?.[1] ?? '';
      expect(await page.locator('.large').textContent()).toContain(id);
      await check('account');
      await page.locator('form[action*="/actions/test-connection/"] button').click();
      await page.locator('#steps').waitFor({ timeout: 11_000 });
      expect(await page.locator('#steps ~ ol li').count()).toBeGreaterThan(1);
      await check('account-tested');
      expect(await page.content()).not.toContain('PRIVATE KEY');
      await context.close();
    },
    120_000,
  );

  it('no page caused an error or a failed request, or contacted another server', () => {
    expect(faults).toEqual({ complaints: [], elsewhere: [] });
  });
});
