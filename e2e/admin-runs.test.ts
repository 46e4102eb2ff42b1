import { createServer } from 'node:net';
import { headwaterPlugin } from '@headwater/http-adapter-fastify';
import { EXAMPLE_LAYERS, EXAMPLE_RUN } from '@headwater/http-service';
import { lulcPipeline } from '@headwater/land-cover';
import fastify from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_PLACE } from '../packages/testkit-internal/src/http/fixture/sample-place.ts';
import {
  createSampleService,
  publishAsSample,
  SAMPLE_USERS,
} from '../packages/testkit-internal/src/http/fixture/sample-service.ts';
import {
  checkShown,
  LANGUAGES,
  launchBrowser,
  noBrowser,
  noteComplaints,
  onScreen,
  signInByForm,
  violationsOf,
} from './browser.fixture.ts';

if (noBrowser !== undefined) console.log(`skipped: pages of the admin in a browser: ${noBrowser}`);

const QUEUED = '0190a000-0000-7000-8000-000000009001';
const RASTER = `${EXAMPLE_LAYERS.raster.workspace}:${EXAMPLE_LAYERS.raster.name}`;
const REGION = 'region_0123456789abcdef';
const PASSWORD = 'tall-river-42';
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
  'admin-keys': '/admin/api-keys/',
  'admin-keys-none': '/admin/api-keys/?q=nothing',
  'admin-sessions': '/admin/sessions/',
  'admin-organizations': '/admin/organizations/',
  'admin-organization-add': '/admin/organizations/add/',
  'admin-requests': '/admin/join-requests/',
  'admin-groups': '/admin/groups/',
  'admin-group': '/admin/groups/2/',
  'admin-group-empty': '/admin/groups/3/',
  'admin-projects': '/admin/projects/',
  'admin-regions': '/admin/regions/',
  'admin-region': `/admin/regions/${REGION}/`,
};
/** Lists of the admin pages; the tests also open the first entry of each list. */
const ROWS = {
  'admin-key': 'api-keys',
  'admin-session': 'sessions',
  'admin-organization': 'organizations',
  'admin-request': 'join-requests',
  'admin-project': 'projects',
  'admin-audit-entry': 'audit',
};

/** Page of a known place without results. */
const NOT_COMPUTED = '/api/v1/stac/new_state/far/off/';
/**
 * Pages with forms, by the names of their screenshots. The service must refuse the first form of each page if the
 * form's token is old.
 */
const FORMS = { 'old-key-form': '/dashboard/', 'old-password-form': '/dashboard/password/' };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

describe.skipIf(noBrowser !== undefined)('pages of the admin, and pages of refused requests, in Chromium', () => {
  let baseUrl: string;
  let sample: Awaited<ReturnType<typeof createSampleService>>;
  const host = fastify({ forceCloseConnections: true });
  let browser: Browser;
  const complaints: string[] = [];
  let mail = Promise.withResolvers<string>();
  const open = async (page: Page, path: string): Promise<number> => (await page.goto(baseUrl + path))?.status() ?? 0;
  const signIn = async (
    page: Page,
    { username, password }: Readonly<Record<'username' | 'password', string>> = SAMPLE_USERS.operator,
  ): Promise<void> => {
    await open(page, '/login/');
    await signInByForm(page, username, password);
    await page.waitForURL('**/dashboard/');
  };
  const send = async (page: Page): Promise<number> => {
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.request().method() === 'POST'),
      page.locator('main form button').first().click(),
    ]);
    await page.waitForLoadState();
    return response.status();
  };

  beforeAll(async () => {
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    sample = await createSampleService({
      baseUrl,
      identity: { mail: { send: async ({ text }) => mail.resolve(text) } },
    });
    await host.register(headwaterPlugin, { service: sample.service, prefix: '' });
    await host.listen({ port, host: '127.0.0.1' });
    await addPeopleAndPlaces(sample);
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

  it.each(LANGUAGES)(
    'axe finds no fault on a desktop and on a phone, $locale',
    async ({ first, screens }) => {
      const context = await onScreen(browser, first);
      const page = noteComplaints(await context.newPage(), complaints);
      const check = (what: string): Promise<void> => checkShown(page, what, screens);
      await signIn(page);
      for (const [what, path] of Object.entries(PAGES)) {
        expect([what, await open(page, path)]).toEqual([what, 200]);
        await check(what);
      }
      for (const [what, resource] of Object.entries(ROWS)) {
        await open(page, `/admin/${resource}/`);
        const path = await page.locator(`main td a[href^="/admin/${resource}/"]`).first().getAttribute('href');
        expect([what, await open(page, path ?? '')]).toEqual([what, 200]);
        await check(what);
      }
      await context.close();
    },
    120_000,
  );

  it.each(LANGUAGES)(
    'axe finds no fault on pages of password links, of refused forms and of places without results on a desktop and on a phone, $locale',
    async ({ locale, first, screens }) => {
      const context = await onScreen(browser, first);
      const page = noteComplaints(await context.newPage(), complaints);
      const check = (what: string): Promise<void> => checkShown(page, what, screens);
      const username = `linked_${locale.slice(0, 2)}`;
      await sample.accounts.createUser({ username, password: PASSWORD, email: `${username}@example.org` });
      mail = Promise.withResolvers();
      await sample.accounts.sendPasswordLink(username, '192.0.2.1');
      const [link = ''] = /^http:.*reset-password.*$/m.exec(await mail.promise) ?? [];
      const path = link.slice(baseUrl.length);
      expect(await open(page, path)).toBe(200);
      await check('password-link');
      const setTo = async (password: string): Promise<number> => {
        await page.locator('#new_password').fill(password);
        await page.locator('#confirm_password').fill(PASSWORD);
        return await send(page);
      };
      expect(await setTo('wide-meadow-43')).toBe(400);
      await check('password-link-refused');
      expect(await setTo(PASSWORD)).toBe(200);
      await check('password-link-set');
      expect(await open(page, path)).toBe(404);
      await check('password-link-used');
      expect(await open(page, NOT_COMPUTED)).toBe(200);
      await check('place-not-computed');
      await signIn(page, { username, password: PASSWORD });
      expect(await open(page, '/admin/')).toBe(403);
      await check('admin-forbidden');
      for (const [what, form] of Object.entries(FORMS)) {
        expect([what, await open(page, form)]).toEqual([what, 200]);
        await page
          .locator('main form input[name=token]')
          .first()
          .evaluate((field) => field.setAttribute('value', 'x'));
        for (const field of await page.locator('main form').first().locator('input:not([type=hidden])').all())
          await field.fill(PASSWORD);
        expect([what, await send(page)]).toEqual([what, 403]);
        await check(what);
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

async function addPeopleAndPlaces(sample: Awaited<ReturnType<typeof createSampleService>>): Promise<void> {
  const { accounts, apiKeys, stores } = sample;
  const organization = await stores.people.addOrganization('Jal Samiti', true);
  await accounts.createUser({
    username: 'asha',
    password: PASSWORD,
    email: 'asha@example.org',
    organizationId: organization.id,
  });
  const rights = { isActive: true, isSuperuser: false, mayCompute: false, mustChangePassword: false };
  const names = { username: 'devi', firstName: 'Devi', lastName: '', email: 'devi@example.org', contactNumber: null };
  await stores.users.create({ ...names, ...rights, passwordHash: 'x', requestedOrganizationId: organization.id });
  const user = await stores.users.byUsername('asha');
  if (user === undefined) throw new Error('no user asha');
  await apiKeys.generate(
    { kind: 'user', user },
    { name: 'A laptop with a long name for the field work of the year 2026' },
  );
  await stores.teams.createProject({ name: 'Wells of the upper catchment', organizationId: organization.id });
  const { geometry } = SAMPLE_PLACE;
  await stores.places.saveBundle({
    state: 'New State',
    district: 'Far',
    tehsil: 'Off',
    geometry,
    mws: [],
    villages: [],
  });
  const actor = { actorId: 1, actorName: 'operator', action: 'change', address: '192.0.2.1' };
  const changes = { first_name: { before: '', after: 'Asha' }, may_compute: { before: '', after: 'on' } };
  const entry = { resource: 'users', rowId: String(user.id), title: 'asha', at: '2026-01-01T00:00:00.000Z' };
  await stores.audit.append({ ...actor, ...entry, changes });
  const properties = { title: 'Land cover of a region', datetime: '2026-01-01T00:00:00Z' };
  const item = { type: 'Feature', id: 'cover', bbox: [78.5, 17.4, 78.6, 17.5], properties, assets: {}, links: [] };
  const items = [{ id: 'cover', collectionPath: `regions/custom/${REGION}`, item }];
  await publishAsSample(sample, { items, layers: [], timings: {} });
}
