import { buildOperations } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { notesResource } from '../fixture/notes-resource.ts';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { adminActionCases, adminFormCases, type SignedIn } from './admin-forms.ts';
import { adminListCases } from './admin-lists.ts';
import { defineCase, useHarness } from './harness.ts';
import { createScreenBrowser, hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import { endedSessionCases } from './ended-sessions.ts';
import { signedInBrowser } from './screens.ts';

const ADMIN = '/admin/';
const NOTES = '/admin/notes/';

/** Replaces the parameters of an address by the values of a note. */
const ofNotes = (path: string): string =>
  path.replace(':resource', 'notes').replace(':id', '1').replace(':action', 'pin');
const pageOfNotes = (path: string): string =>
  ofNotes(path)
    .replace('/pin/', '/seal/')
    .replace(/actions\/$/, 'actions/?action=remove&row%3A1=on');

/** Test cases of the admin's pages and forms, and of attacks. */
export function adminScreenCases(target: HttpTarget): void {
  describe('the admin', () => {
    const harness = useHarness(target);
    const signedIn: SignedIn = (user) => signedInBrowser(harness().host.url, user);
    accessCases(target, harness, signedIn);
    adminListCases(target, signedIn);
    adminFormCases(target, signedIn);
    adminActionCases(target, signedIn);
    endedSessionCases(target, signedIn);
    embedderCases(target);
  });
}

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

  defineCase(target, 'the admin has its own sign-in page', async () => {
    const { status, body } = await createScreenBrowser(harness().host.url).open('/admin/login/');
    expect([status, body]).toEqual([200, expect.stringContaining('name="password"')]);
  });

  defineCase(target, 'users who are not superusers get a page with 403, and change nothing', async () => {
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

  defineCase(target, 'every page is private, allows no frame, and is closed to other origins', async () => {
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

  defineCase(target, 'unknown kinds and entries return a page with 404', async () => {
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

/** Test cases of options for the admin that an application sets when it embeds the service. */
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

  defineCase(target, 'if the host signs users in, only superusers of the service reach the admin', async () => {
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

  defineCase(target, 'all resources that cannot work are refused at the start, in one error', async () => {
    const notes = notesResource(1);
    const bad = { ...notes, name: 'login', fields: [{ name: 'token', label: { en: 'x' } }] };
    await expect(createSampleService({ adminResources: () => [notes, notes, bad] })).rejects.toThrow(
      /adminResources: login: its name must be lower-case .*login: field token: .*resource notes exists twice/,
    );
  });
}
