import { buildOperations } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { notesResource } from '../fixture/notes-resource.ts';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { createScreenBrowser, type Fields, hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import { endedSessionCases } from './ended-sessions.ts';
import { signInBrowser } from './screens.ts';

const ADMIN = '/admin/';
const NOTES = '/admin/notes/';
const MARKUP = '<img src=x onerror=alert(1)>';

/** Fills the parameters of an address of the admin with those of a note. */
const ofNotes = (path: string): string =>
  path.replace(':resource', 'notes').replace(':id', '1').replace(':action', 'pin');
/** Address of a page of the admin about notes. */
const pageOfNotes = (path: string): string =>
  ofNotes(path)
    .replace('/pin/', '/seal/')
    .replace(/actions\/$/, 'actions/?action=remove&row%3A1=on');

type SignedIn = (user?: Fields) => Promise<ScreenBrowser>;

/** Cases of the admin: its pages, its forms, and attacks on them. */
export function adminScreenCases(target: HttpTarget): void {
  describe('the admin', () => {
    const harness = useHarness(target);
    const signedIn: SignedIn = async (user = SAMPLE_USERS.operator) => {
      const own = createScreenBrowser(harness().host.url);
      const named = { username: user['username'] ?? '', password: user['password'] ?? '' };
      expect((await signInBrowser(own, named)).status).toBe(303);
      return own;
    };
    accessCases(target, harness, signedIn);
    listCases(target, signedIn);
    formCases(target, signedIn);
    actionCases(target, signedIn);
    endedSessionCases(target, signedIn);
    embedderCases(target);
  });
}

/** Cases of who may open the admin. */
function accessCases(target: HttpTarget, harness: ReturnType<typeof useHarness>, signedIn: SignedIn): void {
  const rows = buildOperations(SAMPLE_PIPELINES).filter(
    ({ path, id }) => path.startsWith(ADMIN) && !path.includes('import') && id !== 'showAdminSignIn',
  );
  const pages = rows.filter(({ method }) => method === 'GET').map(({ path }) => pageOfNotes(path));
  const forms = rows.filter(({ method }) => method === 'POST').map(({ path }) => ofNotes(path));

  defineCase(target, 'visitors are sent to the sign-in, and back to the page', async () => {
    expect([pages.length, forms.length]).toEqual([6, 4]);
    const own = createScreenBrowser(harness().host.url);
    for (const page of [...pages, `${NOTES}?q=a%26b&by_color=red`]) {
      const sent = await own.open(page);
      expect([sent.status, sent.location]).toEqual([303, `/login/?next=${encodeURIComponent(page)}`]);
    }
    const done = await own.submit((await own.open(`${NOTES}?q=x`)).location ?? '', SAMPLE_USERS.operator);
    expect(done.location).toBe(`${NOTES}?q=x`);
    for (const form of forms) expect([form, (await own.post(form, {})).status]).toEqual([form, 403]);
  });

  defineCase(target, 'the sign-in of the admin is a page of its own', async () => {
    const { status, body } = await createScreenBrowser(harness().host.url).open('/admin/login/');
    expect([status, body]).toEqual([200, expect.stringContaining('name="password"')]);
  });

  defineCase(target, 'other users get a page with 403, and change nothing', async () => {
    const own = await signedIn(SAMPLE_USERS.owner);
    const { token = '' } = hiddenFields((await own.open('/dashboard/')).body);
    for (const page of [...pages, '/admin/none/']) {
      const refused = await own.open(page);
      expect([page, refused.status, refused.body]).toEqual([page, 403, expect.stringContaining('Only superusers')]);
      expect(refused.body).not.toContain('note 0');
    }
    for (const form of forms) expect([form, (await own.post(form, { token })).status]).toEqual([form, 403]);
    expect((await own.open('/dashboard/')).body).not.toContain('href="/admin/"');
    const token2 = { authorization: `Bearer ${await harness().token('operator')}` };
    expect((await createScreenBrowser(harness().host.url).open(ADMIN, token2)).status).toBe(303);
  });

  defineCase(target, 'every form refuses other origins, and a session without its token', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}1/`)).body);
    for (const form of forms) {
      for (const origin of ['https://evil.example', 'null', 'http://localhost:3000'])
        expect([form, (await own.post(form, { token, 'row:1': 'on', action: 'pin' }, { origin })).status]).toEqual([
          form,
          403,
        ]);
      for (const wrong of ['', 'x'.repeat(43)])
        expect([form, (await own.post(form, { token: wrong })).status]).toEqual([form, 403]);
    }
    const other = await signedIn();
    expect((await other.post(`${NOTES}1/actions/pin/`, { token })).status).toBe(403);
    expect((await own.open(`${NOTES}1/`)).body).toContain('No change is recorded');
  });

  defineCase(target, 'every page is private, in no frame, and closed to other origins', async () => {
    const own = await signedIn();
    for (const path of pages) {
      const { status, headers } = await own.open(path);
      const found = [path, status, headers.get('cache-control'), headers.get('x-frame-options')];
      expect(found).toEqual([path, 200, 'no-store', 'DENY']);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      const foreign = await own.open(path, { origin: 'http://localhost:3000' });
      expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([303, null]);
    }
  });

  defineCase(target, 'superusers find the admin in the menu and in the dashboard', async () => {
    const own = await signedIn();
    for (const path of ['/dashboard/', '/', ADMIN])
      expect([path, (await own.open(path)).body]).toEqual([
        path,
        expect.stringContaining('<a href="/admin/">Admin</a>'),
      ]);
  });

  defineCase(target, 'unknown kinds and entries are a page with 404', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}1/`)).body);
    for (const path of [
      '/admin/none/',
      '/admin/none/add/',
      '/admin/none/1/',
      `${NOTES}999/`,
      '/admin/%3Cb%3E/',
      `${NOTES}%3Cb%3E/`,
    ]) {
      const shown = await own.open(path);
      expect([path, shown.status, shown.body]).toEqual([path, 404, expect.stringContaining('<h1>Not found</h1>')]);
      expect(shown.body).not.toContain('<b>/');
    }
    for (const path of [
      '/admin/none/1/',
      `${NOTES}999/`,
      `${NOTES}1/actions/none/`,
      '/admin/none/actions/',
      `${NOTES}actions/`,
    ])
      expect([path, (await own.post(path, { token, action: 'none', 'row:1': 'on' })).status]).toEqual([path, 404]);
  });
}

/** Cases of the index and of lists. */
function listCases(target: HttpTarget, signedIn: SignedIn): void {
  defineCase(target, 'the index lists the kinds with their counts', async () => {
    const { body } = await (await signedIn()).open(ADMIN);
    expect(body).toMatch(/<h2 id="work">Work<\/h2>[^]*<a href="\/admin\/notes\/">Notes<\/a>[^]*Entries: 120/);
    const hindi = await (await signedIn()).open(`${ADMIN}?lang=hi`);
    expect(hindi.body).toMatch(/<html lang="hi">[^]*<h1>व्यवस्थापन<\/h1>[^]*टिप्पणियाँ/);
  });

  defineCase(target, 'links and forms keep the language of the address', async () => {
    const own = await signedIn();
    const pages = [ADMIN, NOTES, `${NOTES}?q=note&by_color=red&sort=-text`, `${NOTES}add/`, `${NOTES}40/`];
    for (const path of pages) {
      const { body } = await own.open(`${path}${path.includes('?') ? '&' : '?'}lang=hi`);
      const found = [...body.matchAll(/(?:href|action)="(\/(?:admin|dashboard)\/[^"]*)"/g)].map(([, to = '']) => to);
      expect(found.length).toBeGreaterThan(1);
      expect([path, found.filter((to) => !/[?;]lang=hi(?:&|$)/.test(to))]).toEqual([path, []]);
    }
    expect((await own.open(`${NOTES}?lang=hi`)).body).toMatch(/role="search"[^]*name="lang" value="hi"[^]*<\/form>/);
    const typed = { text: 'note 040', color: 'red' };
    const changed = await own.submit(`${NOTES}40/`, typed, `${NOTES}40/?lang=hi`);
    expect(changed.location).toBe(`${NOTES}40/?lang=hi&done=change`);
    const refused = await own.submit(`${NOTES}40/`, { ...typed, text: '' }, `${NOTES}40/?lang=hi`);
    expect(refused.body).toContain('<html lang="hi">');
    expect(refused.body).toContain(`action="${NOTES}40/?lang=hi"`);
    const { token = '' } = hiddenFields(refused.body);
    const pinned = await own.post(`${NOTES}41/actions/pin/?lang=hi`, { token });
    expect(pinned.location).toBe(`${NOTES}41/?lang=hi&done=pin`);
    const actionsOf = async (path: string): Promise<readonly string[]> =>
      (await own.open(`${path}?lang=hi`)).body.match(/(?<=method="post" action=")[^"]*/g) ?? [];
    for (const path of ['/dashboard/', '/dashboard/password/', '/logout/'])
      expect([path, (await actionsOf(path)).filter((to) => !to.endsWith('?lang=hi'))]).toEqual([path, []]);
    own.cookies.delete('headwater_session');
    expect(await actionsOf('/login/')).toEqual(['/login/?lang=hi']);
    expect(await actionsOf('/register/')).toEqual(['/register/?lang=hi']);
    const wrong = await own.submit('/login/', { username: 'x', password: 'y' }, '/login/?lang=hi');
    expect(wrong.body).toContain('<html lang="hi">');
    const right = await own.submit('/login/', SAMPLE_USERS.operator, '/login/?lang=hi');
    expect(right.location).toBe('/dashboard/?lang=hi');
    own.cookies.delete('headwater_session');
    const sent = await own.post(`${NOTES}add/?lang=hi`, { token, ...typed });
    expect(decodeURIComponent(sent.location ?? '')).toMatch(/next=\/admin\/notes\/add\/\?text=.*&lang=hi/);
  });

  defineCase(target, 'a list has pages of 50 with their own titles, a search, filters and an order', async () => {
    const own = await signedIn();
    const names = async (query: string): Promise<readonly string[]> =>
      [...(await own.open(NOTES + query)).body.matchAll(/<td><a href="\/admin\/notes\/\d+\/">(note \d+)</g)].map(
        ([, name = '']) => name,
      );
    const first = await own.open(NOTES);
    expect(first.body).toMatch(/<h1>Notes<\/h1>[^]*<caption>\s*1 to 50 of 120\s*<\/caption>/);
    expect(first.body).toContain('<a rel="next" href="/admin/notes/?page=2">');
    const second = await own.open(`${NOTES}?page=2`);
    expect([first.body, second.body].map((body) => /<title>(.*)<\/title>/.exec(body)?.[1])).toEqual([
      'Notes - Admin',
      'Notes, page 2 - Admin',
    ]);
    expect((await names('?page=2'))[0]).toBe('note 051');
    expect(await names('?page=3')).toHaveLength(20);
    expect(await names('?q=note%2001&by_color=red')).toEqual([
      'note 010',
      'note 012',
      'note 014',
      'note 016',
      'note 018',
    ]);
    expect((await names('?sort=-text'))[0]).toBe('note 120');
    const sorted = await own.open(`${NOTES}?sort=-text&q=note&by_color=red`);
    expect(sorted.body).toMatch(
      /<th scope="col"\s+aria-sort="descending">\s*<a href="\/admin\/notes\/\?q=note&amp;by_color=red&amp;sort=text">/,
    );
    expect(sorted.body).toMatch(/<a href="\/admin\/notes\/\?q=note&amp;sort=-text"\s*>All<\/a>/);
    const ignored = '?sort=color&by_color=green&by_other=1&page=-1&page_size=9';
    expect([(await names(ignored)).length, (await names(ignored))[0]]).toEqual([50, 'note 001']);
    for (const page of ['99', 'x', '0', '1e9']) expect((await own.open(`${NOTES}?page=${page}`)).status).toBe(200);
    const none = await own.open(`${NOTES}?q=${encodeURIComponent(MARKUP)}`);
    expect(none.body).toContain('No entries match');
    expect(none.body).not.toContain('<img src=x');
  });

  defineCase(target, 'a value links to pages of this service and to web addresses only', async () => {
    expect((await (await signedIn()).open(NOTES)).body).not.toContain('javascript:');
  });
}

/** Cases of adding and changing. */
function formCases(target: HttpTarget, signedIn: SignedIn): void {
  defineCase(target, 'an entry is added and changed, and its page shows the history', async () => {
    const own = await signedIn();
    const added = await own.submit(`${NOTES}add/`, { text: `first ${MARKUP}`, color: 'red' });
    expect([added.status, added.location]).toEqual([303, expect.stringMatching(/^\/admin\/notes\/\d+\/\?done=add$/)]);
    const page = (added.location ?? '').replace(/\?.*/, '');
    const shown = await own.open(added.location ?? '');
    expect(shown.body).toMatch(/role="status">Added\.<[^]*first &lt;img/);
    const changed = await own.submit(page, { text: 'second', color: 'blue', is_pinned: 'on' });
    expect([changed.status, changed.location]).toEqual([303, `${page}?done=change`]);
    const after = await own.open(changed.location ?? '');
    expect(after.body).toMatch(/<h1>second<\/h1>[^]*The changes are saved/);
    expect(after.body).toMatch(/id="is_pinned"[^>]* checked/);
    expect(after.body).toMatch(/<option value="blue"\s+selected/);
    expect(after.body).toMatch(/Text: first &lt;img[^<]*→\s+second[^]*Colour: Red →\s+Blue[^]*Pinned: no →\s+yes/);
    expect(after.body).toMatch(/operator[^]*changed[^]*operator[^]*added/);
    for (const { body } of [shown, after]) expect(body).not.toContain('<img src=x');
    const index = await own.open(ADMIN);
    expect(index.body).toMatch(new RegExp(`Latest changes[^]*<a href="${page}">second</a>`));
  });

  defineCase(
    target,
    'a refused form comes back filled, with the reason at the field, and changes nothing',
    async () => {
      const own = await signedIn();
      for (const [fields, reason] of [
        [{ text: '', color: 'red' }, 'id="text-error"><span lang="en">This field is required'],
        [{ text: 'x'.repeat(101), color: 'red' }, 'no more than 100 characters'],
        [{ text: 'kept', color: 'green' }, 'id="color-error"><span lang="en">Must be one of red, blue'],
        [{ text: 'refused', color: 'red' }, 'id="text-error"><span lang="en">is refused; write another one'],
      ] as const) {
        for (const path of [`${NOTES}add/`, `${NOTES}5/`]) {
          const refused = await own.submit(path, { ...fields, secret: 'tall-river-42', is_pinned: 'on' });
          expect([refused.status, refused.body]).toEqual([400, expect.stringContaining(reason)]);
          expect(refused.body).toContain('Correct the marked fields');
          expect(refused.body).toMatch(/id="is_pinned"[^>]* checked/);
          expect(refused.body).not.toContain('tall-river-42');
        }
      }
      const { body } = await own.open(`${NOTES}5/`);
      expect(body).toMatch(/<h1>note 005<\/h1>[^]*No change is recorded/);
    },
  );

  defineCase(target, 'fields that are not declared, or only shown, change nothing', async () => {
    const own = await signedIn();
    const more = { id: '7', title: 'x', __proto__: 'x', constructor: 'x', secret: 'x', isPinned: 'on' };
    await own.submit(`${NOTES}6/`, { text: 'note 006', color: 'red', ...more });
    const { body } = await own.open(`${NOTES}6/`);
    expect(body).toMatch(/<h1>note 006<\/h1>/);
    expect(body).not.toMatch(/id="is_pinned"[^>]* checked/);
    expect((await own.open(`${NOTES}7/`)).body).toContain('<h1>note 007</h1>');
  });

  defineCase(target, 'secrets and files are used, shown once by the resource, and not recorded', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}add/`)).body);
    const form = new FormData();
    for (const [name, value] of Object.entries({ token, text: 'sealed', color: 'red', secret: 'tall-river-42' }))
      form.set(name, value);
    form.set('attached', new File(['file content'], 'a.txt', { type: 'text/plain' }));
    const shown = await own.postForm(`${NOTES}add/`, form);
    expect([shown.status, shown.body]).toEqual([200, expect.stringContaining('Shown once: tall-river-42file content')]);
    expect((await own.open(ADMIN)).body).toContain('sealed');
    expect((await own.open(ADMIN)).body).not.toMatch(/tall-river-42|file content/);
    form.set('attached', new File([new Uint8Array([0xff, 0x00])], 'a.bin'));
    const binary = await own.postForm(`${NOTES}add/`, form);
    expect([binary.status, binary.body]).toEqual([400, expect.stringContaining('id="attached-error"')]);
  });
}

/** Cases of actions on one row and on several. */
function actionCases(target: HttpTarget, signedIn: SignedIn): void {
  defineCase(target, 'a dangerous action asks first, and lists what goes with the entry', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}20/`)).body);
    const asked = await own.post(`${NOTES}20/actions/remove/`, { token });
    expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('Removes note 020 for good.')]);
    expect((await own.open(`${NOTES}20/`)).status).toBe(200);
    const done = await own.post(`${NOTES}20/actions/remove/`, hiddenFields(asked.body));
    expect([done.status, done.location]).toEqual([303, '/admin/notes/?done=remove']);
    expect((await own.open(done.location ?? '')).body).toContain('Done: Remove');
    expect((await own.open(`${NOTES}20/`)).status).toBe(404);
    expect((await own.open(ADMIN)).body).toMatch(/Remove<\/td>[^]*note 020/);
    const refused = await own.post(`${NOTES}3/actions/remove/`, { token, confirmed: 'yes' });
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('Note 3 is in use.')]);
  });

  defineCase(target, 'an action asks for its fields, and its result is shown; a failure is not recorded', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}21/`)).body);
    const path = `${NOTES}21/actions/seal/`;
    const asked = await own.post(path, { token });
    expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('type="password"')]);
    const empty = await own.post(path, { token, confirmed: 'yes' });
    expect([empty.status, empty.body]).toEqual([400, expect.stringContaining('id="password-error"')]);
    const failed = await own.post(path, { token, confirmed: 'yes', password: 'fails' });
    expect([failed.status, failed.body]).toEqual([
      200,
      expect.stringMatching(/role="alert">The seal failed[^]*No change/),
    ]);
    const done = await own.post(path, { token, confirmed: 'yes', password: 'tall-river-42' });
    expect([done.status, done.body]).toEqual([200, expect.stringMatching(/role="status">Sealed\.[^]*Seal<\/td>/)]);
    expect(done.body).not.toContain('tall-river-42');
  });

  defineCase(target, 'an action that a row does not offer is refused', async () => {
    const own = await signedIn();
    const pin = (fields: Fields) => own.post(`${NOTES}22/actions/pin/`, fields);
    const { token = '' } = hiddenFields((await own.open(`${NOTES}22/`)).body);
    expect((await pin({ token })).location).toBe('/admin/notes/22/?done=pin');
    expect((await own.open(`${NOTES}22/`)).body).not.toContain('/actions/pin/');
    expect((await pin({ token })).status).toBe(409);
  });

  defineCase(target, 'an action on chosen entries shows the result of each', async () => {
    const own = await signedIn();
    const listed = await own.open(NOTES);
    expect(listed.body).toMatch(/name="row:2"\s+value="on"\s+aria-label="Choose note 002"/);
    const { token = '' } = hiddenFields(listed.body);
    const chosen = { token, action: 'remove', 'row:2': 'on', 'row:3': 'on', 'row:4': 'on', 'row:999': 'on' };
    const asked = await own.post(`${NOTES}actions/`, chosen);
    expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('Removes note 003 for good.')]);
    expect(asked.body).toMatch(/name="confirmed" value="yes"[^]*name="row:2" value="on"[^]*name="row:999" value="on"/);
    const done = await own.post(`${NOTES}actions/`, { ...chosen, confirmed: 'yes' });
    expect([done.status, done.body]).toEqual([200, expect.stringContaining('2 of 4 done')]);
    expect(done.body).toMatch(/note 003<\/a>\s*<\/td>\s*<td>\s*<span class="failing">Note 3 is in use/);
    expect(done.body).toMatch(/<span class="failing">Notes has no entry 999/);
    const left = await Promise.all([2, 3, 4].map(async (id) => (await own.open(`${NOTES}${id}/`)).status));
    expect(left).toEqual([404, 200, 404]);
    const pinned = await own.post(`${NOTES}actions/`, { token, action: 'pin', 'row:30': 'on' });
    expect(pinned.body).toContain('1 of 1 done');
    expect((await own.open(`${NOTES}30/`)).body).toMatch(/History[^]*Pin<\/td>/);
  });

  defineCase(target, 'at least one and at most 200 entries are chosen', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(NOTES)).body);
    const none = await own.post(`${NOTES}actions/`, { token, action: 'pin' });
    expect([none.status, none.body]).toEqual([400, expect.stringContaining('Choose at least one entry')]);
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`row:${index}`, 'on']));
    const refused = await own.post(`${NOTES}actions/`, { token, action: 'pin', ...many });
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('Choose at most 200 entries')]);
    expect((await own.post(`${NOTES}actions/`, { token, action: 'seal', 'row:1': 'on' })).status).toBe(404);
  });
}

/** Cases of the options. */
function embedderCases(target: HttpTarget): void {
  const start = async (
    options: Parameters<typeof createSampleService>[0],
  ): Promise<[ScreenBrowser, (path: string) => boolean]> => {
    const { service, close } = await createSampleService(options);
    const host = await target.start({ mounts: [{ service, prefix: '' }] });
    onTestFinished(async () => {
      await close();
      await host.close();
    });
    return [createScreenBrowser(host.url), (path) => service.owns(path)];
  };

  defineCase(target, 'without pages for users there is no admin', async () => {
    const [, owns] = await start({ pages: 'off' });
    expect([owns(ADMIN), owns(NOTES), owns('/admin/login/')]).toEqual([false, false, false]);
  });

  defineCase(target, 'behind the sign-in of the host the admin is for its superusers', async () => {
    const userOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string | undefined =>
      typeof headers['x-user'] === 'string' ? headers['x-user'] : undefined;
    const [own] = await start({ pages: { userOf, signIn: '/host/sign-in' } });
    expect((await own.open(NOTES)).location).toBe('/host/sign-in?next=%2Fadmin%2Fnotes%2F');
    expect((await own.open(NOTES, { 'x-user': SAMPLE_USERS.owner.username })).status).toBe(403);
    const user = { 'x-user': SAMPLE_USERS.operator.username };
    const { token = '' } = hiddenFields((await own.open(`${NOTES}1/`, user)).body);
    const changed = await own.post(`${NOTES}1/`, { token, text: 'by host', color: 'red' }, user);
    expect([changed.status, changed.location]).toEqual([303, '/admin/notes/1/?done=change']);
  });

  defineCase(target, 'resources that cannot work are refused at the start, all at once', async () => {
    const notes = notesResource(1);
    const bad = { ...notes, name: 'login', fields: [{ name: 'token', label: { en: 'x' } }] };
    await expect(createSampleService({ adminResources: () => [notes, notes, bad] })).rejects.toThrow(
      /adminResources: login: use lower-case .*login: field token: .*notes exists twice/,
    );
  });
}
