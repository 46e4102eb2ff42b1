import { invalidField } from '@headwater/core';
import type { EoCredentials, HeadwaterOptions } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { createScreenBrowser, type Fields, hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import { actOn, signInBrowser } from './screens.ts';

const ACCOUNTS = '/admin/eo-accounts/';
const MOUNTED = 'runner@project.iam.gserviceaccount.com';
const MARKUP = '<img src=x onerror=alert(1)>';

/** Credentials as in a mounted file. The check of an account named `broken` fails at `token`. */
const FILE: EoCredentials = {
  email: async () => MOUNTED,
  test: async ({ name }) => {
    const isBroken = name === 'broken';
    const detail = { en: `The token endpoint refused ${MARKUP}.`, hi: 'टोकन नहीं मिला।' };
    return [
      { check: 'file', state: 'ok' },
      { check: 'json', state: 'ok' },
      { check: 'email', state: 'ok' },
      isBroken ? { check: 'token', state: 'failing', detail } : { check: 'token', state: 'ok' },
      { check: 'bucket', state: 'off' },
    ];
  },
};

/** Text of an uploaded key, which no response may contain. */
const SECRET = 'S3CRET-KEY';

/** Credentials that also accept uploaded keys. A valid key ends with " of " and an e-mail address. */
const KEYS: EoCredentials = {
  ...FILE,
  keyOf: (text) => {
    const [, email] = / of (\S+)$/.exec(text) ?? [];
    if (email === undefined) throw invalidField('credentials', 'It is not the JSON key of a service account.');
    return { email, sealFor: (id) => `sealed for ${id}` };
  },
  problemOf: async ({ serviceAccountEmail: own }) =>
    own === MOUNTED ? undefined : `has credentials of ${MOUNTED}, not of ${own ?? 'none'}`,
};

/** Test cases of the admin's Earth-observation accounts, system and datasets. */
export function adminAccountCases(target: HttpTarget): void {
  const start = async (options: Partial<HeadwaterOptions> = {}) => {
    const sample = await createSampleService(options);
    const host = await target.start({ mounts: [{ service: sample.service, prefix: '' }] });
    onTestFinished(async () => {
      await sample.close();
      await host.close();
    });
    const own = createScreenBrowser(host.url);
    const { username, password } = SAMPLE_USERS.operator;
    expect((await signInBrowser(own, { username, password })).status).toBe(303);
    return { stores: sample.stores, own };
  };
  const act = async (own: ScreenBrowser, path: string, fields: Fields = {}) => {
    const [page = '', action = ''] = path.split(' ');
    return await actOn(own, { page, action }, fields);
  };

  describe('Earth-observation accounts in the admin', () => {
    const typed = { name: 'project', platform: 'earth_engine', account_email: 'owner@example.org', is_visible: 'on' };

    defineCase(target, 'are added with the address of the mounted file, and show their id to copy', async () => {
      const { stores, own } = await start({ eoCredentials: FILE });
      const form = (await own.open(`${ACCOUNTS}add/`)).body;
      expect(form).toMatch(new RegExp(`name="service_account_email"[^>]*value="${MOUNTED}"`));
      expect(form).toMatch(/name="is_visible"[^>]* checked/);
      const added = await own.submit(`${ACCOUNTS}add/`, { ...typed, service_account_email: MOUNTED });
      expect([added.status, added.location]).toEqual([303, `${ACCOUNTS}3/?done=add`]);
      expect(await stores.eoAccounts.byId(3)).toEqual({
        id: 3,
        name: 'project',
        accountEmail: 'owner@example.org',
        serviceAccountEmail: MOUNTED,
        platform: 'earth_engine',
        isVisible: true,
        isActive: true,
        visibleTo: 'all',
        ownerId: null,
        organizationId: null,
        hasKey: false,
        exhaustedUntil: null,
      });
      expect((await own.open(`${ACCOUNTS}3/`)).body).toMatch(
        /class="large"[^]*class="copy"[^]*<code data-copy="[^"]*eo_account_id[^"]*">3<\/code>/,
      );
      expect((await own.open(`${ACCOUNTS}?by_platform=earth_engine`)).body).toMatch(/1 to 1 of 1[^]*project/);
    });

    defineCase(
      target,
      'are refused with an address that is not in the file; the error at the field names this address and the address of the file',
      async () => {
        const { stores, own } = await start({ eoCredentials: FILE });
        const other = 'other@project.test';
        const refused = await own.submit(`${ACCOUNTS}add/`, { ...typed, service_account_email: other });
        expect([refused.status, refused.body]).toEqual([
          400,
          expect.stringMatching(`id="service_account_email-error"><span lang="en">[^<]*${MOUNTED}[^<]*${other}`),
        ]);
        expect(refused.body).toContain(`value="${other}"`);
        for (const [field, fields] of [
          ['service_account_email', { service_account_email: '' }],
          ['service_account_email', { service_account_email: 'x' }],
          ['account_email', { account_email: 'x@y' }],
          ['name', { name: '  ' }],
          ['platform', { platform: 'moon' }],
        ] as const) {
          const { status, body } = await own.submit(`${ACCOUNTS}add/`, { ...typed, ...fields });
          expect([status, body]).toEqual([400, expect.stringContaining(`id="${field}-error"`)]);
        }
        expect((await stores.eoAccounts.list()).length).toBe(2);
        const same = await own.submit(`${ACCOUNTS}add/`, { ...typed, service_account_email: MOUNTED.toUpperCase() });
        expect(same.status).toBe(303);
      },
    );

    defineCase(
      target,
      'are changed, also if they keep an address that differs from the address of the file',
      async () => {
        const { stores, own } = await start({ eoCredentials: FILE });
        await stores.eoAccounts.change(1, { serviceAccountEmail: 'old@project.test' });
        const fields = { name: MARKUP, platform: 'local', service_account_email: 'old@project.test' };
        const done = await own.submit(`${ACCOUNTS}1/`, fields);
        expect([done.status, done.location]).toEqual([303, `${ACCOUNTS}1/?done=change`]);
        expect(await stores.eoAccounts.byId(1)).toMatchObject({ name: MARKUP, isVisible: false });
        const page = (await own.open(`${ACCOUNTS}1/`)).body;
        expect(page).toContain('&lt;img src=x');
        expect(page).not.toContain('<img src=x');
        const refused = await own.submit(`${ACCOUNTS}1/`, { ...fields, platform: 'earth_engine' });
        expect([refused.status, refused.body]).toEqual([
          400,
          expect.stringContaining('id="service_account_email-error"'),
        ]);
        for (const id of ['99', '0', 'x', MARKUP])
          expect((await own.open(`${ACCOUNTS}${encodeURIComponent(id)}/`)).status).toBe(404);
      },
    );

    defineCase(target, 'are disabled and hidden after a confirmation, and can be enabled and shown again', async () => {
      const { stores, own } = await start();
      const page = `${ACCOUNTS}1/`;
      expect((await act(own, `${page} disable`)).body).toContain('Requests to compute with this account are refused');
      expect(await stores.eoAccounts.byId(1)).toMatchObject({ isActive: true });
      for (const [action, expected] of [
        ['disable', { isActive: false }],
        ['enable', { isActive: true }],
        ['hide', { isVisible: false }],
        ['show', { isVisible: true }],
      ] as const) {
        expect((await act(own, `${page} ${action}`, { confirmed: 'yes' })).status).toBe(303);
        expect(await stores.eoAccounts.byId(1)).toMatchObject(expected);
      }
      expect((await own.open(page)).body).toMatch(/History[^]*Visible: no →\s+yes/);
    });

    defineCase(target, 'have a connection test that shows the result of each step', async () => {
      const { stores, own } = await start({ eoCredentials: FILE });
      const account = { accountEmail: null, serviceAccountEmail: MOUNTED, platform: 'earth_engine', isVisible: true };
      for (const name of ['working', 'broken'])
        await stores.eoAccounts.create({ ...account, name, platform: 'earth_engine' });
      const works = await act(own, `${ACCOUNTS}3/ test-connection`);
      expect([works.status, works.body]).toEqual([200, expect.stringContaining('The connection works.')]);
      const fails = await act(own, `${ACCOUNTS}4/ test-connection`);
      expect(fails.body).toMatch(/role="alert">The connection does not work: failed at “The platform accepts the key”/);
      expect(fails.body).toMatch(/class="failing">no<\/strong>. The token endpoint refused &lt;img[^]*not checked/);
      expect((await own.open('/admin/audit/')).body.match(/Test connection<\/td>/g) ?? []).toHaveLength(1);
      expect((await act(own, `${ACCOUNTS}1/ test-connection`)).status).toBe(409);
      const hindi = await own.post(`${ACCOUNTS}4/actions/test-connection/?lang=hi`, {
        token: hiddenFields((await own.open(`${ACCOUNTS}4/`)).body)['token'] ?? '',
      });
      expect(hindi.body).toContain('टोकन नहीं मिला।');
    });

    defineCase(target, 'keep an uploaded key encrypted; no page, list or log shows it', async () => {
      const lines: unknown[] = [];
      const note = (...line: readonly unknown[]): void => void lines.push(line);
      const logger = { debug: note, info: note, error: note };
      const { stores, own } = await start({ eoCredentials: KEYS, logger, logRequests: true });
      const send = async (page: string, fields: Fields, key?: string) => {
        const form = new FormData();
        const hidden = hiddenFields((await own.open(page)).body);
        for (const [name, value] of Object.entries({ ...hidden, ...fields })) form.set(name, value);
        if (key !== undefined) form.set('credentials', new File([key], 'key.json', { type: 'application/json' }));
        return await own.postForm(page, form);
      };
      const added = await send(`${ACCOUNTS}add/`, typed, `${SECRET} of ${MOUNTED}`);
      expect([added.status, added.location]).toEqual([303, `${ACCOUNTS}3/?done=add`]);
      expect(await stores.eoAccounts.byId(3)).toMatchObject({ serviceAccountEmail: MOUNTED, hasKey: true });
      expect(await stores.eoAccounts.sealedKey(3)).toBe('sealed for 3');
      const changed = { ...typed, name: 'renamed', service_account_email: MOUNTED };
      expect((await send(`${ACCOUNTS}3/`, changed)).status).toBe(303);
      expect(await stores.eoAccounts.sealedKey(3)).toBe('sealed for 3');
      const other = await send(`${ACCOUNTS}3/`, changed, `${SECRET} of other@project.test`);
      expect([other.status, other.body]).toEqual([
        400,
        expect.stringContaining('The uploaded file belongs to other@project'),
      ]);
      const wrong = await send(`${ACCOUNTS}add/`, typed, 'no key');
      expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining('id="credentials-error"')]);
      const pages = [ACCOUNTS, `${ACCOUNTS}3/`, '/admin/audit/', '/admin/system/'];
      const shown = await Promise.all(pages.map(async (page) => (await own.open(page)).body));
      for (const text of [...shown, other.body, wrong.body, JSON.stringify(lines)])
        expect(text).not.toMatch(new RegExp(`${SECRET}|sealed for`));
      const asked = (await act(own, `${ACCOUNTS}3/ remove-key`)).body;
      expect(asked).toContain('The account then uses the mounted credentials file.');
      expect(asked).not.toContain('are refused from now on');
      expect((await act(own, `${ACCOUNTS}3/ remove-key`, { confirmed: 'yes' })).status).toBe(303);
      expect([await stores.eoAccounts.sealedKey(3), await stores.eoAccounts.byId(3)]).toMatchObject([
        null,
        { hasKey: false },
      ]);
      expect((await act(own, `${ACCOUNTS}3/ remove`, { confirmed: 'yes' })).status).toBe(303);
      expect(await stores.eoAccounts.byId(3)).toBeUndefined();
    });

    defineCase(target, 'are for all users, the members of an organisation, or their owner', async () => {
      const { stores, own } = await start();
      const { id } = await stores.people.addOrganization('Jal Samiti', true);
      const add = (fields: Fields) => own.submit(`${ACCOUNTS}add/`, { ...typed, platform: 'local', ...fields });
      expect((await add({ visible_to: 'owner', owner: 'someone_else' })).status).toBe(303);
      expect((await add({ visible_to: 'organization', organization: 'jal samiti' })).status).toBe(303);
      const owner = await stores.users.byUsername('someone_else');
      expect(await stores.eoAccounts.byId(3)).toMatchObject({ visibleTo: 'owner', ownerId: owner?.id });
      expect(await stores.eoAccounts.byId(4)).toMatchObject({ visibleTo: 'organization', organizationId: id });
      for (const [field, fields] of [
        ['owner', { visible_to: 'owner' }],
        ['owner', { owner: 'no such user' }],
        ['organization', { visible_to: 'organization' }],
        ['organization', { organization: 'no such organisation' }],
        ['visible_to', { visible_to: 'friends' }],
      ] as const) {
        const { status, body } = await add(fields);
        expect([status, body]).toEqual([400, expect.stringContaining(`id="${field}-error"`)]);
      }
      expect((await own.open(`${ACCOUNTS}3/`)).body).toMatch(/name="owner"[^>]*value="someone_else"/);
      expect((await own.open(`${ACCOUNTS}?by_visible_to=organization&lang=hi`)).body).toContain('संस्था के सदस्य');
    });

    defineCase(
      target,
      'show why requests are refused; a connection test does not make an account with a spent quota available',
      async () => {
        const { stores, own } = await start({ eoCredentials: KEYS });
        const account = { accountEmail: null, serviceAccountEmail: 'other@project.test', isVisible: true };
        const { id } = await stores.eoAccounts.create({
          ...account,
          name: 'spent',
          platform: 'earth_engine',
          exhaustedUntil: '2999-01-01T00:00:00.000Z',
        });
        const shown = async (): Promise<string> => (await own.open(`${ACCOUNTS}${id}/`)).body;
        expect(await shown()).toMatch(
          /has spent its quota at the platform; it can be used again after[^]*Quota spent until/,
        );
        const tested = await act(own, `${ACCOUNTS}${id}/ test-connection`);
        expect(tested.body).toContain('The quota is spent until 2999');
        expect(await stores.eoAccounts.byId(id)).toMatchObject({ exhaustedUntil: '2999-01-01T00:00:00.000Z' });
        expect((await act(own, `${ACCOUNTS}${id}/ mark-available`)).status).toBe(303);
        expect(await stores.eoAccounts.byId(id)).toMatchObject({ exhaustedUntil: null });
        expect(await shown()).toContain(`credentials of ${MOUNTED}, not of other@project.test`);
        await stores.eoAccounts.change(id, { exhaustedUntil: '2020-01-01T00:00:00.000Z' });
        expect(await shown()).not.toMatch(/Quota spent until|mark-available/);
        await stores.eoAccounts.change(id, { isVisible: false, visibleTo: 'owner', ownerId: 999_999 });
        expect(await shown()).toMatch(/is hidden; show it[^]*for an owner or an organisation that was removed/);
      },
    );

    defineCase(target, 'have a list of exports of rasters; a failed export is retried', async () => {
      let woken = 0;
      const eoExporter = () => ({ start: () => {}, close: async () => {}, wake: () => void (woken += 1) });
      const { stores, own } = await start({ eoExporter });
      const { eoExports } = stores;
      const id = '00000000-0000-4000-8000-000000000001';
      const createdAt = '2026-11-29T00:00:00.000Z';
      await eoExports.add({ id, workspace: 'lulc', layerName: MARKUP, assetKey: 'a/1/b.tif', accountId: 1, createdAt });
      const claimed = await eoExports.claim(new Date(createdAt), 1000);
      if (claimed === undefined) throw new Error('nothing is due');
      await eoExports.save(claimed, { state: 'failed', problem: 'Permission denied. Give the role, then retry.' });
      const list = await own.open('/admin/eo-exports/?by_state=failed');
      expect(list.body).toMatch(/lulc:&lt;img[^]*class="failing">Failed[^]*Permission denied/);
      expect((await own.open('/admin/eo-exports/?by_state=done')).body).not.toContain('Permission denied');
      expect((await own.open(`/admin/eo-exports/${id}/?lang=hi`)).body).toContain('फिर कोशिश करें');
      expect((await act(own, `/admin/eo-exports/${id}/ retry`)).status).toBe(303);
      expect([woken, await eoExports.byId(id)]).toMatchObject([1, { state: 'waiting' }]);
      expect((await own.open(`/admin/eo-exports/${id}/`)).body).not.toContain('/actions/retry/');
      expect((await (await start()).own.open('/admin/eo-exports/')).status).toBe(404);
    });

    defineCase(target, 'report that the platform needs a credentials file, if there is none', async () => {
      const { own } = await start();
      const form = (await own.open(`${ACCOUNTS}add/`)).body;
      expect(form).toContain('Accounts of the platform earth_engine need a credentials file');
      expect((await own.submit(`${ACCOUNTS}add/`, { ...typed, service_account_email: 'a@b.test' })).status).toBe(303);
      const page = (await own.open(`${ACCOUNTS}3/`)).body;
      expect(page).toContain('Accounts of the platform earth_engine need a credentials file');
      expect(page).not.toContain('test-connection');
    });
  });

  describe('the system and the datasets of the admin', () => {
    defineCase(target, 'show the states of the parts, the queue, and the settings without their values', async () => {
      const { own } = await start({ version: '9.8.7', limits: { apiKeyRequestsPerDay: 4711 } });
      const { status, body } = await own.open('/admin/system/');
      expect(status).toBe(200);
      expect(body).toMatch(/Version[^]*9\.8\.7[^]*The queue[^]*Settings[^]*Links for a new password by mail[^]*On/);
      expect(body).toMatch(/<td[^>]*>[^]*Database[^]*class="ok">Works/);
      expect(body).not.toContain('4711');
      expect((await own.open('/admin/system/?lang=hi')).body).toContain('डेटाबेस');
    });

    defineCase(target, 'show the versions of Node and of packages, and the size of the files', async () => {
      const versions = { fastify: '5.6.7', '<b>': '1.0.0' };
      let files: { readonly bytes: number; readonly at: string } | undefined;
      const { own } = await start({ systemFacts: () => ({ versions, files }) });
      const shown = async (query = ''): Promise<string> => (await own.open(`/admin/system/${query}`)).body;
      expect(await shown()).toMatch(
        new RegExp(`Node\\.js[^]*${process.versions.node}[^]*fastify 5\\.6\\.7, &lt;b&gt; 1`),
      );
      expect(await shown()).toContain('is being measured');
      files = { bytes: 12_300_000, at: '2026-01-02T03:04:05Z' };
      expect(await shown()).toMatch(/Size of the data folder<\/dt>\s*<dd>12 MB, measured /);
      expect(await shown('?lang=hi')).toContain('डेटा फ़ोल्डर का आकार');
      expect((await (await start()).own.open('/admin/system/')).body).not.toContain('Size of the data folder');
    });

    defineCase(target, 'list the kinds of layers, with a search and filters', async () => {
      const { stores, own } = await start();
      await stores.places.seedDatasets([
        { name: 'LULC test', layerType: 'raster', workspace: 'lulc', styleName: 'lulc_style' },
        { name: MARKUP, layerType: 'vector', workspace: 'drainage', styleName: 'lines' },
      ]);
      const found = (await own.open('/admin/datasets/?q=DRAIN&by_type=vector')).body;
      expect(found).toMatch(/1 to 1 of 1[^]*&lt;img src=x[^]*lines/);
      expect((await own.open('/admin/datasets/?q=lulc+test&by_type=vector')).body).not.toContain('lulc_style');
    });
  });
}
