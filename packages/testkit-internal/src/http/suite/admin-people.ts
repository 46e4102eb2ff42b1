import { describe, expect } from 'vitest';
import { SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { type Fields, hiddenFields, type ScreenBrowser, type Shown } from './screen-browser.ts';
import { signedInBrowser, type SignInFields } from './screens.ts';

const KEYS = '/admin/api-keys/';
const SESSIONS = '/admin/sessions/';
const ORGANIZATIONS = '/admin/organizations/';
const REQUESTS = '/admin/join-requests/';
const GROUPS = '/admin/groups/';
const PROJECTS = '/admin/projects/';
const MARKUP = '<img src=x onerror=alert(1)>';
const ESCAPED = '&lt;img src=x onerror=alert(1)&gt;';
const PASSWORD = 'tall-river-42';

/** Test cases of the admin's keys, sessions, organisations, groups and projects. */
export function adminPeopleCases(target: HttpTarget): void {
  describe('people in the admin', () => {
    const harness = useHarness(target);
    const signedIn = (user: SignInFields): Promise<ScreenBrowser> => signedInBrowser(harness().host.url, user);
    const operator = (): Promise<ScreenBrowser> => signedIn(SAMPLE_USERS.operator);
    const act = async (own: ScreenBrowser, path: string, fields: Fields = {}): Promise<Shown> => {
      const { token = '' } = hiddenFields((await own.open(`${ORGANIZATIONS}add/`)).body);
      return await own.post(path, { token, confirmed: 'yes', ...fields });
    };
    const newUser = async (username: string) =>
      await harness().service.accounts.createUser({ username, password: PASSWORD });
    const newKey = async (username: string, name: string) => {
      const user = await harness().service.stores.users.byUsername(username);
      if (user === undefined) throw new Error(`no user ${username}`);
      return await harness().service.apiKeys.generate({ kind: 'user', user }, { name });
    };
    const statusWith = async (key: string): Promise<number> =>
      (await harness().get('/api/v1/get_active_locations/', { headers: { 'x-api-key': key } })).status;
    const newOrganization = async (own: ScreenBrowser, name: string): Promise<string> => {
      const added = await own.submit(`${ORGANIZATIONS}add/`, { name, is_listed: 'on' });
      expect([added.status, added.location]).toEqual([
        303,
        expect.stringMatching(/\/admin\/organizations\/[-\w]+\/\?done=add/),
      ]);
      return (added.location ?? '').replace(/\?.*/, '');
    };

    defineCase(
      target,
      'keys of all users are found and revoked, after a page that lists the consequences',
      async () => {
        const own = await operator();
        const { text, key } = await newKey(SAMPLE_USERS.owner.username, `laptop ${MARKUP}`);
        const page = `${KEYS}${key.prefix}/`;
        const listed = await own.open(`${KEYS}?q=laptop+${SAMPLE_USERS.owner.username}&by_state=active`);
        expect(listed.body).toMatch(
          new RegExp(`<a href="${page}">${key.prefix}</a>[^]*>${SAMPLE_USERS.owner.username}</a>`),
        );
        expect(listed.body).toContain(ESCAPED);
        for (const body of [listed.body, (await own.open(page)).body]) {
          expect(body).not.toContain('<img src=x');
          expect(body).not.toContain(text);
        }
        const asked = await own.post(`${page}actions/revoke/`, hiddenFields((await own.open(page)).body));
        expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('cannot be activated again')]);
        expect(await statusWith(text)).toBe(200);
        const done = await own.post(`${page}actions/revoke/`, hiddenFields(asked.body));
        expect([done.status, done.location]).toEqual([303, `${page}?done=revoke`]);
        expect(await statusWith(text)).toBe(401);
        const after = await own.open(page);
        expect(after.body).toMatch(/Revoked[^]*History[^]*Revoke<\/td>/);
        expect(after.body).not.toContain('/actions/revoke/');
        expect((await own.open(`${KEYS}?q=laptop&by_state=ended`)).body).toContain(key.prefix);
        expect((await own.open(`${KEYS}?q=laptop&by_state=active`)).body).not.toContain(key.prefix);
      },
    );

    defineCase(target, 'several keys can be revoked together', async () => {
      const own = await operator();
      const keys = [await newKey(SAMPLE_USERS.other.username, 'a'), await newKey(SAMPLE_USERS.owner.username, 'b')];
      const chosen = Object.fromEntries(keys.map(({ key }) => [`row:${key.prefix}`, 'on']));
      const done = await act(own, `${KEYS}actions/`, { action: 'revoke', ...chosen });
      expect([done.status, done.body]).toEqual([200, expect.stringContaining('2 of 2 done')]);
      for (const { text } of keys) expect(await statusWith(text)).toBe(401);
    });

    defineCase(target, 'a session is ended, and its browser is signed out', async () => {
      const own = await operator();
      await newUser('visitor');
      const other = await signedIn({ username: 'visitor', password: PASSWORD });
      const listed = await own.open(`${SESSIONS}?q=visitor`);
      const [, page = ''] = /href="(\/admin\/sessions\/[0-9a-f]{64}\/)[?"]/.exec(listed.body) ?? [];
      const done = await own.post(`${page}actions/end/`, {
        ...hiddenFields((await own.open(page)).body),
        confirmed: 'yes',
      });
      expect([done.status, done.location]).toEqual([303, `${SESSIONS}?done=end`]);
      expect((await other.open('/dashboard/')).status).toBe(303);
      expect((await own.open(page)).status).toBe(404);
    });

    defineCase(
      target,
      'an organisation is added, renamed and offered to new users, and is removed after a page that counts its members',
      async () => {
        const own = await operator();
        const page = await newOrganization(own, `Trust ${MARKUP}`);
        const refused = await own.submit(`${ORGANIZATIONS}add/`, { name: `TRUST ${MARKUP}` });
        expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('id="name-error"')]);
        const more = { id: 'x', members: '9', __proto__: 'x' };
        expect((await own.submit(page, { name: `Seva ${MARKUP}`, ...more })).location).toBe(`${page}?done=change`);
        const shown = await own.open(page);
        expect(shown.body).toMatch(/<h1>Seva &lt;img[^]*No requests to join[^]*Listed: yes →\s+no/);
        expect((await own.open(`${ORGANIZATIONS}?q=seva&by_is_listed=yes`)).body).toContain('No entries match');
        await act(own, `${page}actions/list/`);
        const listed = await own.open(`${ORGANIZATIONS}?q=seva&by_is_listed=yes`);
        expect(listed.body).toMatch(new RegExp(`<a href="${page}[^"]*">Seva &lt;img`));
        await newUser('teacher');
        expect((await act(own, `${page}actions/add-member/`, { username: 'teacher' })).status).toBe(303);
        const unknown = await act(own, `${page}actions/add-member/`, { username: MARKUP });
        expect([unknown.status, unknown.body]).toEqual([400, expect.stringContaining('id="username-error"')]);
        const asked = await own.post(`${page}actions/remove/`, hiddenFields((await own.open(page)).body));
        expect(asked.body).toContain('Members who lose this organisation and any administrator role in it: 1');
        for (const { body } of [shown, listed, unknown, asked]) expect(body).not.toContain('<img src=x');
        expect((await own.post(`${page}actions/remove/`, hiddenFields(asked.body))).location).toBe(
          `${ORGANIZATIONS}?done=remove`,
        );
        expect((await own.open(page)).status).toBe(404);
      },
    );

    defineCase(
      target,
      'requests to join are listed on the page of the organisation, and can be accepted or declined',
      async () => {
        const own = await operator();
        const page = await newOrganization(own, 'Jal Samiti');
        const requestedOrganizationId = page.split('/')[3] ?? '';
        const { users, people } = harness().service.stores;
        const rights = { isActive: true, isSuperuser: false, mayCompute: false, mustChangePassword: false };
        const details = { email: '', lastName: '', contactNumber: null, passwordHash: 'x', requestedOrganizationId };
        const ids: number[] = [];
        for (const username of ['first_joiner', 'second_joiner', 'third_joiner'])
          ids.push((await users.create({ username, firstName: MARKUP, ...rights, ...details })).id);
        const [first = 0, second = 0, third = 0] = ids;
        const shown = await own.open(page);
        expect(shown.body).toContain(`<a href="${REQUESTS}${first}/">first_joiner</a>`);
        const listed = await own.open(`${REQUESTS}?q=jal+joiner`);
        expect(listed.body).toMatch(/1 to 3 of 3/);
        for (const { body } of [shown, listed]) expect(body).toMatch(/&lt;img src=x/);
        for (const { body } of [shown, listed]) expect(body).not.toContain('<img src=x');
        expect((await own.submit(`${REQUESTS}${first}/`, {}, `${REQUESTS}${first}/actions/accept/`)).location).toBe(
          `${REQUESTS}?done=accept`,
        );
        const user = await own.open(`/admin/users/${second}/`);
        expect(user.body).toContain(`<a href="${REQUESTS}${second}/">Jal Samiti</a>`);
        expect((await own.open(`/admin/users/${first}/`)).body).toContain(`<a href="${page}">Jal Samiti</a>`);
        const both = await act(own, `${REQUESTS}actions/`, { action: 'accept', [`row:${second}`]: 'on' });
        expect(both.body).toContain('1 of 1 done');
        await act(own, `${REQUESTS}${third}/actions/decline/`);
        const joined = await Promise.all(ids.map(async (id) => (await people.person(id))?.organization?.name));
        expect(joined).toEqual(['Jal Samiti', 'Jal Samiti', undefined]);
        expect((await own.open(`${REQUESTS}?q=jal`)).body).toContain('No entries match');
      },
    );

    defineCase(target, 'members join and leave groups and projects', async () => {
      const own = await operator();
      await newUser('planner');
      expect((await own.open(GROUPS)).body).toMatch(/Project Manager/);
      expect((await act(own, `${GROUPS}2/actions/add-member/`, { username: 'planner' })).status).toBe(303);
      expect((await own.open(`${GROUPS}2/`)).body).toContain('>planner</a>');
      expect((await act(own, `${GROUPS}2/actions/remove-member/`, { username: 'planner' })).status).toBe(303);
      expect((await own.open(`${GROUPS}2/`)).body).toContain('No members.');

      const added = await own.submit(`${PROJECTS}add/`, { name: `Wells ${MARKUP}`, organization: '' });
      const page = (added.location ?? '').replace(/\?.*/, '');
      const taken = await own.submit(`${PROJECTS}add/`, { name: `wells ${MARKUP}`, organization: '' });
      expect([taken.status, taken.body]).toEqual([409, expect.stringContaining('id="name-error"')]);
      const absent = await own.submit(`${PROJECTS}add/`, { name: 'Other', organization: `"${MARKUP}` });
      expect([absent.status, absent.body]).toEqual([400, expect.stringContaining('id="organization-error"')]);
      const set = `${page}actions/set-member/`;
      const wrong = await act(own, set, { username: 'planner', role: '9' });
      expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining('id="role-error"')]);
      for (const role of ['3', '2']) expect((await act(own, set, { username: 'planner', role })).status).toBe(303);
      const shown = await own.open(page);
      expect(shown.body).toMatch(/>planner<\/a>\s*<\/td>[^]*<td>Project Manager<\/td>/);
      await act(own, `${page}actions/remove-member/`, { username: 'planner' });
      expect((await own.open(page)).body).toContain('No members.');
      for (const { body } of [taken, absent, wrong, shown, await own.open(PROJECTS)])
        expect(body).not.toContain('<img src=x');
    });

    defineCase(
      target,
      'projects are renamed, and are removed after a page that counts the members who lose their role',
      async () => {
        const own = await operator();
        const member = await newUser('remover');
        const add = async (name: string): Promise<string> =>
          ((await own.submit(`${PROJECTS}add/`, { name, organization: '' })).location ?? '').replace(/\?.*/, '');
        const [page, other] = [await add('Drains'), await add('Sluices')];
        await act(own, `${page}actions/set-member/`, { username: 'remover', role: '3' });
        const taken = await own.submit(page, { name: 'SLUICES' });
        expect([taken.status, taken.body]).toEqual([409, expect.stringContaining('id="name-error"')]);
        const renamed = await own.submit(page, { name: 'Culverts' });
        expect([renamed.status, renamed.location]).toEqual([303, `${page}?done=change`]);
        const shown = await own.open(page);
        expect(shown.body).toMatch(/<h1>Culverts<\/h1>[^]*Name: Drains →\s+Culverts/);
        const asked = await own.submit(page, {}, `${page}actions/remove/`);
        expect([asked.status, asked.body]).toEqual([
          200,
          expect.stringContaining('lose their role in the project: 1.'),
        ]);
        const done = await own.post(`${page}actions/remove/`, hiddenFields(asked.body));
        expect([done.status, done.location]).toEqual([303, `${PROJECTS}?done=remove`]);
        expect([(await own.open(page)).status, (await own.open(other)).status]).toEqual([404, 200]);
        expect((await harness().service.stores.people.person(member.id))?.projects).toEqual([]);
        expect((await own.open('/admin/audit/?by_kind=projects&by_action=remove')).body).toContain('Culverts');
      },
    );

    defineCase(
      target,
      'users who are not superusers cannot open the pages or send the forms, even with the form token of their session',
      async () => {
        const admin = await operator();
        const page = await newOrganization(admin, 'Guarded');
        const { text, key } = await newKey(SAMPLE_USERS.other.username, 'guarded');
        const own = await signedIn(SAMPLE_USERS.owner);
        const { token = '' } = hiddenFields((await own.open('/dashboard/')).body);
        expect(token).not.toBe('');
        for (const path of [
          KEYS,
          SESSIONS,
          ORGANIZATIONS,
          REQUESTS,
          GROUPS,
          PROJECTS,
          page,
          `${KEYS}${key.prefix}/`,
          `${GROUPS}1/`,
        ])
          expect([path, (await own.open(path)).status]).toEqual([path, 403]);
        const forms: readonly (readonly [string, Fields])[] = [
          [`${KEYS}${key.prefix}/actions/revoke/`, {}],
          [`${KEYS}actions/`, { action: 'revoke', [`row:${key.prefix}`]: 'on' }],
          [`${ORGANIZATIONS}add/`, { name: 'Forged' }],
          [page, { name: 'Forged' }],
          [`${page}actions/remove/`, {}],
          [`${page}actions/add-member/`, { username: SAMPLE_USERS.owner.username }],
          [`${GROUPS}1/actions/add-member/`, { username: SAMPLE_USERS.owner.username }],
          [`${PROJECTS}add/`, { name: 'Forged' }],
        ];
        for (const sent of [token, ''])
          for (const [path, fields] of forms) {
            const { status } = await own.post(path, { token: sent, confirmed: 'yes', ...fields });
            expect([path, status]).toEqual([path, 403]);
          }
        expect(await statusWith(text)).toBe(200);
        const { people, teams, users } = harness().service.stores;
        const user = await users.byUsername(SAMPLE_USERS.owner.username);
        expect(await people.person(user?.id ?? 0)).toMatchObject({ organization: null, groups: [] });
        expect((await people.organizations({ onlyListed: false })).map(({ name }) => name)).toContain('Guarded');
        expect((await teams.projects()).map(({ name }) => name)).not.toContain('Forged');
      },
    );
  });
}
