import { buildOperations } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import { SAMPLE_PIPELINES as pipelines } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { askRow } from './auth.ts';
import { defineCase, type Harness, jsonInit, useHarness } from './harness.ts';

const PASSWORD = 'tall-river-42';
const USERS = '/api/v1/users/';
const ORGANIZATIONS = '/api/v1/organizations/';
const DENIED = 'You do not have permission to perform this action.';

type Body = Record<string, unknown>;
type Send = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Body }>;
interface Caller {
  readonly id: number;
  readonly ask: Send;
}

function senderOf({ get }: Harness, access: string): Send {
  return async (method, path, body) => {
    const init = body === undefined ? {} : jsonInit(body);
    const headers = { ...init.headers, authorization: `Bearer ${access}` };
    const answer = await get(path, { ...init, headers, method });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Body) };
  };
}

async function newCaller(harness: Harness, username: string, organization?: string): Promise<Caller> {
  const email = `${username}@example.org`;
  const account = { username, email, password: PASSWORD, ...(organization === undefined ? {} : { organization }) };
  const { id } = await harness.service.accounts.register(account, undefined);
  const { people } = harness.service.stores;
  const requested = (await people.person(id))?.requestedOrganization;
  if (requested) await people.change(id, { organizationId: requested.id });
  const login = await harness.get('/api/v1/auth/login/', jsonInit({ username, password: PASSWORD }));
  const { access } = (await login.json()) as { access: string };
  return { id, ask: senderOf(harness, access) };
}

/** Test cases of users, groups, organisations, projects and their permissions. */
export function userRouteCases(target: HttpTarget): void {
  describe('routes of users', () => {
    const harness = useHarness(target);
    for (const row of buildOperations(pipelines).filter(({ auth }) => auth === 'superuser')) {
      defineCase(target, `${row.id}: returns 403 to users who are not superusers`, async () => {
        for (const who of ['owner', 'other'] as const) {
          const headers = { authorization: `Bearer ${await harness().token(who)}` };
          const answer = await askRow(harness().get, row, headers);
          expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'forbidden', detail: DENIED }]);
        }
      });
    }
    defineCase(target, 'users cannot read other users, change them, or find out which ids exist', async () => {
      const [one, two] = [await newCaller(harness(), 'one'), await newCaller(harness(), 'two')];
      for (const [method, path, body] of [
        ['GET', USERS, undefined],
        ['GET', `${USERS}${two.id}/`, undefined],
        ['GET', `${USERS}99999/`, undefined],
        ['PATCH', `${USERS}${two.id}/`, { first_name: 'Taken over' }],
        ['PUT', `${USERS}${two.id}/`, { first_name: 'Taken over', email: 'thief@example.org' }],
        ['PATCH', `${USERS}99999/`, { first_name: 'x' }],
      ] as const) {
        expect([path, await one.ask(method, path, body)]).toMatchObject([
          path,
          { status: 403, body: { detail: DENIED } },
        ]);
      }
      expect((await two.ask('GET', `${USERS}${two.id}/`)).body).toMatchObject({ first_name: '', username: 'two' });
    });
    defineCase(target, 'users can change their own data, but not their own rights', async () => {
      const { id, ask } = await newCaller(harness(), 'climbing');
      const path = `${USERS}${id}/`;
      const rights = { is_superuser: true, is_superadmin: true, is_staff: true, may_compute: true, groups: [1] };
      const more = { ...rights, organization: '0190a000-0000-7000-8000-000000000009', is_active: false, id: 1 };
      const personal = { first_name: 'Asha', age: 34, gender: 'F', contact_number: '+91 98', account_type: 'org' };
      for (const method of ['PUT', 'PATCH']) {
        const { status, body } = await ask(method, path, { ...personal, ...more, isSuperuser: true, mayCompute: true });
        expect([status, body]).toMatchObject([
          200,
          { ...personal, is_superadmin: false, may_compute: false, groups: [] },
        ]);
      }
      expect(await harness().service.stores.users.byId(id)).toMatchObject({
        isSuperuser: false,
        mayCompute: false,
        isActive: true,
      });
      const { body: user } = await ask('GET', path);
      expect((await ask('PUT', path, user)).body).toEqual(user);
      expect((await ask('PATCH', path, { contact_number: '', age: null, gender: '' })).body).toMatchObject({
        first_name: 'Asha',
        contact_number: null,
        age: null,
        gender: null,
      });
      expect((await ask('PATCH', path, { username: 'renamed', age: 200 })).body['errors']).toEqual({
        username: [expect.stringMatching(/cannot be changed/)],
      });
      expect((await ask('PATCH', path, { age: 200 })).body['errors']).toEqual({
        age: [expect.stringContaining('150')],
      });
    });
    defineCase(target, 'a user needs the password to change the e-mail address', async () => {
      const { id, ask } = await newCaller(harness(), 'moving');
      const path = `${USERS}${id}/`;
      const email = 'elsewhere@example.org';
      for (const body of [{ email }, { email, old_password: 'not-it' }]) {
        expect(await ask('PATCH', path, body)).toMatchObject({
          status: 400,
          body: { old_password: [expect.any(String)] },
        });
      }
      expect((await ask('GET', path)).body['email']).toBe('moving@example.org');
      expect((await ask('PATCH', path, { email, old_password: PASSWORD })).body['email']).toBe(email);
    });
    managingCases(target, harness);
  });

  function managingCases(target: HttpTarget, harness: () => Harness): void {
    const operator = async (): Promise<Send> => senderOf(harness(), await harness().token('operator'));
    defineCase(
      target,
      'a superuser creates users, allows computing and disables accounts, which ends their sessions',
      async () => {
        const ask = await operator();
        const created = await ask('POST', USERS, {
          username: 'made',
          password: PASSWORD,
          is_superuser: true,
          organization: 'Jal',
        });
        expect(created).toMatchObject({
          status: 201,
          body: { organization_name: 'Jal', is_superadmin: false, may_compute: true, is_active: true },
        });
        const again = await ask('POST', USERS, { username: 'MADE', password: PASSWORD });
        expect(again).toMatchObject({ status: 400, body: { username: [expect.stringMatching(/already exists/)] } });
        const reader = await newCaller(harness(), 'reading');
        const path = `${USERS}${reader.id}/`;
        expect((await ask('PATCH', path, { may_compute: true })).body['may_compute']).toBe(true);
        expect((await reader.ask('GET', path)).status).toBe(200);
        expect((await ask('PATCH', path, { is_active: false })).body['is_active']).toBe(false);
        expect(await reader.ask('GET', path)).toMatchObject({ status: 401, body: { code: 'user_inactive' } });
        expect((await ask('PATCH', path, { is_active: true })).body['is_active']).toBe(true);
        expect((await reader.ask('GET', path)).status).toBe(401);
        const self = await harness().service.stores.users.byUsername('operator');
        expect((await ask('PATCH', `${USERS}${self?.id ?? 0}/`, { is_active: false })).status).toBe(400);
        expect((await ask('PATCH', `${USERS}99999/`, { first_name: 'x' })).status).toBe(404);
      },
    );
    defineCase(target, 'an admin of an organisation can read only the users of that organisation', async () => {
      const ask = await operator();
      const admin = await newCaller(harness(), 'admin_of_ours', 'Ours');
      const [ours, theirs] = [
        await newCaller(harness(), 'of_ours', 'ours'),
        await newCaller(harness(), 'of_theirs', 'Theirs'),
      ];
      expect((await admin.ask('GET', USERS)).status).toBe(403);
      const set = await ask('PUT', `${USERS}${admin.id}/set_group/`, { group_id: '1' });
      expect(set).toMatchObject({ status: 200, body: { user: { groups: [{ id: 1, name: 'Organization Admin' }] } } });
      const { body } = await admin.ask('GET', USERS);
      expect(Object.values(body)).toMatchObject([{ id: admin.id }, { id: ours.id }]);
      expect((await admin.ask('GET', `${USERS}${ours.id}/`)).status).toBe(200);
      expect((await admin.ask('GET', `${USERS}${theirs.id}/`)).status).toBe(403);
      expect((await admin.ask('PATCH', `${USERS}${ours.id}/`, { first_name: 'x' })).status).toBe(403);
      const { body: there } = await ask('GET', `${USERS}${theirs.id}/`);
      const moved = await ask('PUT', `${USERS}${admin.id}/set_organization/`, {
        organization_id: there['organization'],
      });
      expect(moved).toMatchObject({ status: 200, body: { organization_name: 'Theirs', groups: [] } });
      // The move to another organisation removes the user's admin role.
      for (const path of [USERS, `${USERS}${theirs.id}/`, `${USERS}${ours.id}/`]) {
        expect((await admin.ask('GET', path)).status).toBe(403);
      }
      await ask('PUT', `${USERS}${admin.id}/set_group/`, { group_id: 1 });
      expect((await admin.ask('GET', `${USERS}${theirs.id}/`)).status).toBe(200);
      const part = await admin.ask('GET', `${USERS}?limit=1&offset=1`);
      expect(Object.values(part.body)).toMatchObject([{ id: theirs.id }]);
      expect(Object.values((await ask('GET', `${USERS}?limit=2`)).body)).toMatchObject([{ id: 1 }, { id: 2 }]);
      await ask('PUT', `${USERS}${admin.id}/remove_group/`, { group_id: 1 });
      expect((await admin.ask('GET', USERS)).status).toBe(403);
      const unknown = await ask('PUT', `${USERS}${admin.id}/set_organization/`, { organization_id: 'x' });
      expect(unknown).toMatchObject({ status: 404, body: { detail: 'Organization not found.' } });
      const noGroup = await ask('PUT', `${USERS}${admin.id}/set_group/`, { group_id: 99 });
      expect(noGroup).toMatchObject({ status: 404, body: { detail: 'Group not found.' } });
    });
    defineCase(
      target,
      'an organisation that a user has named is listed after a superuser approves it, and can be removed',
      async () => {
        const ask = await operator();
        const namer = await newCaller(harness(), 'of_a_new_one', 'Quite New');
        const listed = async (): Promise<unknown[]> => {
          const answer = await harness().get('/api/v1/auth/register/available_organizations/');
          return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
        };
        const { body: user } = await namer.ask('GET', `${USERS}${namer.id}/`);
        expect([user['organization_name'], await listed()]).toEqual([
          'Quite New',
          expect.not.arrayContaining(['Quite New']),
        ]);
        const all = Object.values((await ask('GET', ORGANIZATIONS)).body);
        expect(all).toContainEqual({ id: user['organization'], name: 'Quite New', is_listed: false });
        const path = `${ORGANIZATIONS}${String(user['organization'])}/`;
        const listing = await ask('PATCH', path, { is_listed: true });
        expect(listing).toEqual({
          status: 200,
          body: { id: user['organization'], name: 'Quite New', is_listed: true },
        });
        expect(await listed()).toContain('Quite New');
        expect((await ask('DELETE', path)).status).toBe(204);
        expect(await listed()).not.toContain('Quite New');
        expect((await namer.ask('GET', `${USERS}${namer.id}/`)).body['organization']).toBeNull();
        for (const method of ['PATCH', 'DELETE']) {
          expect((await ask(method, path, method === 'PATCH' ? { is_listed: true } : undefined)).status).toBe(404);
        }
      },
    );
    defineCase(target, 'projects are visible to their members only', async () => {
      const ask = await operator();
      const [member, outsider] = [await newCaller(harness(), 'member'), await newCaller(harness(), 'outsider')];
      const { body: project } = await ask('POST', '/api/v1/projects/', { name: 'Ponds' });
      expect((await ask('POST', '/api/v1/projects/', { name: 'PONDS' })).status).toBe(409);
      const path = `/api/v1/projects/${String(project['id'])}/users/`;
      const set = await ask('POST', path, { user_id: String(member.id), group_id: '3' });
      const row = {
        user_id: member.id,
        username: 'member',
        group_id: 3,
        group_name: 'Member',
        project_id: project['id'],
      };
      expect(set).toEqual({ status: 201, body: { id: expect.any(Number), ...row } });
      expect(Object.values((await member.ask('GET', path)).body)).toEqual([set.body]);
      expect((await outsider.ask('GET', path)).status).toBe(404);
      expect(Object.values((await member.ask('GET', `${USERS}my_projects/`)).body)).toEqual([project]);
      expect(Object.values((await outsider.ask('GET', '/api/v1/projects/')).body)).toEqual([]);
      expect((await member.ask('GET', `${USERS}${member.id}/`)).body['project_details']).toEqual([
        { project_id: project['id'], project_name: 'Ponds' },
      ]);
      expect((await ask('DELETE', `${path}${String(set.body['id'])}/`)).status).toBe(204);
      expect((await member.ask('GET', path)).status).toBe(404);
    });
  }
}
