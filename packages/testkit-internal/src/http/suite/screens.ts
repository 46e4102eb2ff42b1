import { buildOperations, type Headwater, type Operation } from '@headwater/http-service';
import { LOGIN_LIMITS, policiesOf } from '@headwater/identity';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { exampleInit, exampleUrl } from './examples.ts';
import { defineCase, sendRaw, useHarness } from './harness.ts';
import { createScreenBrowser, type Fields, hiddenFields, type ScreenBrowser, type Shown } from './screen-browser.ts';

const LOGIN = '/login/';
const SESSION = 'headwater_session';
const OWNER = SAMPLE_USERS.owner;

/** Values of `next` that must not be followed: other sites, and addresses that are not pages. */
const ELSEWHERE = [
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/.//evil.example/',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  '\\\\evil.example',
  ' //evil.example',
  'dashboard/',
  '',
];

/** Signs a user in on the sign-in page. */
export async function signInBrowser(
  browser: ScreenBrowser,
  user: { readonly username: string; readonly password: string } = OWNER,
): Promise<Shown> {
  return await browser.submit(LOGIN, user);
}

/** Name and password of an account. */
export type SignInFields = Readonly<Record<'username' | 'password', string>>;

/** Returns a browser in which a user is signed in (default: the superuser). */
export async function signedInBrowser(
  url: string,
  { username, password }: SignInFields = SAMPLE_USERS.operator,
): Promise<ScreenBrowser> {
  const own = createScreenBrowser(url);
  expect((await signInBrowser(own, { username, password })).status).toBe(303);
  return own;
}

/** Runs an action of the admin. `page` is the page of an entry, or the list. */
export async function actOn(
  own: ScreenBrowser,
  { page, action = '' }: { readonly page: string; readonly action?: string },
  fields: Fields = {},
): Promise<Shown> {
  const { token = '' } = hiddenFields((await own.open(page)).body);
  return await own.post(`${page}actions/${action === '' ? '' : `${action}/`}`, { token, ...fields });
}

/** Test cases of sign-in, sign-out and attacks on sessions of pages. */
export function screenCases(target: HttpTarget): void {
  describe('the session of the pages', () => {
    const harness = useHarness(target);
    const browser = (): ScreenBrowser => createScreenBrowser(harness().host.url);
    const signedIn = async (user?: typeof OWNER | { readonly username: string; readonly password: string }) => {
      const own = browser();
      expect((await signInBrowser(own, user)).status).toBe(303);
      return own;
    };
    const isSignedIn = async (own: ScreenBrowser): Promise<boolean> => (await own.open(LOGIN)).status === 303;

    defineCase(target, 'a sign-in starts a session with a cookie, and the sign-out form ends the session', async () => {
      const own = browser();
      const done = await signInBrowser(own);
      expect([done.status, done.location]).toEqual([303, '/dashboard/']);
      expect(done.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^headwater_session=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax$/),
      ]);
      expect(await isSignedIn(own)).toBe(true);
      const asked = await own.open('/logout/');
      expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('test_user_0042')]);
      expect(await isSignedIn(own)).toBe(true);
      const stolen = own.cookies.get(SESSION) ?? '';
      const out = await own.submit('/logout/', {});
      expect([out.status, out.location, own.cookies.has(SESSION)]).toEqual([303, '/logout/', false]);
      expect((await own.open('/logout/')).body).toContain('You are signed out');
      own.cookies.set(SESSION, stolen);
      expect(await isSignedIn(own)).toBe(false);
    });

    defineCase(target, 'pages are not cacheable, not shown in frames, and closed to other origins', async () => {
      const own = await signedIn();
      for (const path of [LOGIN, '/admin/login/', '/logout/']) {
        const { headers } = await own.open(path, { origin: 'http://localhost:3000' });
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('content-security-policy')).toMatch(
          /^default-src 'none'; .*form-action 'self'; frame-ancestors 'none'/,
        );
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('access-control-allow-origin')).toBeNull();
      }
      // Pages of a local origin may send API tokens, but session cookies in their requests are ignored.
      const foreign = await own.open('/logout/', { origin: 'http://localhost:3000' });
      expect(foreign.body).toContain('You are signed out');
    });

    defineCase(target, 'the sign-in page of the admin returns 200 and reads no store', async () => {
      const service = await createSampleService();
      const calls: string[] = [];
      for (const [name, store] of Object.entries(service.stores)) watchCalls(name, store, calls);
      const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
      onTestFinished(async () => {
        await service.close();
        await host.close();
      });
      calls.length = 0;
      const page = await createScreenBrowser(host.url).open('/admin/login/');
      expect([page.status, calls]).toEqual([200, []]);
      expect(page.body).toMatch(/<form class="form" method="post" action="\/login\/">/);
    });

    defineCase(target, 'a sign-in ends a session whose cookie an attacker set, and starts a new session', async () => {
      const attacker = await signedIn(SAMPLE_USERS.other);
      const planted = attacker.cookies.get(SESSION) ?? '';
      const victim = browser();
      victim.cookies.set(SESSION, planted);
      const token = hiddenFields((await victim.open('/logout/')).body)['token'] ?? '';
      await victim.post(LOGIN, { ...OWNER, token });
      expect(victim.cookies.get(SESSION)).not.toBe(planted);
      expect([await isSignedIn(victim), await isSignedIn(attacker)]).toEqual([true, false]);
      const invented = browser();
      invented.cookies.set(SESSION, 'a'.repeat(64));
      expect((await signInBrowser(invented)).status).toBe(303);
      expect(invented.cookies.get(SESSION)).not.toBe('a'.repeat(64));
    });

    defineCase(target, 'a form of another origin, or without its token, does not change who is signed in', async () => {
      const own = browser();
      const { token = '' } = hiddenFields((await own.open(LOGIN)).body);
      for (const origin of [
        'https://evil.example',
        'null',
        'http://localhost:1',
        `${harness().host.url}.evil.example`,
      ]) {
        const refused = await own.post(LOGIN, { ...OWNER, token }, { origin });
        expect([origin, refused.status, refused.body]).toEqual([
          origin,
          403,
          expect.stringMatching(/not sent by a page/),
        ]);
      }
      const other = hiddenFields((await browser().open(LOGIN)).body)['token'] ?? '';
      for (const wrong of ['', 'x', other])
        expect((await own.post(LOGIN, { ...OWNER, token: wrong })).status).toBe(403);
      expect(own.cookies.has(SESSION)).toBe(false);
      // A form's token is valid only with the cookie of the browser that got the form.
      expect((await browser().post(LOGIN, { ...OWNER, token })).status).toBe(403);
      const user = await signedIn();
      expect((await user.post('/logout/', {})).status).toBe(403);
      expect((await user.submit('/logout/', {})).status).toBe(303);
    });

    defineCase(
      target,
      'a form without an Origin header is accepted only if Sec-Fetch-Site is same-origin',
      async () => {
        const own = browser();
        const { token = '' } = hiddenFields((await own.open(LOGIN)).body);
        const { host } = harness();
        const send = async (headers: Record<string, string>): Promise<number> => {
          const cookie = [...own.cookies].map((pair) => pair.join('=')).join('; ');
          const body = new URLSearchParams({ ...OWNER, token });
          const init = { method: 'POST', body, headers: { cookie, ...headers }, redirect: 'manual' } as const;
          return (await fetch(host.url + LOGIN, init)).status;
        };
        expect([await send({}), await send({ 'sec-fetch-site': 'cross-site' })]).toEqual([403, 403]);
        expect(await send({ 'sec-fetch-site': 'same-origin' })).toBe(303);
      },
    );

    defineCase(target, 'after a sign-in, the browser is redirected only to pages of this service', async () => {
      const own = browser();
      const { token = '' } = hiddenFields((await own.open(LOGIN)).body);
      for (const next of ELSEWHERE) {
        const done = await browser().open(`${LOGIN}?next=${encodeURIComponent(next)}`);
        expect([next, hiddenFields(done.body)['next']]).toEqual([next, undefined]);
        const sent = createScreenBrowser(harness().host.url);
        for (const [name, value] of own.cookies) sent.cookies.set(name, value);
        expect([next, (await sent.post(LOGIN, { ...OWNER, token, next })).location]).toEqual([next, '/dashboard/']);
      }
      const next = '/api/v1/runs/?format=html&x=1';
      const page = `${LOGIN}?next=${encodeURIComponent(next)}`;
      expect((await own.submit(page, OWNER)).location).toBe(next);
      expect((await own.open(page)).location).toBe(next);
    });

    limitCases(target, harness, signedIn);
    scopeCases(target, harness, signedIn);
    mountCases(target);
  });
}

type SignedIn = (user?: { readonly username: string; readonly password: string }) => Promise<ScreenBrowser>;

function limitCases(target: HttpTarget, harness: ReturnType<typeof useHarness>, signedIn: SignedIn): void {
  defineCase(
    target,
    'after ten wrong passwords the page says when to try again; until then the right password is refused too',
    async () => {
      const user = { username: 'typist', password: 'tall-river-42' };
      await harness().service.accounts.createUser(user);
      const own = createScreenBrowser(harness().host.url);
      for (let index = 0; index < LOGIN_LIMITS.perNameAtAddress; index += 1) {
        const wrong = await own.submit(LOGIN, { ...user, password: `guess ${index}` });
        expect([wrong.status, wrong.body]).toEqual([401, expect.stringContaining('password is wrong')]);
        expect(wrong.body).toContain('value="typist"');
        expect(wrong.body).not.toContain(`guess ${index}`);
      }
      const refused = await own.submit(LOGIN, user);
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
        429,
        expect.toSatisfy((s) => s > 600),
      ]);
      expect(refused.body).toMatch(/Try again in 1[0-5] minutes\. Until then the right password is refused too/);
      // Pages and API share the count of failed sign-ins, so the API also refuses this sign-in.
      const { get } = harness();
      const headers = { 'content-type': 'application/json' };
      const login = await get('/api/v1/auth/login/', { method: 'POST', headers, body: JSON.stringify(user) });
      expect(login.status).toBe(429);
      const hindi = await own.submit(`${LOGIN}?lang=hi`, user, `${LOGIN}?lang=hi`);
      expect(hindi.body).toMatch(/<html lang="hi">[^]*मिनट बाद फिर प्रयास करें/);
    },
  );

  defineCase(target, 'a session ends when the password is changed or the account is disabled', async () => {
    const { accounts } = harness().service;
    const user = { username: 'leaving', password: 'tall-river-42' };
    const { id } = await accounts.createUser(user);
    const one = await signedIn(user);
    await accounts.resetPassword(id, 'wide-meadow-43');
    expect((await one.open(LOGIN)).status).toBe(200);
    const two = await signedIn({ ...user, password: 'wide-meadow-43' });
    await accounts.setActive(id, false);
    expect((await two.open(LOGIN)).status).toBe(200);
  });
}

/** Operations of the API that accept a session for their HTML page. */
const OPENED: ReadonlySet<string> = new Set(['listRuns', 'getRun']);

function scopeCases(target: HttpTarget, harness: ReturnType<typeof useHarness>, signedIn: SignedIn): void {
  const rows = buildOperations(SAMPLE_PIPELINES).filter(({ path }) => path.startsWith('/api/'));
  const namesSession = ({ auth }: Operation): boolean => policiesOf(auth).some(({ name }) => name === 'session');

  defineCase(target, 'among the operations of the API, only the pages of runs accept a session', async () => {
    expect(rows.filter(namesSession).map(({ id }) => id)).toEqual([...OPENED]);
  });

  defineCase(target, 'except for the pages of runs, the API does not accept a session as credentials', async () => {
    const own = await signedIn(SAMPLE_USERS.operator);
    const cookie = [...own.cookies].map((pair) => pair.join('=')).join('; ');
    const { get, host } = harness();
    const closed: string[] = [];
    for (const row of rows) {
      const [example] = row.examples;
      if (example === undefined || policiesOf(row.auth).some(({ name }) => name === 'public')) continue;
      const accepts = OPENED.has(row.id) ? ['application/json', '*/*'] : ['application/json', 'text/html'];
      for (const accept of accepts) {
        const ask = (headers: Record<string, string>): Promise<Response> =>
          get(exampleUrl(row, example), exampleInit(row, example, { accept, origin: host.url, ...headers }));
        const [without, withCookie] = [await ask({}), await ask({ cookie })];
        expect([row.id, accept, withCookie.status]).toEqual([row.id, accept, without.status]);
        if (without.status === 401) closed.push(row.id);
      }
    }
    expect(new Set(closed).size).toBeGreaterThan(40);
  });
}

function mountCases(target: HttpTarget): void {
  const start = async (
    options: Parameters<typeof createSampleService>[0],
    prefix = '',
  ): Promise<{ readonly service: Headwater; readonly host: RunningHost; readonly browser: ScreenBrowser }> => {
    const service = await createSampleService(options);
    const host = await target.start({ mounts: [{ service: service.service, prefix }] });
    onTestFinished(async () => {
      await service.close();
      await host.close();
    });
    return { service, host, browser: createScreenBrowser(host.url) };
  };

  defineCase(target, 'below a prefix, the redirects of the pages have the prefix', async () => {
    const { browser } = await start({ baseUrl: 'http://headwater.example/geo' }, '/geo');
    const done = await browser.submit('/geo/login/?next=%2Fdashboard%2F', OWNER);
    expect([done.location, browser.cookies.has(`${SESSION}_geo`)]).toEqual(['/geo/dashboard/', true]);
    expect((await browser.submit('/geo/logout/', {})).location).toBe('/geo/logout/');
  });

  defineCase(target, 'over https the cookies have the prefix __Host- and are secure', async () => {
    const { browser } = await start({ baseUrl: 'https://headwater.example' });
    const origin = 'https://headwater.example';
    const { token = '' } = hiddenFields((await browser.open(LOGIN)).body);
    expect([...browser.cookies.keys()]).toEqual(['__Host-headwater_form']);
    const done = await browser.post(LOGIN, { ...OWNER, token }, { origin });
    expect(done.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-headwater_session=\w+; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    expect((await browser.open(LOGIN)).status).toBe(303);
  });

  defineCase(target, 'the sign-in page warns of plain http unless its address is local', async () => {
    const { browser } = await start({ baseUrl: 'http://192.168.1.5:8000' });
    expect((await browser.open(LOGIN)).body).toContain('The connection is not encrypted');
    const local = await start({ baseUrl: 'http://localhost:8000' });
    expect((await local.browser.open(LOGIN)).body).not.toContain('The connection is not encrypted');
    const named = await sendRaw(local.host.url, LOGIN, { headers: { host: '192.168.1.5:8000' } });
    expect(named.body).toContain('The connection is not encrypted');
  });

  defineCase(target, 'with pages: off, no page is mounted', async () => {
    const { browser, service } = await start({ pages: 'off' });
    expect(service.service.owns(LOGIN)).toBe(false);
    const status = (await browser.open(LOGIN)).status;
    expect([404, 418]).toContain(status);
  });
}

function watchCalls(name: string, store: unknown, calls: string[]): void {
  if (typeof store !== 'object' || store === null) return;
  for (const [method, own] of Object.entries(store)) {
    if (typeof own !== 'function') continue;
    Reflect.set(store, method, (...values: readonly unknown[]): unknown => {
      calls.push(`${name}.${method}`);
      return Reflect.apply(own, store, values);
    });
  }
}
