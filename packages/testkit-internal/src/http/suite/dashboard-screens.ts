import type { Headwater } from '@headwater/http-service';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import { EXAMPLE_RUN } from '@headwater/http-service';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { createScreenBrowser, type Fields, hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import { signInBrowser } from './screens.ts';

const DASHBOARD = '/dashboard/';
const KEYS = '/dashboard/keys/';
const REVOKE = '/dashboard/keys/revoke/';
const PASSWORD = '/dashboard/password/';
const RUN = `/api/v1/runs/${EXAMPLE_RUN}/`;
const MARKUP = '<img src=x onerror=alert(1)>';
const KEY_TEXT = /data-copy="the new key">([A-Za-z0-9]{8}\.[A-Za-z0-9]{32})</;

function keyOf(page: string): string {
  return KEY_TEXT.exec(page)?.[1] ?? '';
}

/** Test cases of the dashboard: API keys, runs, password, and sign-in by the host. */
export function dashboardScreenCases(target: HttpTarget): void {
  describe('the dashboard', () => {
    const harness = useHarness(target);
    const signedIn = async (user: Fields = SAMPLE_USERS.owner): Promise<ScreenBrowser> => {
      const own = createScreenBrowser(harness().host.url);
      expect(
        (await signInBrowser(own, { username: user['username'] ?? '', password: user['password'] ?? '' })).status,
      ).toBe(303);
      return own;
    };
    const newUser = async (username: string): Promise<ScreenBrowser> => {
      const user = { username, password: 'tall-river-42' };
      await harness().service.accounts.createUser(user);
      return await signedIn(user);
    };
    const statusWith = async (key: string): Promise<number> =>
      (await harness().get('/api/v1/get_active_locations/', { headers: { 'x-api-key': key } })).status;

    defineCase(target, 'visitors are sent to the sign-in, and back', async () => {
      const own = createScreenBrowser(harness().host.url);
      for (const page of [DASHBOARD, `${DASHBOARD}?name=a%26b`, PASSWORD]) {
        const sent = await own.open(page);
        expect([sent.status, sent.location]).toEqual([303, `/login/?next=${encodeURIComponent(page)}`]);
      }
      const done = await own.submit((await own.open(`${DASHBOARD}?name=x`)).location ?? '', SAMPLE_USERS.owner);
      expect(done.location).toBe(`${DASHBOARD}?name=x`);
    });

    defineCase(target, 'a key is created, shown once, used, listed with its name, and revoked', async () => {
      const own = await newUser('keeper');
      const made = await own.submit(DASHBOARD, { name: 'field laptop', expiry_days: '30' }, KEYS);
      const key = keyOf(made.body);
      expect([made.status, await statusWith(key)]).toEqual([200, 200]);
      expect(made.body).toContain(
        `-H &#39;X-API-Key: ${key}&#39; http://headwater.example/api/v1/get_active_locations/`,
      );
      const listed = await own.open(DASHBOARD);
      expect(listed.body).not.toContain(key);
      expect(listed.body).toMatch(new RegExp(`<h3>field laptop</h3>[^]*<code>${key.slice(0, 8)}\\.`));
      const { token = '' } = hiddenFields(listed.body);
      const ended = await own.post(REVOKE, { token, key: `${key.slice(0, 8)}.${'*'.repeat(32)}` });
      expect([ended.status, ended.location, await statusWith(key)]).toEqual([303, '/dashboard/#keys', 401]);
      expect((await own.open(DASHBOARD)).body).toContain('You have no API key yet');
    });

    defineCase(
      target,
      'the page of a new key has lines in Python and TypeScript with this key; later pages do not have it',
      async () => {
        const own = await newUser('coder');
        const made = await own.submit(DASHBOARD, { name: 'notebook' }, KEYS);
        const key = keyOf(made.body);
        const linesOf = (what: string): string =>
          (new RegExp(`data-copy="${what}">([^<]*)<`).exec(made.body)?.[1] ?? '')
            .replaceAll('&quot;', '"')
            .replaceAll('&#39;', "'");
        const address = 'http://headwater.example/api/v1/get_active_locations/';
        expect(linesOf('the Python lines with the key')).toContain(
          `Request("${address}", headers={"X-API-Key": "${key}"})`,
        );
        expect(linesOf('the TypeScript lines with the key')).toContain(
          `fetch("${address}", { headers: { 'X-API-Key': "${key}" } })`,
        );
        expect((await own.open(DASHBOARD)).body).not.toContain(key);
      },
    );

    defineCase(
      target,
      'the number of requests with a key is shown for each day, as a chart and as a table',
      async () => {
        const own = await newUser('counted');
        const prefix = keyOf((await own.submit(DASHBOARD, { name: 'busy <key>' }, KEYS)).body).slice(0, 8);
        const { apiKeys } = harness().service.stores;
        const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
        expect((await own.open(DASHBOARD)).body).not.toContain('role="img"');
        await apiKeys.noteUses([
          { prefix, usedAt: dayBefore(2), count: 40 },
          { prefix, usedAt: dayBefore(1), count: 7 },
        ]);
        const { body } = await own.open(DASHBOARD);
        expect(body).toMatch(
          /<svg[^>]*role="img"[^>]*>\s*<title>Requests per day with the key busy &lt;key&gt; [^<]*the maximum is 40, on /,
        );
        expect(body.match(/<rect/g)).toHaveLength(30);
        expect([...body.matchAll(/<td class="num">(\d+)<\/td>/g)].map(([, uses]) => uses)).toEqual(['40', '7']);
        expect(body).toMatch(/Requests in 30 days<\/dt>\s*<dd>47</);
      },
    );

    defineCase(
      target,
      'the page of downloads links the report, workbook and tables of each published place',
      async () => {
        const own = await signedIn();
        const { body } = await own.open('/dashboard/downloads/');
        expect(body).toMatch(/<svg[^]*class="placesmap"|class="placesmap"/);
        const [entry = ''] = /<ul class="found"[^]*/.exec(body) ?? [];
        const links = [...entry.matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) =>
          href.replaceAll('&amp;', '&'),
        );
        expect(links.length).toBeGreaterThanOrEqual(3);
        for (const link of links) expect([link, (await own.open(link)).status]).toEqual([link, 200]);
        const square = /<a href="(\/dashboard\/downloads\/\?box=[^"]*)"/.exec(body)?.[1] ?? '';
        expect((await own.open(square)).body).toContain('Sample Tehsil');
        expect((await own.open('/dashboard/downloads/?box=1,1,2,2')).body).toContain('Nothing is published here yet');
      },
    );

    defineCase(target, "neither another user's key nor an unknown key can be revoked", async () => {
      const [own, other] = [await newUser('first_keeper'), await newUser('second_keeper')];
      const key = keyOf((await own.submit(DASHBOARD, {}, KEYS)).body);
      const { token = '' } = hiddenFields((await other.open(DASHBOARD)).body);
      for (const named of [`${key.slice(0, 8)}.${'*'.repeat(32)}`, key, 'unknown', '']) {
        const refused = await other.post(REVOKE, { token, key: named });
        expect([refused.status, refused.body]).toEqual([404, expect.stringContaining('You have no such key')]);
      }
      expect(await statusWith(key)).toBe(200);
    });

    defineCase(target, 'names of keys are shown as text, never as markup', async () => {
      const own = await newUser('marked');
      for (const name of [MARKUP, '"><script>alert(1)</script>', "'; --"]) await own.submit(DASHBOARD, { name }, KEYS);
      const filled = await own.open(`${DASHBOARD}?name=${encodeURIComponent(`" onfocus="alert(1)${MARKUP}`)}`);
      expect(filled.body).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(filled.body).not.toMatch(/<img src=x|<script>alert|" onfocus="/);
    });

    defineCase(target, 'wrong fields of a new key are marked, and the typed text stays', async () => {
      const own = await newUser('careless');
      for (const days of ['0', '36501', 'ten', '-1', '1.5']) {
        const refused = await own.submit(DASHBOARD, { name: 'my name', expiry_days: days }, KEYS);
        expect([days, refused.status]).toEqual([days, 400]);
        expect(refused.body).toMatch(
          /id="expiry_days-error"><span lang="en">Give a whole number of days from 1 to 36500/,
        );
        expect(refused.body).toContain('value="my name"');
      }
      expect((await own.submit(DASHBOARD, { name: 'x'.repeat(151) }, KEYS)).status).toBe(400);
      expect((await own.open(DASHBOARD)).body).toContain('You have no API key yet');
    });

    defineCase(
      target,
      'a form whose session has ended is shown with the typed texts after the next sign-in',
      async () => {
        const own = await newUser('absent');
        const { token = '' } = hiddenFields((await own.open(DASHBOARD)).body);
        const name = 'lab & field "1"';
        own.cookies.delete('headwater_session');
        const sent = await own.post(KEYS, { token, name, expiry_days: '7' });
        expect(sent.status).toBe(303);
        const done = await own.submit(sent.location ?? '', { username: 'absent', password: 'tall-river-42' });
        const { body } = await own.open(done.location ?? '');
        expect(body).toContain('value="lab &amp; field &quot;1&quot;"');
        expect(body).toMatch(/name="expiry_days"[^>]*value="7"/);
        expect(body).toContain('You have no API key yet');
      },
    );

    rowCases(target, harness, signedIn);
    passwordCases(target, harness, signedIn);
    runCases(target, harness, signedIn);
    hostSignInCase(target);
  });
}

type SignedIn = (user?: Fields) => Promise<ScreenBrowser>;

function rowCases(target: HttpTarget, harness: ReturnType<typeof useHarness>, signedIn: SignedIn): void {
  defineCase(target, 'every page of a user is private, allows no frame, and is closed to other origins', async () => {
    const own = await signedIn();
    for (const path of [DASHBOARD, PASSWORD, '/logout/', '/dashboard/compute/', '/dashboard/downloads/']) {
      const { status, headers } = await own.open(path);
      expect([path, status, headers.get('cache-control'), headers.get('x-frame-options')]).toEqual([
        path,
        200,
        'no-store',
        'DENY',
      ]);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      const foreign = await own.open(path, { origin: 'http://localhost:3000' });
      expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
      expect(foreign.body).not.toContain(SAMPLE_USERS.owner.username);
    }
  });

  defineCase(target, 'the header of public pages has a link to sign in, or the name of the user', async () => {
    const [visitor, user] = [createScreenBrowser(harness().host.url), await signedIn()];
    const table = '/api/v1/tables/sample_state/sample_district/sample_tehsil/';
    const name = (JSON.parse((await visitor.open(`${table}?format=json`)).body) as { tables: { name: string }[] })
      .tables[0]?.name;
    for (const path of ['/', '/api/v1/stac/', '/api/v1/regions/', `${table}${name}/`]) {
      const [shown, named] = [await visitor.open(path), await user.open(path)];
      expect([path, shown.status, shown.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      expect(shown.body).toContain('<a href="/login/?next=%2Fdashboard%2F">Sign in</a>');
      expect([path, named.headers.get('cache-control')]).toEqual([path, 'private, no-cache']);
      expect(named.body).toMatch(/<a class="account" href="\/dashboard\/">.*test_user_0042<\/a>/);
      const foreign = await user.open(path, { origin: 'http://localhost:3000' });
      expect(foreign.body).not.toContain('test_user_0042');
    }
    expect((await visitor.open('/')).body).toContain('href="/dashboard/"');
  });
}

function passwordCases(target: HttpTarget, harness: ReturnType<typeof useHarness>, signedIn: SignedIn): void {
  defineCase(target, 'users can change their password, which ends their sessions but keeps their keys', async () => {
    const user = { username: 'changer', password: 'tall-river-42' };
    await harness().service.accounts.createUser(user);
    const own = await signedIn(user);
    const key = keyOf((await own.submit(DASHBOARD, {}, KEYS)).body);
    const next = 'wide-meadow-43';
    const wrong = await own.submit(PASSWORD, { old_password: 'x', new_password: next, confirm_password: next });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      expect.stringContaining('id="old_password-error"><span lang="en">Current password is'),
    ]);
    const differ = await own.submit(PASSWORD, {
      old_password: user.password,
      new_password: next,
      confirm_password: 'y',
    });
    expect([differ.status, differ.body]).toEqual([400, expect.stringContaining('id="confirm_password-error"')]);
    for (const secret of [user.password, next]) expect(wrong.body + differ.body).not.toContain(secret);
    const done = await own.submit(PASSWORD, {
      old_password: user.password,
      new_password: next,
      confirm_password: next,
    });
    expect([done.status, done.location]).toEqual([303, '/login/']);
    expect((await own.open(DASHBOARD)).status).toBe(303);
    expect((await signedIn({ ...user, password: next })).cookies.size).toBeGreaterThan(0);
    expect((await harness().get('/api/v1/get_active_locations/', { headers: { 'x-api-key': key } })).status).toBe(200);
  });

  defineCase(target, 'a user who must change the password is sent to the page of the password', async () => {
    const user = { username: 'test_user_0007', password: 'test_change_me' };
    await harness().service.accounts.createSuperuser({ ...user, mustChangePassword: true });
    const own = await signedIn(user);
    expect((await own.open(DASHBOARD)).location).toBe(PASSWORD);
    const page = await own.open(PASSWORD);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('Others may know this password')]);
    const { token = '' } = hiddenFields(page.body);
    expect((await own.post(KEYS, { token })).location).toBe(PASSWORD);
    expect((await own.open('/api/v1/runs/')).status).toBe(403);
    const next = 'wide-meadow-43';
    await own.submit(PASSWORD, { old_password: user.password, new_password: next, confirm_password: next });
    expect((await (await signedIn({ ...user, password: next })).open(DASHBOARD)).status).toBe(200);
  });
}

function runCases(target: HttpTarget, harness: ReturnType<typeof useHarness>, signedIn: SignedIn): void {
  defineCase(target, 'a session is accepted for the pages of runs, but not for their JSON documents', async () => {
    const own = await signedIn();
    const dashboard = await own.open(DASHBOARD);
    const [, link = ''] = dashboard.body.split(`href="${RUN}">`);
    expect(link.slice(0, link.indexOf('<'))).toBe('Land use and land cover by year, 2021');
    for (const path of ['/api/v1/runs/', RUN]) {
      const page = await own.open(path);
      expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
      expect(page.body).toMatch(/<a class="account" href="\/dashboard\/">/);
      for (const [query, accept] of [
        ['', 'application/json'],
        ['', '*/*'],
        ['?format=json', 'text/html'],
      ] as const) {
        const document = await own.open(path + query, { accept });
        expect([path, query, accept, document.status]).toEqual([path, query, accept, 401]);
      }
      const foreign = await own.open(path, { origin: 'http://localhost:3000' });
      expect(foreign.status).toBe(401);
    }
    const events = await own.open(`/dashboard/runs/${EXAMPLE_RUN}/events/`, { accept: 'text/event-stream' });
    expect([events.status, events.body]).toEqual([200, expect.stringContaining('"state":"success"')]);
    expect((await own.open(`${RUN}events/`, { accept: 'text/event-stream' })).status).toBe(401);
  });

  defineCase(target, 'the page of an unfinished run receives its events with the session', async () => {
    const { runs, users } = harness().service.stores;
    const owner = await users.byUsername(SAMPLE_USERS.owner.username);
    const id = '0190a000-0000-7000-8000-00000000abcd';
    const run = { id, pipeline: 'none_that_runs', params: {}, fingerprint: id, ownerId: owner?.id ?? 0 };
    await runs.enqueue(run);
    const page = await (await signedIn()).open(`/api/v1/runs/${id}/`);
    expect(page.body).toContain(`data-events="/dashboard/runs/${id}/events/"`);
    const headers = { accept: 'text/html', authorization: `Bearer ${await harness().token('owner')}` };
    const byToken = await (await harness().get(`/api/v1/runs/${id}/`, { headers })).text();
    expect(byToken).toContain(`data-events="/api/v1/runs/${id}/events/"`);
    await runs.requestCancel(id);
  });

  defineCase(target, "another user's runs are unknown, and a visitor is shown a link to sign in", async () => {
    const other = await signedIn(SAMPLE_USERS.other);
    expect((await other.open(RUN)).status).toBe(404);
    expect((await other.open('/api/v1/runs/')).body).toContain('There are no runs yet');
    expect((await other.open(`/dashboard/runs/${EXAMPLE_RUN}/events/`)).status).toBe(404);
    const visitor = await createScreenBrowser(harness().host.url).open(RUN);
    expect([visitor.status, visitor.body]).toEqual([
      401,
      expect.stringContaining(`<a class="button" href="/login/?next=${encodeURIComponent(RUN)}">Sign in</a>`),
    ]);
  });
}

function hostSignInCase(target: HttpTarget): void {
  const start = async (
    options: Parameters<typeof createSampleService>[0],
  ): Promise<readonly [Headwater, RunningHost]> => {
    const service = await createSampleService(options);
    const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
    onTestFinished(async () => {
      await service.close();
      await host.close();
    });
    return [service, host];
  };

  defineCase(
    target,
    'if the host signs users in, the dashboard belongs to the signed-in user, and there are no sign-in pages',
    async () => {
      const userOf = ({
        headers,
      }: {
        readonly headers: Fields | Readonly<Record<string, unknown>>;
      }): string | undefined => (typeof headers['x-user'] === 'string' ? headers['x-user'] : undefined);
      const [service, host] = await start({ pages: { userOf, signIn: '/host/sign-in?from=geo' } });
      expect(['/login/', '/logout/', '/register/', PASSWORD].map((path) => service.service.owns(path))).toEqual([
        false,
        false,
        false,
        false,
      ]);
      const own = createScreenBrowser(host.url);
      expect((await own.open(DASHBOARD)).location).toBe('/host/sign-in?from=geo&next=%2Fdashboard%2F');
      const user = { 'x-user': SAMPLE_USERS.owner.username };
      const page = await own.open(DASHBOARD, user);
      expect([page.status, page.body]).toEqual([200, expect.stringContaining(SAMPLE_USERS.owner.username)]);
      expect(page.body).not.toContain('Sign out');
      const { token = '' } = hiddenFields(page.body);
      expect((await own.post(KEYS, {}, user)).status).toBe(403);
      expect((await own.post(KEYS, { token }, { ...user, origin: 'https://evil.example' })).status).toBe(403);
      expect(keyOf((await own.post(KEYS, { token, name: 'host' }, user)).body)).not.toBe('');
      expect((await own.open(RUN, user)).status).toBe(200);
      for (const [unknown, status] of [
        ['no_such_user', 403],
        ['', 303],
      ] as const)
        expect((await own.open(DASHBOARD, { 'x-user': unknown })).status).toBe(status);
    },
  );
}
