import type { MailMessage } from '@headwater/identity';
import { createSampleService, SAMPLE_SECRET, type SAMPLE_USERS } from '../fixture/sample-service.ts';
import { createHeadwater, type Headwater } from '@headwater/http-service';
import { describe, expect, vi } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit, useHarness } from './harness.ts';

const FORGOT = '/api/v1/auth/forgot-password/';
const BASE = 'http://headwater.example';
const NEXT = 'wide-meadow-43';
const SENT = 'If this account exists and has an e-mail address, a password reset link was sent to it.';

interface Mailing {
  readonly url: string;
  readonly service: Headwater;
  readonly mails: readonly MailMessage[];
  readonly logged: () => string;
  readonly ask: (body: unknown) => Promise<Response>;
  readonly linkPath: () => string;
}

/** Serves the sample with a mailbox. One user has an e-mail address. */
async function withMail(target: HttpTarget, work: (mailing: Mailing) => Promise<void>): Promise<void> {
  const [mails, lines]: [MailMessage[], string[]] = [[], []];
  const note = (fields: object, text: string): void => void lines.push(JSON.stringify(fields) + text);
  const service = await createSampleService({
    identity: { mail: { send: async (message) => void mails.push(message) } },
    logger: { debug: note, info: note, error: note },
    logRequests: true,
  });
  await service.accounts.createUser({ username: 'asha', password: 'tall-river-42', email: 'asha@example.org' });
  const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
  const linkPath = (): string => {
    const address = mails
      .at(-1)
      ?.text.split('\n')
      .find((line) => line.startsWith(BASE));
    return address?.slice(BASE.length) ?? 'no link';
  };
  const ask = (body: unknown): Promise<Response> => fetch(host.url + FORGOT, jsonInit(body));
  try {
    await work({ url: host.url, service, mails, linkPath, ask, logged: () => lines.join('\n') });
  } finally {
    await service.close();
    await host.close();
  }
}

const form = (password: string, confirm = password): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ new_password: password, confirm_password: confirm }),
});

/** Test cases of forgotten passwords: resets by a mailed link and by a superuser. */
export function passwordCases(target: HttpTarget): void {
  describe('forgotten passwords', () => {
    defineCase(target, 'a mailed link sets a new password only once, on a page without script', async () => {
      await withMail(target, async ({ url, service, mails, ask, linkPath, logged }) => {
        const old = await service.accounts.login({ username: 'asha', password: 'tall-river-42' }, undefined);
        expect(await (await ask({ username: 'Asha' })).json()).toEqual({ detail: SENT });
        await vi.waitFor(() => expect(mails).toHaveLength(1));
        expect(mails[0]).toMatchObject({ to: 'asha@example.org', text: expect.stringContaining('3 days') });
        const page = await fetch(url + linkPath());
        const text = await page.text();
        expect([page.status, page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
          200,
          'no-store',
          'no-referrer',
        ]);
        expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
        expect(text).toMatch(
          /<form class="form" method="post">[\s\S]*name="new_password"[\s\S]*name="confirm_password"/,
        );
        expect(text).not.toContain('<script');
        for (const [bad, message] of [
          [form(NEXT, 'another'), 'The two passwords differ.'],
          [form('12345678'), 'entirely numeric'],
        ] as const) {
          const again = await fetch(url + linkPath(), bad);
          expect([again.status, await again.text()]).toEqual([400, expect.stringContaining(message)]);
        }
        const tries = await Promise.all([1, 2, 3].map(() => fetch(url + linkPath(), form(NEXT))));
        expect(tries.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404]);
        expect((await fetch(url + linkPath())).status).toBe(404);
        const runs = await fetch(`${url}/api/v1/runs/`, { headers: { authorization: `Bearer ${old.access}` } });
        expect(runs.status).toBe(401);
        await expect(service.accounts.login({ username: 'asha', password: NEXT }, undefined)).resolves.toBeTruthy();
        const token = linkPath().split('/').at(-2) ?? '';
        expect(token.length).toBeGreaterThan(100);
        expect(logged()).toContain('/api/v1/auth/reset-password/:uid/:token/');
        expect(logged()).not.toContain(token);
      });
    });
    defineCase(
      target,
      'the response does not reveal accounts, and mail goes only to the address of the account',
      async () => {
        await withMail(target, async ({ service, mails, ask, logged }) => {
          const { id } = await service.accounts.createUser({
            username: 'gone',
            password: NEXT,
            email: 'gone@example.org',
          });
          await service.accounts.setActive(id, false);
          for (const body of [
            { username: 'unknown_user' },
            { username: 'someone_else' },
            { username: 'someone_else', email: 'thief@example.org' },
            { username: 'gone' },
            { username: 'asha', email: 'thief@example.org' },
          ]) {
            const answer = await ask(body);
            expect([body, answer.status, await answer.json()]).toEqual([body, 200, { detail: SENT }]);
          }
          await vi.waitFor(() => expect(logged().match(/"password_link_refused"/g)).toHaveLength(4));
          await vi.waitFor(() => expect(mails.map(({ to }) => to)).toEqual(['asha@example.org']));
        });
      },
    );
    defineCase(
      target,
      'setting a new password by a link deactivates the API keys; a link expires when the e-mail address changes',
      async () => {
        await withMail(target, async ({ url, service, mails, ask, linkPath }) => {
          const user = await service.stores.users.byUsername('asha');
          if (user === undefined) throw new Error('fixture: the user asha is missing');
          const { text: key } = await service.apiKeys.generate({ kind: 'user', user });
          const read = async (): Promise<number> =>
            (await fetch(`${url}/api/v1/get_active_locations/`, { headers: { 'x-api-key': key } })).status;
          await ask({ username: 'asha' });
          await vi.waitFor(() => expect(mails).toHaveLength(1));
          const old = linkPath();
          const { access } = await service.accounts.login({ username: 'asha', password: 'tall-river-42' }, undefined);
          const headers = { authorization: `Bearer ${access}` };
          const body = { email: 'elsewhere@example.org', old_password: 'tall-river-42' };
          const moved = await fetch(`${url}/api/v1/users/${user.id}/`, { ...jsonInit(body, headers), method: 'PATCH' });
          expect([moved.status, (await fetch(url + old)).status, await read()]).toEqual([200, 404, 200]);
          expect((await fetch(url + old, form(NEXT))).status).toBe(404);
          await ask({ username: 'asha' });
          await vi.waitFor(() => expect(mails.at(-1)?.to).toBe('elsewhere@example.org'));
          expect(await (await fetch(url + linkPath())).text()).toContain('every API key of the account ends');
          const set = await fetch(url + linkPath(), form(NEXT));
          expect([set.status, await set.text()]).toEqual([200, expect.stringContaining('every API key has ended')]);
          expect(await read()).toBe(401);
        });
      },
    );
    defineCase(
      target,
      'a link expires when the password is set in another way, and is valid only for the account to which it was sent',
      async () => {
        await withMail(target, async ({ url, service, mails, ask, linkPath }) => {
          const asha = await service.stores.users.byUsername('asha');
          await ask({ username: 'asha' });
          await vi.waitFor(() => expect(mails).toHaveLength(1));
          const other = linkPath().replace(/reset-password\/[^/]+/, 'reset-password/MQ');
          const { access } = await service.accounts.login({ username: 'asha', password: 'tall-river-42' }, undefined);
          const [, , , , , uid = ''] = linkPath().split('/');
          for (const path of [
            other,
            `/api/v1/auth/reset-password/${uid}/${access}/`,
            linkPath().replace(/.\/$/, '/'),
          ]) {
            expect([path, (await fetch(url + path, form(NEXT))).status]).toEqual([path, 404]);
          }
          const bearer = { authorization: `Bearer ${linkPath().split('/').at(-2) ?? ''}` };
          expect((await fetch(`${url}/api/v1/runs/`, { headers: bearer })).status).toBe(401);
          expect((await fetch(url + linkPath())).status).toBe(200);
          await service.accounts.resetPassword(asha?.id ?? 0, 'deep-forest-44');
          expect((await fetch(url + linkPath(), form(NEXT))).status).toBe(404);
        });
      },
    );
    defineCase(target, 'repeated requests for links are refused, for known and unknown names', async () => {
      await withMail(target, async ({ ask }) => {
        for (const username of ['asha', 'unknown_user']) {
          const statuses: number[] = [];
          for (let at = 0; at < 6; at += 1) statuses.push((await ask({ username })).status);
          expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
        }
      });
    });
    superuserCases(target);
  });
}

function superuserCases(target: HttpTarget): void {
  const harness = useHarness(target);
  const as = async (who: keyof typeof SAMPLE_USERS): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await harness().token(who)}`,
  });
  defineCase(target, 'if the service sends no mail, the response refers to the operator', async () => {
    const service = createHeadwater({ baseUrl: BASE, secret: SAMPLE_SECRET });
    const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
    const answer = await fetch(host.url + FORGOT, jsonInit({ username: 'operator' }));
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { code: 'forbidden', detail: expect.stringMatching(/sends no mail; ask its operator/) },
    ]);
    await service.close();
    await host.close();
  });
  defineCase(
    target,
    "a superuser's token alone cannot change the password or the e-mail address of a superuser",
    async () => {
      const { get, service } = harness();
      const { id: another } = await service.accounts.createSuperuser({
        username: 'second_root',
        password: 'tall-river-42',
      });
      const own = (await service.stores.users.byUsername('operator'))?.id ?? 0;
      for (const [id, remedy] of [
        [own, '/api/v1/users/change_password/'],
        [another, 'change-password'],
      ] as const) {
        const answer = await get(
          `/api/v1/users/${id}/reset_password/`,
          jsonInit({ new_password: NEXT }, await as('operator')),
        );
        expect([answer.status, await answer.json()]).toMatchObject([
          403,
          { code: 'forbidden', detail: expect.stringContaining(remedy) },
        ]);
        const email = { email: 'thief@example.org' };
        const moved = await get(`/api/v1/users/${id}/`, { ...jsonInit(email, await as('operator')), method: 'PATCH' });
        expect([moved.status, await moved.json()]).toMatchObject([400, { old_password: [expect.any(String)] }]);
      }
      const login = await get('/api/v1/auth/login/', jsonInit({ username: 'second_root', password: 'tall-river-42' }));
      expect(login.status).toBe(200);
    },
  );
  defineCase(target, 'a superuser sets the password of another user; other users may not', async () => {
    const { get, service } = harness();
    const { id } = await service.accounts.createUser({ username: 'forgetful', password: 'tall-river-42' });
    const login = async (password: string): Promise<number> =>
      (await get('/api/v1/auth/login/', jsonInit({ username: 'forgetful', password }))).status;
    const path = `/api/v1/users/${id}/reset_password/`;
    const refused = await get(path, jsonInit({ new_password: NEXT }, await as('other')));
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'forbidden' }]);
    expect(await login('tall-river-42')).toBe(200);
    const weak = await get(path, jsonInit({ new_password: '12345678' }, await as('operator')));
    expect([weak.status, await weak.json()]).toMatchObject([400, { password: [expect.stringContaining('numeric')] }]);
    const set = await get(path, jsonInit({ new_password: NEXT }, await as('operator')));
    expect([set.status, await set.json()]).toMatchObject([200, { detail: expect.stringMatching(/password is set/) }]);
    expect([await login('tall-river-42'), await login(NEXT)]).toEqual([401, 200]);
  });
}
