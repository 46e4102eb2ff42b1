import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import {
  checkShown,
  LANGUAGES,
  launchBrowser,
  noBrowser,
  noFaults,
  onScreen,
  overflowOf,
  registerByForm,
  SCREENS,
  shoot,
  showOn,
  signInByForm,
  violationsOf,
  watchPage,
} from './browser.fixture.ts';
import { PASSWORD, type SampleServer, startSampleServer } from './sample-server.fixture.ts';

if (noBrowser !== undefined) console.log(`skipped: pages of users in a browser: ${noBrowser}`);

/** Paths of the pages for visitors, by the names of their screenshots. */
const VISITOR = { login: '/login/', register: '/register/', forgot: '/forgot/', 'signed-out': '/logout/' };
const USER = {
  dashboard: '/dashboard/',
  'sign-out': '/logout/',
  password: '/dashboard/password/',
  runs: '/api/v1/runs/',
  compute: '/dashboard/compute/',
  downloads: '/dashboard/downloads/',
};
const COMPUTE = '/dashboard/compute/';
const PLACE = `state=${SAMPLE_PLACE.state}&district=${SAMPLE_PLACE.district}`;
const NAMED = `${PLACE}&tehsil=${SAMPLE_PLACE.tehsil}`;
/** `{id}` is the id of a user. */
const ADMIN = {
  admin: '/admin/',
  'admin-users': '/admin/users/?sort=-username&q=e',
  'admin-add': '/admin/users/add/',
  'admin-user': '/admin/users/{id}/',
  'admin-audit': '/admin/audit/',
  'admin-places': '/admin/places/',
  'admin-import': '/admin/places/import/',
  'admin-regions': '/admin/regions/',
  'admin-unknown': '/admin/none/',
};

describe.skipIf(noBrowser !== undefined)('the pages of users in Chromium', () => {
  let dataDir: string;
  let server: SampleServer;
  let browser: Browser;
  const faults = noFaults();
  const open = async (page: Page, path: string): Promise<number> =>
    (await page.goto(server.baseUrl + path))?.status() ?? 0;
  const newPage = async (options?: Parameters<Browser['newContext']>[0]): Promise<Page> =>
    watchPage(await (await browser.newContext(options)).newPage(), server.baseUrl, faults);
  const register = (page: Page, name: string): Promise<void> =>
    registerByForm(page, server.baseUrl, { name, password: PASSWORD });
  const adminPage = async (page: Page, path: string): Promise<void> => {
    await open(page, path);
    await signInByForm(page, server.superuser, PASSWORD);
    await page.waitForURL(`**${path}`);
  };
  const statusWith = (page: Page, key: string): Promise<unknown> =>
    page.evaluate(
      `fetch('/api/v1/get_active_locations/', { headers: { 'x-api-key': '${key}' } }).then(({ status }) => status)`,
    );

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-screens-'));
    server = await startSampleServer({ dataDir });
    browser = await launchBrowser();
  }, 400_000);
  afterAll(async () => {
    await browser.close();
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each([true, false])(
    'a person registers, signs in, makes a key, uses it, revokes it and signs out (script: %s)',
    async (javaScriptEnabled) => {
      const page = await newPage({ javaScriptEnabled });
      const name = javaScriptEnabled ? 'asha' : 'devi';
      await open(page, '/');
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: 'Register' }).click();
      await register(page, name);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out').waitFor();
      await open(page, '/dashboard/');
      await page.waitForURL('**/login/**');
      await signInByForm(page, name, PASSWORD);
      await page.waitForURL('**/dashboard/');
      expect(await page.locator('header .account').innerText()).toContain(name);
      await page.getByLabel('Name', { exact: true }).fill('field laptop');
      await page.getByRole('button', { name: 'Make a key' }).click();
      const key = await page.locator('[data-copy="the new key"]').innerText();
      expect(await page.locator('[data-copy="the command with the key"]').innerText()).toContain(key);
      const user = await newPage();
      await open(user, '/');
      expect(await statusWith(user, key)).toBe(200);
      await open(page, '/dashboard/');
      expect(await page.locator('main').innerText()).not.toContain(key);
      await page.locator('.keys summary').click();
      await page.getByRole('button', { name: 'Revoke field laptop now' }).click();
      await page.getByText('You have no API key yet').waitFor();
      const refused = await fetch(`${server.baseUrl}/api/v1/get_active_locations/`, { headers: { 'x-api-key': key } });
      expect(refused.status).toBe(401);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out').waitFor();
      await page.context().close();
    },
    60_000,
  );

  it('if a form is sent after the end of the session, the form is shown again with the typed texts after the sign-in', async () => {
    const page = await newPage();
    await register(page, 'meera');
    await page.getByLabel('Name', { exact: true }).fill('lab & "field"');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.waitForURL('**/login/**');
    await signInByForm(page, 'meera', PASSWORD);
    await page.waitForURL('**/dashboard/**');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('lab & "field"');
    await page.context().close();
  });

  it('ten wrong passwords lead to a page that states when to try again', async () => {
    const page = await (await browser.newContext()).newPage();
    await open(page, '/login/');
    for (let index = 0; index < 10; index += 1) await signInByForm(page, 'guessed', `guess-${index}`);
    await page.getByText('password is wrong').waitFor();
    await signInByForm(page, 'guessed', PASSWORD);
    await page.getByText(/Try again in \d+ minutes\. Until then the right password is refused too/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  it.each(LANGUAGES)(
    'axe finds no fault on a desktop and on a phone, and nothing scrolls sideways at 360 px, $locale',
    async ({ locale, first, screens }) => {
      const name = `narrow_${'x'.repeat(60)}_${locale.slice(0, 2)}`;
      const context = await onScreen(browser, first);
      const page = watchPage(await context.newPage(), server.baseUrl, faults);
      const check = async (what: string): Promise<void> => {
        await showOn(page, { ...first, width: 360 });
        expect([what, await overflowOf(page)]).toEqual([what, 0]);
        await checkShown(page, `user-${what}`, screens);
      };
      for (const [what, path] of Object.entries(VISITOR)) {
        expect([what, await open(page, path)]).toEqual([what, 200]);
        await check(what);
      }
      await register(page, name);
      await page.locator('#name').fill('N'.repeat(150));
      await page.locator('main form[action$="/keys/"] button').click();
      await page.locator('.made').waitFor();
      await check('made');
      for (const [what, path] of Object.entries(USER)) {
        expect([what, await open(page, path)]).toEqual([what, 200]);
        if (what === 'dashboard') await page.locator('.keys summary').first().click();
        await check(what);
      }
      await context.close();
    },
    120_000,
  );

  it.each(LANGUAGES)(
    'a superuser changes a user without a fault for axe on a desktop and on a phone, $locale',
    async ({ locale, first, screens }) => {
      const context = await onScreen(browser, first);
      const page = watchPage(await context.newPage(), server.baseUrl, faults);
      const check = (what: string): Promise<void> => checkShown(page, what, screens);
      await adminPage(page, '/admin/users/add/');
      const name = `admin_made_${locale.slice(0, 2)}_${'x'.repeat(60)}`;
      await page.locator('#username').fill(name);
      await page.locator('#password').fill('12345678');
      await page.locator('main form button').click();
      await page.locator('#password-error').waitFor();
      await check('admin-refused');
      await page.locator('#password').fill(PASSWORD);
      await page.locator('main form button').click();
      await page.waitForURL(/\/admin\/users\/\d+\/\?(?:.*&)?done=add/);
      const [, id = ''] = /users\/(\d+)/.exec(page.url()) ?? [];
      await page.locator('#first_name').fill('<b>Asha</b>');
      await page.locator('#may_compute').uncheck();
      await page.locator('main form button').first().click();
      await page.waitForURL(/[?&]done=change/);
      await page.locator('form[action$="/disable/"] button').click();
      await page.locator('input[name=confirmed]').waitFor({ state: 'attached' });
      await check('admin-ask');
      await page.locator('main form button').click();
      await page.waitForURL(/[?&]done=disable/);
      for (const [what, path] of Object.entries(ADMIN)) {
        expect([what, await open(page, path.replace('{id}', id))]).toEqual([
          what,
          what === 'admin-unknown' ? 404 : 200,
        ]);
        await check(what);
      }
      await open(page, '/admin/users/?q=admin_made');
      await page.locator('td input').first().check();
      await page.locator('button[value=end-sessions]').click();
      await page.locator('td .ok').waitFor();
      await check('admin-results');
      await context.close();
    },
    120_000,
  );

  it('a refused registration is marked for screen readers too', async () => {
    // This page has no `watchPage`, because the browser logs the error response on the console.
    const page = await (await browser.newContext()).newPage();
    await open(page, '/register/');
    await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''));
    await page.locator('#email').fill('no address');
    await page.locator('main form button').click();
    await page.getByText('Correct the marked fields').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.locator('#email').getAttribute('aria-describedby')).toBe('email-hint email-error');
    const [, screen] = SCREENS;
    if (screen !== undefined) await shoot(page, 'user-refused-en', { ...screen, scheme: 'light' });
    await page.context().close();
  });

  const allow = async (name: string): Promise<void> => {
    const page = await newPage();
    await adminPage(page, `/admin/users/?q=${name}`);
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByLabel('May start computations').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/[?&]done=change/);
    await page.context().close();
  };

  it('a superuser lets a user compute; the user starts a run by the map, and reads, compares and downloads its map', async () => {
    const page = await newPage();
    await register(page, 'rekha');
    expect(await page.getByRole('link', { name: 'Compute' }).count()).toBe(0);
    await allow('rekha');
    await page.reload();
    await page.getByRole('link', { name: 'Compute', exact: true }).click();
    await page.getByRole('link', { name: SAMPLE_PLACE.state, exact: true }).click();
    await page.getByRole('link', { name: SAMPLE_PLACE.district, exact: true }).click();
    await page.locator('svg.placesmap a', { hasText: SAMPLE_PLACE.tehsil }).click();
    await page.getByRole('link', { name: 'Land use and land cover by year', exact: true }).click();
    for (const field of ['start_year', 'end_year']) await page.locator(`#${field}`).fill(String(SAMPLE_YEARS[1]));
    await page.locator('#eo_account_id').selectOption('1');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Before the start').waitFor();
    await page.getByRole('button', { name: 'Estimate first' }).click();
    const estimate = await page.getByRole('region', { name: 'Estimate', exact: true }).innerText();
    expect(estimate).toMatch(
      /Satellite scenes to read\s+\d+\s+Data to read\s+[\d.]+ [kMG]B\s+HTTP requests\s+\d+\s+Time of one worker\s+[\d.]+ (seconds|minutes)\s+Memory of the worker\s+[\d.]+ [kMG]B\s+Disk space\s+[\d.]+ [kMG]B/,
    );
    await page.getByRole('button', { name: 'Start the computation' }).click();
    await page.waitForURL('**/api/v1/runs/*/');
    await page.getByText('The run ended: success').waitFor({ timeout: 120_000 });
    expect(await page.locator('.log').innerText()).toContain('state success');
    const [, run = ''] = /runs\/([^/]+)/.exec(page.url()) ?? [];
    await page.locator('main a[href*="_raster_"]').first().click();
    await page.waitForURL('**/items/**');
    expect(await page.locator('figure img').getAttribute('src')).toContain(run);
    await page.getByRole('button', { name: 'Open the interactive map' }).click();
    await page.locator('.map-view canvas').first().waitFor();
    await page.getByLabel(/^Compare .* with/).selectOption({ index: 1 });
    await page.getByLabel('Position of the dividing line').focus();
    await page.keyboard.press('Home');
    expect(await page.locator('.map-year').count()).toBe(2);
    await page.keyboard.press('End');
    await page.locator('.map-view').click();
    await expect
      .poll(() => page.locator('.map-point .facts').innerText())
      .toMatch(/Class in [^]*Confidence[^]*Micro-watershed\s+12_\d+/i);
    const figures = page.getByRole('region', { name: /^Figures of micro-watershed 12_/ });
    expect(await figures.innerText()).toContain(`area in hectares, hydrological year ${SAMPLE_YEARS[1]}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^GeoTIFF/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`_${SAMPLE_YEARS[1]}\\.tif$`));
    expect(await download.failure()).toBeNull();
    await page.context().close();
  }, 300_000);

  it('a user cancels a run', async () => {
    const page = await newPage();
    await register(page, 'usha');
    await allow('usha');
    await page.goto(
      `${server.baseUrl}${COMPUTE}?${NAMED}&layer=lulc_for_tehsil&check=1&start_year=${SAMPLE_YEARS[1]}&end_year=${SAMPLE_YEARS[1]}&eo_account_id=1`,
    );
    expect(await page.locator('main').innerText()).toContain('Expected time');
    await page.getByRole('button', { name: 'Start the computation' }).click();
    await page.waitForURL('**/api/v1/runs/*/');
    await page.getByText('Live: this page updates automatically').waitFor();
    await page.locator('.log p').first().waitFor();
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
    await page.getByRole('button', { name: 'Cancel this run' }).click();
    await page.getByText('The run ended: failed').waitFor({ timeout: 60_000 });
    expect(await page.getByRole('button', { name: 'Start it again' }).count()).toBe(1);
    await page.context().close();
  }, 300_000);

  it.each(LANGUAGES)(
    'the form of computations has no fault for axe in any step on a desktop and on a phone, $locale',
    async ({ locale, first, screens }) => {
      const context = await onScreen(browser, first);
      const page = watchPage(await context.newPage(), server.baseUrl, faults);
      const name = `steps_${locale.slice(0, 2)}`;
      await register(page, name);
      await allow(name);
      const years = `start_year=${SAMPLE_YEARS[1]}&end_year=${SAMPLE_YEARS[1]}&eo_account_id=1`;
      const steps = {
        states: '',
        found: `?q=${SAMPLE_PLACE.tehsil.slice(0, 4)}`,
        tehsils: `?${PLACE}`,
        layers: `?${NAMED}`,
        parameters: `?${NAMED}&layer=lulc_for_tehsil`,
        last: `?${NAMED}&layer=lulc_for_tehsil&scope=state&check=1&${years}`,
      };
      for (const [what, query] of Object.entries(steps)) {
        expect([what, (await page.goto(`${server.baseUrl}${COMPUTE}${query}`))?.status()]).toEqual([what, 200]);
        await checkShown(page, `compute-${what}`, screens);
      }
      await page.locator('form:has([name="check"][value="estimate"]) button').click();
      await page.locator('#estimate').waitFor();
      await checkShown(page, 'compute-estimate', screens);
      expect(await open(page, '/dashboard/downloads/')).toBe(200);
      await checkShown(page, 'downloads', screens);
      await context.close();
    },
    120_000,
  );

  it('no page caused an error or a failed request, or contacted another server', () => {
    expect(faults).toEqual({ complaints: [], elsewhere: [] });
  });
});
