import { describe, expect } from 'vitest';
import { SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { type Fields, hiddenFields, type ScreenBrowser, type Shown } from './screen-browser.ts';
import { actOn, signedInBrowser, type SignInFields } from './screens.ts';

const USERS = '/admin/users/';
const AUDIT = '/admin/audit/';
const MARKUP = '<img src=x onerror=alert(1)>';
const PASSWORD = 'tall-river-42';

/** Test cases of the admin's users and audit log. */
export function adminUserCases(target: HttpTarget): void {
  describe('users in the admin', () => {
    const harness = useHarness(target);
    const signedIn = (user?: SignInFields): Promise<ScreenBrowser> => signedInBrowser(harness().host.url, user);
    const newUser = async (username: string, isSuperuser = false) => {
      const { accounts } = harness().service;
      const account = { username, password: PASSWORD };
      const user = await (isSuperuser ? accounts.createSuperuser(account) : accounts.createUser(account));
      return { id: user.id, path: `${USERS}${user.id}/`, account };
    };
    const stored = (id: number) => harness().service.stores.users.byId(id);
    const act = async (own: ScreenBrowser, target: string, fields: Fields = {}): Promise<Shown> => {
      const [page = '', action = ''] = target.split(' ');
      return await actOn(own, { page, action }, { confirmed: 'yes', ...fields });
    };
    /** Fields of the form on a user's page, as a browser sends them. */
    const filled = (page: string): Fields =>
      Object.fromEntries(
        [...page.matchAll(/<input\s+id="(\w+)"\s+name="\w+"\s+type="(\w+)"[^>]*?>/g)].flatMap(
          ([input, name = '', type]) =>
            type === 'checkbox'
              ? / checked/.test(input)
                ? [[name, 'on']]
                : []
              : [[name, /value="([^"]*)"/.exec(input)?.[1] ?? '']],
        ),
      );

    defineCase(target, 'a user is added by the rules of accounts, and found in the list', async () => {
      const own = await signedIn();
      const weak = await own.submit(`${USERS}add/`, {
        username: 'new one',
        password: '12345678',
        email: 'x',
        first_name: 'Asha',
      });
      expect([weak.status, weak.body]).toEqual([
        400,
        expect.stringMatching(/id="username-error"[^]*id="email-error"[^]*id="password-error"/),
      ]);
      expect(weak.body).toContain('value="Asha"');
      expect(weak.body).not.toContain('12345678');
      const typed = {
        username: 'asha_k',
        password: PASSWORD,
        email: 'asha@example.org',
        first_name: 'Asha',
        last_name: MARKUP,
      };
      const added = await own.submit(`${USERS}add/`, {
        ...typed,
        may_compute: 'on',
        is_superuser: 'on',
        isSuperuser: 'on',
      });
      expect([added.status, added.location]).toEqual([303, expect.stringMatching(/^\/admin\/users\/\d+\/\?done=add$/)]);
      const user = await harness().service.stores.users.byUsername('asha_k');
      expect(user).toMatchObject({ email: 'asha@example.org', mayCompute: true, isSuperuser: false, isActive: true });
      const again = await own.submit(`${USERS}add/`, typed);
      expect([again.status, again.body]).toEqual([409, expect.stringContaining('id="username-error"')]);
      const listed = await own.open(`${USERS}?q=ASHA%40example`);
      expect(listed.body).toMatch(/<a href="\/admin\/users\/\d+\/">asha_k<\/a>[^]*1 to 1 of 1|1 to 1 of 1[^]*asha_k/);
      for (const { body } of [listed, await own.open(added.location ?? '')]) {
        expect(body).toContain('&lt;img src=x');
        expect(body).not.toContain('<img src=x');
      }
      const refusing = await own.submit(`${USERS}add/`, { username: 'reader_k', password: PASSWORD });
      const { mayCompute } = (await harness().service.stores.users.byUsername('reader_k')) ?? {};
      expect([refusing.status, mayCompute]).toEqual([303, false]);
      await signedIn({ username: 'asha_k', password: PASSWORD });
    });

    defineCase(target, 'the list can be filtered and sorted', async () => {
      const own = await signedIn();
      const names = async (query: string): Promise<string> =>
        [...(await own.open(USERS + query)).body.matchAll(/<a href="\/admin\/users\/\d+\/">([^<]+)</g)]
          .map(([, name]) => name)
          .join();
      await newUser('aaa_first');
      await newUser('zzz_last');
      expect(await names('?by_superuser=yes')).toBe('operator');
      expect(await names('?q=_&sort=-username')).toMatch(/^zzz_last,.*,aaa_first$/);
      expect(await names('?by_active=no')).toBe('');
    });

    defineCase(target, 'the form changes details, but not the username, the password or superuser rights', async () => {
      const own = await signedIn();
      const { id, path } = await newUser('changed_one');
      const before = await stored(id);
      const page = await own.open(path);
      const { token = '' } = hiddenFields(page.body);
      const attack = {
        is_superuser: 'on',
        isSuperuser: 'true',
        username: 'operator2',
        password_hash: 'x',
        session_version: '9',
        id: '1',
        must_change_password: 'on',
      };
      const typed = {
        ...filled(page.body),
        token,
        first_name: 'Ravi',
        contact_number: '+91 98',
        email: 'r@example.org',
        ...attack,
      };
      const done = await own.post(path, typed);
      expect([done.status, done.location]).toEqual([303, `${path}?done=change`]);
      const after = await stored(id);
      expect(after).toEqual({ ...before, firstName: 'Ravi', contactNumber: '+91 98', email: 'r@example.org' });
      const bad = await own.post(path, { ...typed, email: 'no address' });
      expect([bad.status, bad.body]).toEqual([400, expect.stringMatching(/id="email-error"/)]);
      expect((await own.open(path)).body).toMatch(/First name: — → Ravi/);
    });

    defineCase(
      target,
      'a form that was opened before another change gets 409; the form in that response can be saved',
      async () => {
        const [own, other] = [await signedIn(), await signedIn()];
        const { id, path } = await newUser('changed_twice');
        const page = await own.open(path);
        const typed = { ...filled(page.body), ...hiddenFields(page.body), contact_number: '+91 97' };
        expect((await act(other, `${path} disable`)).status).toBe(303);
        const refused = await own.post(path, typed);
        expect([refused.status, refused.body]).toEqual([
          409,
          expect.stringContaining('These data were changed in the meantime'),
        ]);
        expect(refused.body).toMatch(
          /value="\+91 97"[^]*id="is_active"[^>]* checked[^]*id="is_active-error"[^]*Now: no/,
        );
        expect(await stored(id)).toMatchObject({ isActive: false, contactNumber: null });
        const bad = await own.post(path, { ...typed, email: 'no address' });
        expect([bad.status, bad.body]).toEqual([409, expect.stringContaining('id="email-error"')]);
        const { is_active: _, ...seen }: Fields = { ...typed, ...hiddenFields(refused.body) };
        expect((await own.post(path, seen)).status).toBe(303);
        expect(await stored(id)).toMatchObject({ isActive: false, contactNumber: '+91 97' });
      },
    );

    defineCase(target, 'a superuser cannot disable their own account on any page', async () => {
      const own = await signedIn();
      const { id = 0 } = (await harness().service.stores.users.byUsername('operator')) ?? {};
      const path = `${USERS}${id}/`;
      const refused = await act(own, `${path} disable`);
      expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('You cannot disable yourself')]);
      const page = await own.open(path);
      const { is_active: _, ...typed } = filled(page.body);
      const changed = await own.post(path, { ...typed, ...hiddenFields(page.body) });
      expect([changed.status, changed.body]).toEqual([400, expect.stringContaining('id="is_active-error"')]);
      const { token = '' } = hiddenFields(page.body);
      const bulk = await own.post(`${USERS}actions/`, {
        token,
        action: 'disable',
        confirmed: 'yes',
        [`row:${id}`]: 'on',
      });
      expect(bulk.body).toMatch(/0 of 1 done[^]*You cannot disable yourself/);
      expect((await stored(id))?.isActive).toBe(true);
    });

    defineCase(
      target,
      'a superuser who changes the e-mail address of another superuser must send their own password',
      async () => {
        const own = await signedIn();
        const { id, path } = await newUser('second_boss', true);
        const page = await own.open(path);
        const typed = { ...filled(page.body), ...hiddenFields(page.body), email: 'stolen@example.org' };
        const refused = await own.post(path, typed);
        expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('id="old_password-error"')]);
        const done = await own.post(path, { ...typed, old_password: SAMPLE_USERS.operator.password });
        expect([done.status, (await stored(id))?.email]).toEqual([303, 'stolen@example.org']);
        const reset = await act(own, `${path} reset-password`, { password: 'wide-meadow-43' });
        expect([reset.status, (await stored(id))?.sessionVersion]).toEqual([409, 0]);
        expect((await own.open(path)).body).not.toMatch(/reset-password|operator-password/);
      },
    );

    defineCase(target, 'a new password ends the sessions and is not in the audit log', async () => {
      const own = await signedIn();
      const { path, account } = await newUser('forgetful');
      const user = await signedIn(account);
      const weak = await act(own, `${path} reset-password`, { password: 'password' });
      expect([weak.status, weak.body]).toEqual([400, expect.stringContaining('id="password-error"')]);
      const done = await act(own, `${path} reset-password`, { password: 'wide-meadow-43' });
      expect([done.status, done.body]).toEqual([200, expect.stringContaining('The password is set')]);
      expect((await user.open('/dashboard/')).status).toBe(303);
      await signedIn({ ...account, password: 'wide-meadow-43' });
      const { entries } = await harness().service.stores.audit.list({ action: 'reset-password', limit: 9, offset: 0 });
      expect(entries).toMatchObject([{ title: 'forgetful', actorName: 'operator', changes: {} }]);
      expect(JSON.stringify(entries)).not.toMatch(/wide-meadow|password_?hash/i);
    });

    defineCase(
      target,
      'disabling a user asks for confirmation and ends the sessions; sessions can also be ended separately',
      async () => {
        const own = await signedIn();
        const { id, path, account } = await newUser('leaving');
        const user = await signedIn(account);
        await act(own, `${path} end-sessions`);
        expect((await user.open('/dashboard/')).status).toBe(303);
        const asked = await act(own, `${path} disable`, { confirmed: '' });
        expect([asked.status, asked.body]).toEqual([
          200,
          expect.stringContaining('All sessions and tokens of the account end'),
        ]);
        expect((await stored(id))?.isActive).toBe(true);
        expect((await act(own, `${path} disable`)).location).toBe(`${path}?done=disable`);
        expect((await stored(id))?.isActive).toBe(false);
        expect((await act(own, `${path} enable`)).status).toBe(303);
        await signedIn(account);
      },
    );

    defineCase(target, 'chosen users get or lose the permission to compute', async () => {
      const own = await signedIn();
      const [one, two] = [await newUser('computes_1'), await newUser('computes_2')];
      const { token = '' } = hiddenFields((await own.open(USERS)).body);
      const chosen = { token, [`row:${one.id}`]: 'on', [`row:${two.id}`]: 'on', 'row:0': 'on', 'row:x': 'on' };
      const refused = await own.post(`${USERS}actions/`, { ...chosen, action: 'refuse-computing' });
      expect(refused.body).toContain('2 of 4 done');
      expect([(await stored(one.id))?.mayCompute, (await stored(two.id))?.mayCompute]).toEqual([false, false]);
      await own.post(`${USERS}actions/`, { ...chosen, action: 'allow-computing' });
      expect((await stored(two.id))?.mayCompute).toBe(true);
    });

    defineCase(target, 'the audit log is listed, searched and filtered, and cannot be changed', async () => {
      const own = await signedIn();
      const { id, path } = await newUser(`audited_one`);
      await act(own, `${path} refuse-computing`);
      const listed = await own.open(`${AUDIT}?q=audited_one&by_kind=users&by_action=refuse-computing`);
      expect(listed.body).toMatch(new RegExp(`<a href="${path}">audited_one</a>`));
      const [, entry = ''] = /<a href="(\/admin\/audit\/\d+\/)[?"]/.exec(listed.body) ?? [];
      const shown = await own.open(entry);
      expect(shown.body).toMatch(/May start computations\s*<\/th>\s*<td>yes<\/td>\s*<td>no<\/td>/);
      expect(shown.body).toMatch(/Address of the client[^]*127\.0\.0\.1/);
      expect(shown.body).not.toContain('method="post"');
      expect((await own.open(`${AUDIT}?by_action=add&q=audited_one`)).body).toContain('No entries match');
      const { token = '' } = hiddenFields((await own.open(path)).body);
      for (const form of [entry, `${AUDIT}add/`, `${entry}actions/remove/`, `${AUDIT}actions/`])
        expect([form, (await own.post(form, { token, title: 'x', action: 'remove', 'row:1': 'on' })).status]).toEqual([
          form,
          404,
        ]);
      expect(await stored(id)).toBeDefined();
    });
  });
}
