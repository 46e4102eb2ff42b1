import { REGISTRATION_LIMIT } from '@headwater/identity';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { createScreenBrowser, type Fields, hiddenFields, type ScreenBrowser } from './screen-browser.ts';

const REGISTER = '/register/';
const FORGOT = '/forgot/';
const MARKUP = '"><script>alert(1)</script>';

function newcomer(username: string): Fields {
  const password = 'tall-river-42';
  return { username, email: `${username}@example.org`, password, password_confirm: password };
}

/** Test cases of registration and forgotten passwords. */
export function newcomerScreenCases(target: HttpTarget): void {
  describe('pages for newcomers', () => {
    const harness = useHarness(target);
    const browser = (): ScreenBrowser => createScreenBrowser(harness().host.url);
    const start = async (options: Parameters<typeof createSampleService>[0]): Promise<ScreenBrowser> => {
      const service = await createSampleService(options);
      const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
      onTestFinished(async () => {
        await service.close();
        await host.close();
      });
      return createScreenBrowser(host.url);
    };

    defineCase(
      target,
      'a registration creates an ordinary account and signs it in, even if the form also has fields of rights',
      async () => {
        const own = browser();
        own.cookies.set('headwater_session', 'b'.repeat(64));
        const more = { is_superuser: 'true', isSuperuser: 'true', may_compute: 'true', mayCompute: 'true', id: '1' };
        const done = await own.submit(`${REGISTER}?next=%2Fdocs%2F`, {
          ...newcomer('asha'),
          ...more,
          first_name: 'Asha',
          organization: 'Jal Samiti',
        });
        expect([done.status, done.location]).toEqual([303, '/docs/']);
        expect(own.cookies.get('headwater_session')).not.toBe('b'.repeat(64));
        expect((await own.open('/login/')).status).toBe(303);
        const { users, people } = harness().service.stores;
        const user = await users.byUsername('asha');
        expect(user).toMatchObject({ isSuperuser: false, mayCompute: false, isActive: true, firstName: 'Asha' });
        expect(await people.person(user?.id ?? 0)).toMatchObject({ requestedOrganization: { name: 'Jal Samiti' } });
      },
    );

    defineCase(target, 'a refused registration shows each field with its error, and no password', async () => {
      const own = browser();
      const wrong = {
        ...newcomer('devi'),
        email: `no address ${MARKUP}`,
        first_name: MARKUP,
        password_confirm: 'other-42',
      };
      const { status, body } = await own.submit(REGISTER, wrong);
      expect([status, body]).toEqual([400, expect.stringContaining('Correct the marked fields')]);
      expect(body).toMatch(/id="email-error"><span lang="en">Enter a valid email address/);
      expect(body).toMatch(/role="alert">[^]*<a href="#email">E-mail address<\/a>/);
      expect(body).toMatch(
        /<input[^>]*id="email"[^>]*aria-describedby="email-hint email-error"[^>]*aria-invalid="true"/,
      );
      expect(body).toMatch(/id="password-error"><span lang="en">[^<]*password/i);
      expect(body).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
      for (const secret of ['<script>alert', 'tall-river-42', 'other-42']) expect(body).not.toContain(secret);
      const taken = await own.submit(REGISTER, newcomer(SAMPLE_USERS.owner.username));
      expect([taken.status, taken.body]).toEqual([
        400,
        expect.stringMatching(/id="username-error"><span lang="en">A user with that/),
      ]);
      expect((await own.open('/login/')).status).toBe(200);
    });

    defineCase(
      target,
      'forms of another origin, or without their token, create no account and send no mail',
      async () => {
        const mails: string[] = [];
        const own = await start({ identity: { mail: { send: async ({ to }) => void mails.push(to) } } });
        for (const [page, fields] of [
          [REGISTER, newcomer('forged')],
          [FORGOT, { username: 'operator' }],
        ] as const) {
          const { token = '' } = hiddenFields((await own.open(page)).body);
          const foreign = await own.post(page, { ...fields, token }, { origin: 'https://evil.example' });
          const without = await own.post(page, fields);
          expect([page, foreign.status, without.status]).toEqual([page, 403, 403]);
        }
        expect((await own.submit('/login/', newcomer('forged'))).status).toBe(401);
        expect(mails).toEqual([]);
      },
    );

    defineCase(target, 'if registration is off, the page says who creates accounts', async () => {
      const own = await start({ identity: { registration: 'off' } });
      const shown = await own.open(REGISTER);
      expect([shown.status, shown.body]).toEqual([200, expect.stringContaining('Only the operator')]);
      expect(shown.body).not.toContain('<form');
      const { token = '' } = hiddenFields((await own.open('/login/')).body);
      expect((await own.post(REGISTER, { ...newcomer('late'), token })).status).toBe(403);
    });

    defineCase(target, 'too many registrations get 429, and the page shows when to try again', async () => {
      const own = await start({});
      const { token = '' } = hiddenFields((await own.open(REGISTER)).body);
      for (let index = 0; index < REGISTRATION_LIMIT.most; index += 1)
        expect((await own.post(REGISTER, { token })).status).toBe(400);
      const refused = await own.post(REGISTER, { ...newcomer('last'), token });
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
        429,
        expect.toSatisfy((s) => s > 0),
      ]);
      expect(refused.body).toMatch(/Too many requests came from your network address. Try again in \d+ minutes/);
    });

    defineCase(
      target,
      'every name gets the same page for a forgotten password; the link in the mail sets a new password',
      async () => {
        const mails: string[] = [];
        const sent = Promise.withResolvers<void>();
        const service = await createSampleService({
          identity: {
            mail: {
              send: async ({ text }) => {
                mails.push(text);
                sent.resolve();
              },
            },
          },
        });
        const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
        onTestFinished(async () => {
          await service.close();
          await host.close();
        });
        const meera = { username: 'meera', password: 'tall-river-42', email: 'meera@example.org' };
        await service.accounts.createUser(meera);
        const own = createScreenBrowser(host.url);
        const pages = await Promise.all(['meera', 'no_such_name'].map((username) => own.submit(FORGOT, { username })));
        expect(pages.map(({ status }) => status)).toEqual([200, 200]);
        expect(pages[0]?.body).toBe(pages[1]?.body);
        expect(pages[0]?.body).toContain('the link is on its way');
        await sent.promise;
        const [, path = ''] = /http:\/\/headwater\.example(\/\S+)/.exec(mails[0] ?? '') ?? [];
        const password = 'wide-meadow-43';
        const set = await own.post(path, { new_password: password, confirm_password: password });
        expect([set.status, set.body]).toEqual([
          200,
          expect.stringMatching(/<a class="button" href="\/login\/">Sign in/),
        ]);
        expect((await own.submit('/login/', { username: 'meera', password })).status).toBe(303);
      },
    );
  });
}
