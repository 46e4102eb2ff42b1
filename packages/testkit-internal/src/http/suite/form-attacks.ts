import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { buildOperations, EXAMPLE_RUN, type Operation } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { type FoundForm, linksOf, readPage } from './stored-markup-page.ts';
import { type Fields, hiddenFields, type ScreenBrowser, type Shown } from './screen-browser.ts';
import { signedInBrowser } from './screens.ts';

/** Wrong tokens for this form are tested in `admin-places.ts`, because the token is in a multipart body. */
const IMPORT = '/admin/places/import/';
const MIB = 1024 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FOREIGN = ['https://evil.example', 'null', 'http://localhost:3000'];
const OF_VISITORS = new Set(['signIn', 'registerByForm', 'sendLinkByForm', 'signOut']);

/** All forms of the pages, the admin and the dashboard. New forms are included automatically. */
const FORMS: readonly { readonly row: Operation; readonly path: string }[] = buildOperations(SAMPLE_PIPELINES)
  .filter(({ method, auth, errorFormat }) => method === 'POST' && auth === 'session' && errorFormat === 'html')
  .map((row) => ({ row, path: filled(row.path) }));
const USER_FORMS = FORMS.filter(({ row }) => !OF_VISITORS.has(row.id));

function filled(path: string): string {
  const id = path.includes('/runs/') ? EXAMPLE_RUN : '1';
  return path.replace(':resource', 'notes').replace(':id', id).replace(':action', 'pin');
}

/** Test cases of attacks on each form of the pages. */
export function formAttackCases(target: HttpTarget): void {
  describe('every form of the pages', () => {
    const harness = useHarness(target);
    const signedIn = (user: keyof typeof SAMPLE_USERS): Promise<ScreenBrowser> =>
      signedInBrowser(harness().host.url, SAMPLE_USERS[user]);
    const cookiesOf = ({ cookies }: ScreenBrowser): string =>
      [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const begin = async (path: string, headers: Readonly<Record<string, string>>, length = MIB) => {
      const sent = { 'content-type': FORM_TYPE, 'content-length': String(length), ...headers };
      const outgoing = httpRequest(harness().host.url + path, { method: 'POST', headers: sent, agent: false });
      onTestFinished(() => void outgoing.destroy());
      outgoing.on('error', () => {}).write('token=');
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      return { outgoing, status: answer.statusCode, location: answer.headers.location, body: await text(answer) };
    };
    bodyCases(target, { begin, signedIn, cookiesOf, url: () => harness().host.url });
    senderCases(target, signedIn);
  });
}

interface Begun {
  readonly outgoing: ClientRequest;
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly body: string;
}

function bodyCases(
  target: HttpTarget,
  {
    begin,
    signedIn,
    cookiesOf,
    url,
  }: {
    readonly begin: (path: string, headers: Readonly<Record<string, string>>, length?: number) => Promise<Begun>;
    readonly signedIn: (user: keyof typeof SAMPLE_USERS) => Promise<ScreenBrowser>;
    readonly cookiesOf: (browser: ScreenBrowser) => string;
    readonly url: () => string;
  },
): void {
  defineCase(target, 'is refused before its body is read if another site sends it', async () => {
    expect(FORMS.length).toBeGreaterThan(14);
    const cookie = cookiesOf(await signedIn('operator'));
    for (const { path } of FORMS) {
      const { status, body, outgoing } = await begin(path, { cookie, origin: 'https://evil.example' });
      expect([path, status, body]).toEqual([path, 403, expect.stringContaining('not sent by a page of this service')]);
      outgoing.destroy();
    }
  });

  defineCase(target, 'sends a user without a session to the sign-in before its body is read', async () => {
    for (const { path, row } of USER_FORMS) {
      const { status, location, outgoing } = await begin(path, { origin: url() });
      expect([row.id, status, location]).toEqual([row.id, 303, expect.stringMatching(/^\/login\/\?next=%2F/)]);
      outgoing.destroy();
    }
  });

  defineCase(target, 'of the admin is refused before its body is read if no superuser sends it', async () => {
    const cookie = cookiesOf(await signedIn('owner'));
    for (const { path } of FORMS.filter((each) => each.path.startsWith('/admin/'))) {
      const { status, body, outgoing } = await begin(path, { cookie, origin: url() });
      expect([path, status, body]).toEqual([path, 403, expect.stringContaining('Only superusers')]);
      outgoing.destroy();
    }
  });

  defineCase(target, 'of a user without a session waits only briefly for a short body', async () => {
    const { status, location } = await begin('/dashboard/keys/', { origin: url() }, 200);
    expect([status, location]).toEqual([303, `/login/?next=${encodeURIComponent('/dashboard/')}`]);
  });

  defineCase(target, 'of an import opens with its defaults after the sign-in if no field has arrived', async () => {
    const headers = { origin: url(), 'content-type': 'multipart/form-data; boundary=b' };
    const { status, location } = await begin(IMPORT, headers);
    expect([status, location]).toEqual([303, `/login/?next=${encodeURIComponent(IMPORT)}`]);
  });

  defineCase(target, 'is refused early: the connection of a slow sender is closed', async () => {
    const { outgoing, status } = await begin('/dashboard/keys/', { origin: 'https://evil.example' });
    expect(status).toBe(403);
    if (!outgoing.destroyed) await once(outgoing, 'close');
    expect(outgoing.destroyed).toBe(true);
  });
}

function senderCases(target: HttpTarget, signedIn: (user: keyof typeof SAMPLE_USERS) => Promise<ScreenBrowser>): void {
  const isClosed = ({ headers }: Shown): boolean =>
    headers.get('x-frame-options') === 'DENY' &&
    (headers.get('content-security-policy') ?? '').includes("frame-ancestors 'none'") &&
    headers.get('access-control-allow-origin') === null &&
    headers.get('cache-control') === 'no-store';
  const fields = { action: 'pin', 'row:1': 'on', is_superuser: 'on', username: 'x', next: '//evil.example/' };

  defineCase(
    target,
    'refuses other origins and wrong tokens with a page that allows no frame, and changes nothing',
    async () => {
      const own = await signedIn('operator');
      const { token = '' } = hiddenFields((await own.open('/admin/notes/1/')).body);
      expect(token).not.toBe('');
      for (const { path } of FORMS) {
        for (const origin of FOREIGN) {
          const refused = await own.post(path, { ...fields, token }, { origin });
          expect([path, refused.status, isClosed(refused)]).toEqual([path, 403, true]);
        }
        for (const wrong of path === IMPORT ? [] : ['', 'x'.repeat(43)]) {
          const refused = await own.post(path, { ...fields, token: wrong });
          expect([path, wrong, refused.status, isClosed(refused)]).toEqual([path, wrong, 403, true]);
        }
      }
      expect((await own.open('/admin/notes/1/')).body).toContain('No change is recorded');
      expect((await own.open('/dashboard/')).status).toBe(200);
    },
  );

  defineCase(target, 'refuses the token of another session of the same user', async () => {
    const other = await signedIn('operator');
    const stolen = hiddenFields((await other.open('/admin/notes/1/')).body)['token'] ?? '';
    const own = await signedIn('operator');
    for (const { path } of USER_FORMS.filter((each) => each.path !== IMPORT)) {
      const refused = await own.post(path, { ...fields, token: stolen });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  defineCase(target, 'returns 404 if it is for an entry of another user', async () => {
    const other = await signedIn('other');
    const { token = '' } = hiddenFields((await other.open('/dashboard/')).body);
    const own = FORMS.filter(({ row }) => row.path.startsWith('/dashboard/') && row.path.includes(':id'));
    expect(own.length).toBeGreaterThan(1);
    for (const { path } of own) expect([path, (await other.post(path, { token })).status]).toEqual([path, 404]);
  });

  defineCase(target, 'ignores fields that it does not have, and leads to no other site', async () => {
    const own = await signedIn('operator');
    const { token = '' } = hiddenFields((await own.open('/admin/notes/1/')).body);
    for (const [path, known] of [
      ['/admin/users/add/', { username: 'assigned', password: 'tall-river-42' }],
      ['/admin/organizations/add/', { name: 'Assigned' }],
      ['/admin/projects/add/', { name: 'Assigned' }],
      ['/admin/eo-accounts/add/', { name: 'assigned', platform: 'local' }],
    ] as const)
      expect([path, (await own.post(path, { token, ...known, ...MORE })).status]).toEqual([path, 303]);
    const changed: string[] = [];
    for (const list of linksOf(readPage((await own.open('/admin/')).body)).filter((link) => ONE_LIST.test(link))) {
      const row = linksOf(readPage((await own.open(list)).body)).find(
        (link) => link.startsWith(list) && !/^(?:add|import)\/|\?/.test(link.slice(list.length)) && link !== list,
      );
      const before = row === undefined ? undefined : await own.open(row);
      const form = readPage(before?.body ?? '').forms.find(({ action }) => action === row);
      if (row === undefined || before === undefined || form === undefined) continue;
      const done = await own.post(row, { ...MORE, ...valuesOf(form) });
      expect([row, done.status, done.location]).toEqual([row, 303, `${row}?done=change`]);
      const after = readPage((await own.open(row)).body).forms.find(({ action }) => action === row);
      expect([row, after && valuesOf(after)]).toEqual([row, valuesOf(form)]);
      changed.push(list);
    }
    expect(changed.length).toBeGreaterThan(4);
    expect((await own.open('/admin/audit/')).body).not.toContain('evil.example');
    expect((await own.open('/admin/users/?q=assigned&by_superuser=yes')).body).toContain('No entries match');
  });
}

const ONE_LIST = /^\/admin\/[a-z-]+\/$/;

const MORE = {
  id: '1',
  next: '//evil.example/',
  isSuperuser: 'on',
  is_superuser: 'on',
  superuser: 'on',
  group: '1',
  organizationId: '1',
  tehsilId: '1',
  passwordHash: 'x',
  '__proto__[isSuperuser]': 'on',
};

function valuesOf({ inputs }: FoundForm): Fields {
  const values: Record<string, string> = {};
  let select = '';
  for (const { name: kind, attributes } of inputs) {
    const { name = '', type = '', value = '' } = attributes;
    if (kind === 'select') select = name;
    else if (kind === 'option' && attributes['selected'] !== undefined) values[select] = value;
    else if (kind === 'input' && (type !== 'checkbox' || attributes['checked'] !== undefined)) values[name] = value;
  }
  return values;
}
