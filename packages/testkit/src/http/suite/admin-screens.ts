import { buildOperations } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { notesResource } from '../fixture/notes-resource.ts';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { adminActionCases, adminFormCases, type SignedIn } from './admin-forms.ts';
import { defineCase, useHarness } from './harness.ts';
import { createScreenBrowser, hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import { signInBrowser } from './screens.ts';

const ADMIN = '/admin/';
const NOTES = '/admin/notes/';
const MARKUP = '<img src=x onerror=alert(1)>';

/** Fills the parameters of an address of the admin with those of a note. */
const ofNotes = (path: string): string =>
  path.replace(':resource', 'notes').replace(':id', '1').replace(':action', 'pin');

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
    adminFormCases(target, signedIn);
    adminActionCases(target, signedIn);
    embedderCases(target);
  });
}

/** Cases of who may open the admin. */
function accessCases(target: HttpTarget, harness: ReturnType<typeof useHarness>, signedIn: SignedIn): void {
  const rows = buildOperations(SAMPLE_PIPELINES).filter(
    ({ path, id }) => path.startsWith(ADMIN) && !path.includes('import') && id !== 'showAdminSignIn',
  );
  const pages = rows.filter(({ method }) => method === 'GET').map(({ path }) => ofNotes(path));
  const forms = rows.filter(({ method }) => method === 'POST').map(({ path }) => ofNotes(path));

  defineCase(target, 'visitors are sent to the sign-in, and back to the page', async () => {
    expect([pages.length, forms.length]).toEqual([4, 4]);
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

  defineCase(
    target,
    'a session that has ended returns to the page after the sign-in, with the typed texts',
    async () => {
      const own = await signedIn();
      const { token = '' } = hiddenFields((await own.open(`${NOTES}add/`)).body);
      own.cookies.delete('headwater_session');
      const typed = { token, text: 'half & done', secret: 'tall-river-42', other: 'x' };
      const sent = await own.post(`${NOTES}add/`, typed);
      expect([sent.status, decodeURIComponent(sent.location ?? '')]).toEqual([
        303,
        '/login/?next=/admin/notes/add/?text=half+%26+done&is_pinned=',
      ]);
      const done = await own.submit(sent.location ?? '', SAMPLE_USERS.operator);
      const shown = await own.open(done.location ?? '');
      expect(shown.body).toContain('value="half &amp; done"');
      expect(shown.body).not.toMatch(/id="is_pinned"[^>]* checked/);
      own.cookies.delete('headwater_session');
      const long = await own.post(`${NOTES}add/`, { ...hiddenFields(shown.body), text: 'x'.repeat(1600) });
      expect(decodeURIComponent(long.location ?? '')).toMatch(/\?is_pinned=$/);
    },
  );

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
