import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  launchBrowser,
  noBrowser,
  noteComplaints,
  onScreen,
  overflowOf,
  type Screen,
  SCREENS,
  shoot,
  violationsOf,
} from './browser.fixture.ts';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import { signIn as signInByApi } from './client.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

if (noBrowser !== undefined) console.log(`skipped: pages of users in a browser: ${noBrowser}`);

const PASSWORD = 'tall-river-42';
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
/** Pages of superusers; `{id}` is the id of a user. */
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
  let server: ServerProcess;
  let browser: Browser;
  let superuser = '';
  const complaints: string[] = [];
  const open = async (page: Page, path: string): Promise<number> =>
    (await page.goto(server.baseUrl + path))?.status() ?? 0;
  const newPage = async (options?: Parameters<Browser['newContext']>[0]): Promise<Page> =>
    noteComplaints(await (await browser.newContext(options)).newPage(), complaints);
  const register = async (page: Page, name: string): Promise<void> => {
    await open(page, '/register/');
    await page.locator('#username').fill(name);
    await page.locator('#email').fill(`${name}@example.org`);
    for (const field of ['#password', '#password_confirm']) await page.locator(field).fill(PASSWORD);
    await page.locator('main form button').click();
    await page.waitForURL('**/dashboard/');
  };
  const signIn = async (page: Page, name: string, password = PASSWORD): Promise<void> => {
    await page.locator('#username').fill(name);
    await page.locator('#password').fill(password);
    await page.locator('main form button').click();
  };
  const statusWith = (page: Page, key: string): Promise<unknown> =>
    page.evaluate(
      `fetch('/api/v1/get_active_locations/', { headers: { 'x-api-key': '${key}' } }).then(({ status }) => status)`,
    );

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-screens-'));
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
      await signIn(page, name);
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

  it('a form that was sent after the end of the session is filled again after the sign-in', async () => {
    const page = await newPage();
    await register(page, 'meera');
    await page.getByLabel('Name', { exact: true }).fill('lab & "field"');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.waitForURL('**/login/**');
    await signIn(page, 'meera');
    await page.waitForURL('**/dashboard/**');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('lab & "field"');
    await page.context().close();
  });

  it('ten wrong passwords lead to a page that states when to try again', async () => {
    const page = await (await browser.newContext()).newPage();
    await open(page, '/login/');
    for (let index = 0; index < 10; index += 1) await signIn(page, 'guessed', `guess-${index}`);
    await page.getByText('password is wrong').waitFor();
    await signIn(page, 'guessed', PASSWORD);
    await page.getByText(/Try again in \d+ minutes\. Until then the right password is refused too/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  it.each(SCREENS.flatMap((screen) => ['en-GB', 'hi-IN'].map((locale) => ({ ...screen, locale }))))(
    'axe finds no fault at $width px, $scheme, $locale',
    async (screen) => {
      const { locale, width, scheme } = screen;
      const name = `user_${width}_${scheme}_${locale.slice(0, 2)}`;
      const context = await inLocale(browser, screen);
      const page = noteComplaints(await context.newPage(), complaints);
      const check = async (what: string): Promise<void> => {
        expect([what, await violationsOf(page), await overflowOf(page)]).toEqual([what, [], 0]);
        await shoot(page, `user-${what}-${locale.slice(0, 2)}`, screen);
      };
      for (const [what, path] of Object.entries(VISITOR)) {
        expect([what, await open(page, path)]).toEqual([what, 200]);
        await check(what);
      }
      await register(page, name);
      await page.locator('#name').fill('A laptop with a long name for the field work of the year 2026');
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

  it.each(SCREENS.flatMap((screen) => ['en-GB', 'hi-IN'].map((locale) => ({ ...screen, locale }))))(
    'a superuser changes a user without a fault for axe at $width px, $scheme, $locale',
    async (screen) => {
      const { locale, width, scheme } = screen;
      const context = await inLocale(browser, screen);
      const page = await context.newPage();
      const check = async (what: string): Promise<void> => {
        expect([what, await violationsOf(page), await overflowOf(page)]).toEqual([what, [], 0]);
        await shoot(page, `${what}-${locale.slice(0, 2)}`, screen);
      };
      await open(page, '/admin/users/add/');
      await signIn(page, superuser);
      await page.waitForURL('**/admin/users/add/');
      const name = `admin_made_${width}_${scheme}_${locale.slice(0, 2)}_${'x'.repeat(60)}`;
      await page.locator('#username').fill(name);
      await page.locator('#password').fill('12345678');
      await page.locator('main form button').click();
      await page.locator('#password-error').waitFor();
      await check('admin-refused');
      await page.locator('#password').fill(PASSWORD);
      await page.locator('main form button').click();
      await page.waitForURL(/\/admin\/users\/\d+\/\?done=add/);
      const [, id = ''] = /users\/(\d+)/.exec(page.url()) ?? [];
      await page.locator('#first_name').fill('<b>Asha</b>');
      await page.locator('#may_compute').uncheck();
      await page.locator('main form button').first().click();
      await page.waitForURL('**?done=change');
      await page.locator('form[action$="/disable/"] button').click();
      await page.locator('input[name=confirmed]').waitFor({ state: 'attached' });
      await check('admin-ask');
      await page.locator('main form button').click();
      await page.waitForURL('**?done=disable');
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
    // Error responses are logged on the console, which is no fault here.
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

  it.each(['en-GB', 'hi-IN'])('nothing scrolls sideways at 360 px, %s', async (locale) => {
    const page = await newPage({ viewport: { width: 360, height: 740 }, locale });
    const overflows: unknown[] = [];
    for (const path of Object.values(VISITOR)) {
      await open(page, path);
      overflows.push([path, await overflowOf(page)]);
    }
    await register(page, `narrow_${'x'.repeat(60)}_${locale.slice(0, 2)}`);
    await page.locator('#name').fill('N'.repeat(150));
    await page.locator('main form[action$="/keys/"] button').click();
    await page.locator('.made').waitFor();
    overflows.push(['made', await overflowOf(page)]);
    for (const path of Object.values(USER)) {
      await open(page, path);
      overflows.push([path, await overflowOf(page)]);
    }
    expect(overflows.filter((each) => !JSON.stringify(each).endsWith(',0]'))).toEqual([]);
    await page.context().close();
  });

  it('no page caused an error or a failed request', () => {
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(noBrowser !== undefined)('the form that starts a computation in Chromium', () => {
  let dataDir: string;
  let server: ServerProcess;
  let browser: Browser;
  const complaints: string[] = [];
  const COMPUTE = '/dashboard/compute/';
  const PLACE = `state=${SAMPLE_PLACE.state}&district=${SAMPLE_PLACE.district}`;
  const NAMED = `${PLACE}&tehsil=${SAMPLE_PLACE.tehsil}`;
  /** Opens a page and signs in a user whom a superuser has allowed to compute. */
  const userPage = async (name: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page> => {
    const page = noteComplaints(await (await browser.newContext(options)).newPage(), complaints);
    await page.goto(`${server.baseUrl}/register/`);
    await page.locator('#username').fill(name);
    await page.locator('#email').fill(`${name}@example.org`);
    for (const field of ['#password', '#password_confirm']) await page.locator(field).fill(PASSWORD);
    await page.locator('main form button').click();
    await page.waitForURL('**/dashboard/');
    return page;
  };
  const allow = async (name: string): Promise<void> => {
    const [, superuser = ''] = await server.printed(/superuser +(\S+)/, 1000);
    const client = await signInByApi(server.baseUrl, superuser, PASSWORD);
    const { body: users } =
      await client.get<readonly { readonly id: number; readonly username: string }[]>('/api/v1/users/');
    const id = users.find(({ username }) => username === name)?.id ?? 0;
    const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' };
    const init = { method: 'PATCH', headers, body: JSON.stringify({ may_compute: true }) };
    expect((await fetch(`${server.baseUrl}/api/v1/users/${id}/`, init)).status).toBe(200);
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-compute-'));
    server = await startServerProcess({ dataDir, env: { SUPERUSER_PASSWORD: PASSWORD } });
    await server.printed(/\n {2}Open http/, 300_000);
    browser = await launchBrowser();
  }, 400_000);
  afterAll(async () => {
    await browser.close();
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('lets a user start a run by the map, watch its end, open its result, and cancel another run', async () => {
    const page = await userPage('asha');
    expect(await page.getByRole('link', { name: 'Compute' }).count()).toBe(0);
    await allow('asha');
    await page.reload();
    await page.getByRole('link', { name: 'Compute', exact: true }).click();
    await page.getByRole('link', { name: SAMPLE_PLACE.state, exact: true }).click();
    await page.getByRole('link', { name: SAMPLE_PLACE.district, exact: true }).click();
    await page.locator('svg.placesmap a', { hasText: SAMPLE_PLACE.tehsil }).click();
    await page.getByRole('link', { name: 'Micro-watersheds', exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Before the start').waitFor();
    await page.getByRole('button', { name: 'Start the computation' }).click();
    await page.waitForURL('**/api/v1/runs/*/');
    await page.getByText('The run ended: success').waitFor({ timeout: 120_000 });
    expect(await page.locator('.log').innerText()).toContain('state success');
    await page.locator('main a[href*="/items/"]').first().click();
    await page.waitForURL('**/items/**');
    expect(await page.locator('h1').innerText()).not.toBe('');
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

  it.each(SCREENS.flatMap((screen) => ['en-GB', 'hi-IN'].map((locale) => ({ ...screen, locale }))))(
    'has no fault for axe in any step at $width px, $scheme, $locale',
    async ({ width, height, scheme, locale }) => {
      const screen = { width, height, scheme };
      const name = `steps_${width}_${scheme}_${locale.slice(0, 2)}`;
      const extraHTTPHeaders = { 'accept-language': locale };
      const page = await userPage(name, { viewport: { width, height }, colorScheme: scheme, extraHTTPHeaders });
      await allow(name);
      const years = `start_year=${SAMPLE_YEARS[1]}&end_year=${SAMPLE_YEARS[1]}&eo_account_id=1`;
      const steps = {
        states: '',
        found: `?q=${SAMPLE_PLACE.tehsil.slice(0, 4)}`,
        tehsils: `?${PLACE}`,
        layers: `?${NAMED}`,
        parameters: `?${NAMED}&layer=lulc_for_tehsil`,
        last: `?${NAMED}&layer=lulc_for_tehsil&check=1&${years}`,
      };
      for (const [what, query] of Object.entries(steps)) {
        expect([what, (await page.goto(`${server.baseUrl}${COMPUTE}${query}`))?.status()]).toEqual([what, 200]);
        expect([what, await violationsOf(page), await overflowOf(page)]).toEqual([what, [], 0]);
        await shoot(page, `compute-${what}-${locale.slice(0, 2)}`, screen);
      }
      expect((await page.goto(`${server.baseUrl}/dashboard/downloads/`))?.status()).toBe(200);
      expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
      await shoot(page, `downloads-${locale.slice(0, 2)}`, screen);
      await page.context().close();
    },
    120_000,
  );

  it('no page caused an error or a failed request', () => {
    expect(complaints).toEqual([]);
  });
});

async function inLocale(
  browser: Browser,
  { locale, ...screen }: Screen & { readonly locale: string },
): Promise<BrowserContext> {
  const context = await onScreen(browser, screen);
  await context.setExtraHTTPHeaders({ 'accept-language': locale });
  return context;
}
