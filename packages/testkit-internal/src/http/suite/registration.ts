import { describe, expect } from 'vitest';
import { createSampleService, SAMPLE_PIPELINES as pipelines } from '../fixture/sample-service.ts';
import { buildOperations } from '@headwater/http-service';
import type { HttpTarget } from '../targets/target.ts';
import { askRow } from './auth.ts';
import { defineCase, jsonInit, useHarness } from './harness.ts';

const REGISTER = '/api/v1/auth/register/';
const ORGANIZATIONS = '/api/v1/auth/register/available_organizations/';
const PASSWORD = 'tall-river-42';

function newcomer(username: string): Record<string, string> {
  return { username, email: `${username}@example.org`, password: PASSWORD, password_confirm: PASSWORD };
}

/** Test cases of registration and the rights of new accounts. */
export function registrationCases(target: HttpTarget): void {
  describe('registration', () => {
    const harness = useHarness(target);
    const register = async (init: RequestInit): Promise<{ status: number; body: Record<string, unknown> }> => {
      const answer = await harness().get(REGISTER, { method: 'POST', ...init });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const signIn = async (username: string): Promise<{ access: string; user: Record<string, unknown> }> => {
      const answer = await harness().get('/api/v1/auth/login/', jsonInit({ username, password: PASSWORD }));
      return (await answer.json()) as { access: string; user: Record<string, unknown> };
    };
    const bearer = (access: string): Record<string, string> => ({ authorization: `Bearer ${access}` });

    defineCase(
      target,
      'a new user registers, generates a key and reads with it; computing needs permission',
      async () => {
        const { get, service } = harness();
        const { status, body } = await register(jsonInit(newcomer('asha')));
        expect({ status, body }).toEqual({
          status: 201,
          body: {
            id: expect.any(Number),
            username: 'asha',
            email: 'asha@example.org',
            first_name: '',
            last_name: '',
            contact_number: null,
            age: null,
            education_qualification: null,
            gender: null,
            profile_picture: null,
            account_type: null,
          },
        });
        const { access, user } = await signIn('asha');
        expect(user).toMatchObject({ id: body['id'], organization: null, is_superadmin: false, may_compute: false });
        const generated = await get('/api/v1/generate_api_key/', jsonInit({}, bearer(access)));
        const { data } = (await generated.json()) as { data: { api_key: string } };
        const read = await get('/api/v1/get_active_locations/', { headers: { 'x-api-key': data.api_key } });
        expect([generated.status, read.status]).toEqual([201, 200]);
        await service.stores.eoAccounts.create({ name: 'seen', accountEmail: 'owner@example.org', isVisible: true });
        const accounts = async (): Promise<string> => {
          const paths = ['/api/v1/eoaccounts/', '/api/v1/geeaccounts/'];
          const answers = await Promise.all(paths.map((path) => get(path, { headers: bearer(access) })));
          return JSON.stringify(await Promise.all(answers.map((answer) => answer.json())));
        };
        expect(await accounts()).toMatch(/"name":"seen","account_email":null.*"no_account_email":\[.*"name":"seen"/);
        expect(await accounts()).not.toContain('owner@example.org');
        const computing = buildOperations(pipelines).filter(({ auth }) => auth === 'computing');
        expect(computing.length).toBeGreaterThan(1);
        for (const row of computing) {
          const answer = await askRow(get, row, bearer(access));
          expect([row.id, answer.status, await answer.json()]).toMatchObject([
            row.id,
            403,
            { code: 'computing_not_allowed', detail: expect.stringContaining(`/api/v1/users/${String(body['id'])}/`) },
          ]);
        }
        await service.stores.people.change(Number(body['id']), { mayCompute: true });
        expect(await accounts()).toMatch(/"account_email":"owner@example.org".*"owner@example.org":\[/);
        for (const row of computing) expect((await askRow(get, row, bearer(access))).status).toBeLessThan(300);
      },
    );
    defineCase(target, 'registration accepts form and multipart, with optional personal fields', async () => {
      const optional = {
        first_name: 'Devi',
        age: '34',
        gender: 'F',
        account_type: 'individual',
        organization: 'Jal Samiti',
      };
      const form = await register({
        body: new URLSearchParams({ ...newcomer('by_form'), ...optional, last_name: '' }),
      });
      expect(form).toMatchObject({ status: 201, body: { first_name: 'Devi', age: 34, gender: 'F', last_name: '' } });
      const parts = new FormData();
      for (const [name, value] of Object.entries({ ...newcomer('by_parts'), ...optional, organization: 'jal samiti' }))
        parts.append(name, value);
      parts.append('profile_picture', new File([], '', { type: 'application/octet-stream' }));
      expect((await register({ body: parts })).status).toBe(201);
      const [one, two] = [await signIn('by_form'), await signIn('by_parts')];
      const requested = { id: expect.any(String), name: 'Jal Samiti' };
      const pending = { organization: null, requested_organization: requested };
      expect(one.user).toMatchObject({ ...pending, account_type: 'individual', groups: [] });
      expect(two.user['requested_organization']).toEqual(one.user['requested_organization']);
      const listed = async (): Promise<unknown> => (await harness().get(`${ORGANIZATIONS}?app_type=x`)).json();
      expect(await listed()).toEqual([]);
      const { id } = await harness().service.stores.people.organizationNamed('Jal Samiti', true);
      expect([one.user['requested_organization'], await listed()]).toEqual([
        { id, name: 'Jal Samiti' },
        [{ id, name: 'Jal Samiti' }],
      ]);
      parts.set('username', 'with_picture');
      parts.set('profile_picture', new File(['x'], 'me.png', { type: 'image/png' }));
      expect(await register({ body: parts })).toMatchObject({
        status: 400,
        body: { profile_picture: [expect.stringMatching(/no pictures/)] },
      });
    });
    defineCase(
      target,
      'only a superuser or a member of an organisation approves users who want to join it',
      async () => {
        const { people, users } = harness().service.stores;
        const { id: trust } = await people.organizationNamed('Neer Trust', true);
        const { id: other } = await people.organizationNamed('Other Trust', true);
        const idOf = async (name: string): Promise<number> => (await users.byUsername(name))?.id ?? 0;
        for (const name of ['first', 'second', 'third'])
          expect((await register(jsonInit({ ...newcomer(name), organization: 'neer trust' }))).status).toBe(201);
        expect((await register(jsonInit(newcomer('outsider')))).status).toBe(201);
        const set = async (who: string, name: string, organization: string | null = trust): Promise<unknown> => {
          const access = who === 'operator' ? await harness().token('operator') : (await signIn(who)).access;
          const init = { ...jsonInit({ organization_id: organization }), method: 'PUT' };
          const headers = { 'content-type': 'application/json', ...bearer(access) };
          const path = `/api/v1/users/${await idOf(name)}/set_organization/`;
          const answer = await harness().get(path, { ...init, headers });
          return [answer.status, ((await answer.json()) as Record<string, unknown>)['organization_name'] ?? null];
        };
        // Users without an approved organisation cannot approve users.
        for (const who of ['first', 'second', 'outsider']) expect(await set(who, 'first')).toEqual([403, null]);
        expect(await set('operator', 'first')).toEqual([200, 'Neer Trust']);
        expect(await set('first', 'second', other)).toEqual([403, null]);
        expect(await set('first', 'outsider')).toEqual([403, null]);
        expect(await set('first', 'second')).toEqual([200, 'Neer Trust']);
        expect((await signIn('second')).user).not.toHaveProperty('requested_organization');
        // A member cannot remove other members, and cannot change a decided request.
        expect(await set('first', 'second', null)).toEqual([403, null]);
        expect(await set('operator', 'third', null)).toEqual([200, null]);
        expect(await set('second', 'third')).toEqual([403, null]);
      },
    );
    defineCase(target, 'registration ignores privileges in the body', async () => {
      const more = { is_superuser: true, is_superadmin: true, is_staff: true, may_compute: true, mayCompute: true };
      const body = {
        ...newcomer('climber'),
        ...more,
        isSuperuser: true,
        id: 1,
        groups: [1],
        account_type: 'individual',
      };
      expect((await register(jsonInit(body))).status).toBe(201);
      const user = await harness().service.stores.users.byUsername('climber');
      expect(user).toMatchObject({ isSuperuser: false, mayCompute: false, isActive: true, mustChangePassword: false });
    });
    defineCase(target, 'a refused registration lists the errors of each invalid field', async () => {
      const fault = async (change: Record<string, unknown>): Promise<unknown> => {
        const { status, body } = await register(jsonInit({ ...newcomer('faulty'), ...change }));
        expect(status).toBe(400);
        return body['errors'];
      };
      expect(await fault({ password_confirm: 'x' })).toEqual({ password: ["Password fields didn't match."] });
      expect(await fault({ organization: '0190a000-0000-7000-8000-000000000009' })).toEqual({
        organization: ['Organization not found.'],
      });
      await register(jsonInit(newcomer('taken')));
      expect(await fault({ username: 'TAKEN', organization: 'Left behind' })).toEqual({
        username: ['A user with that username already exists.'],
      });
      expect(await fault({ email: null, username: '', age: 'x', gender: 'Q' })).toMatchObject({
        email: ['This field may not be null.'],
        username: ['This field may not be blank.'],
        age: ['A valid integer is required.'],
        gender: ['Must be one of M, F, O.'],
      });
      const all = { username: 'TAKEN', email: 'not-an-address', password: '12345678', password_confirm: 'x' };
      expect(await fault({ ...all, organization: 'Jal \u202eitimaS' })).toEqual({
        username: ['A user with that username already exists.'],
        email: [expect.stringContaining('name@example.org')],
        password: ["Password fields didn't match.", expect.stringContaining('numeric')],
        organization: [expect.stringContaining('reverse or hide text')],
      });
      const weak = { password: '12345678', password_confirm: '12345678', age: 200, email: 'not-an-address' };
      expect(await fault(weak)).toMatchObject({
        password: [expect.stringContaining('numeric')],
        age: [expect.stringContaining('150')],
        email: [expect.stringContaining('name@example.org')],
      });
      const names = (await harness().service.stores.people.organizations({ onlyListed: false })).map(
        ({ name }) => name,
      );
      expect(names).not.toContain('Left behind');
    });
    offCases(target);
  });
}

function offCases(target: HttpTarget): void {
  const serve = async (rule: 'off' | 'open', work: (url: string) => Promise<void>): Promise<void> => {
    const service = await createSampleService({ identity: { registration: rule } });
    const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
    try {
      await work(host.url);
    } finally {
      await service.close();
      await host.close();
    }
  };
  defineCase(target, 'with registration off the response is 403 and no account is created', async () => {
    await serve('off', async (url) => {
      for (const [path, init] of [
        [REGISTER, jsonInit(newcomer('refused'))],
        [ORGANIZATIONS, {}],
      ] as const) {
        const answer = await fetch(url + path, init);
        expect([answer.status, await answer.json()]).toMatchObject([
          403,
          { code: 'forbidden', detail: expect.stringMatching(/ask its operator/) },
        ]);
      }
      const login = await fetch(`${url}/api/v1/auth/login/`, jsonInit({ username: 'refused', password: PASSWORD }));
      expect(login.status).toBe(401);
    });
  });
  defineCase(target, 'repeated registrations are limited: 429 with Retry-After', async () => {
    await serve('open', async (url) => {
      const statuses: number[] = [];
      let refused: Response | undefined;
      for (let at = 0; at < 60 && refused === undefined; at += 1) {
        const answer = await fetch(
          url + REGISTER,
          jsonInit({ ...newcomer(`many_${at}`), password_confirm: PASSWORD, email: 'no' }),
        );
        if (answer.status === 429) refused = answer;
        else statuses.push(answer.status);
      }
      expect(statuses).toEqual(Array.from({ length: 40 }, () => 400));
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3000);
    });
  });
}
