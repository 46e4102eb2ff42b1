import type { EoCredentials } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit, useHarness } from './harness.ts';

const ACTIVATE = '/api/v1/activate_location/';
const EO = '/api/v1/eoaccounts/';
const PLACE = { state: 'sample_state', district: 'sample_district', block: 'sample_tehsil' };

/** Test cases of routes for places and Earth-observation accounts. */
export function managingCases(target: HttpTarget): void {
  describe('places and Earth-observation accounts', () => {
    const harness = useHarness(target);
    const ask = async (method: string, path: string, body: unknown): Promise<{ status: number; body: unknown }> => {
      const init = jsonInit(body, { authorization: `Bearer ${await harness().token('operator')}` });
      const answer = await harness().get(path, { ...init, method });
      return { status: answer.status, body: await answer.json() };
    };
    const activate = (type: string, active: boolean, id: unknown = 1): ReturnType<typeof ask> =>
      ask('PATCH', ACTIVATE, { location_type: type, location_id: id, active });

    defineCase(
      target,
      'a place can be active only below active places; deactivating it changes no other place',
      async () => {
        const states = async (): Promise<unknown> => (await harness().get('/api/v1/proposed_blocks/')).json();
        const before = await states();
        const off = await activate('state', false);
        const place = { location_type: 'state', location_id: 1, active: false };
        expect(off).toEqual({ status: 200, body: { message: 'state is now inactive.', ...place } });
        expect(await activate('state', false)).toEqual({
          status: 200,
          body: { message: 'state was already inactive.', ...place },
        });
        expect(await states()).toEqual([]);
        for (const [type, remedy] of [
          ['district', /Activate its state first/],
          ['block', /Activate its state and district first/],
        ] as const) {
          expect((await activate(type, false)).status).toBe(200);
          expect(await activate(type, true)).toMatchObject({
            status: 400,
            body: { error: expect.stringMatching(remedy), location_id: [expect.stringMatching(remedy)] },
          });
        }
        for (const type of ['state', 'district', 'block']) expect((await activate(type, true)).status).toBe(200);
        expect(await states()).toEqual(before);
      },
    );
    defineCase(target, 'an unknown place and an invalid field are refused with a message that names them', async () => {
      expect(await activate('state', true, 99_999)).toMatchObject({
        status: 404,
        body: { error: 'State with id 99999 not found' },
      });
      expect(await activate('village', true)).toMatchObject({
        status: 400,
        body: { location_type: [expect.any(String)] },
      });
      for (const id of ['one', '', '1.5', '0', 0, 1.5, null, true, 2 ** 31, String(2 ** 31)])
        expect([id, await activate('state', true, id)]).toMatchObject([
          id,
          { status: 400, body: { location_id: [expect.any(String)] } },
        ]);
      expect(await activate('state', true, '1')).toMatchObject({ status: 200, body: { location_id: 1 } });
    });
    defineCase(target, 'anonymous users may activate places only if the operator allows it', async () => {
      const init = { ...jsonInit({ location_type: 'state', location_id: '1', active: true }), method: 'PATCH' };
      expect((await harness().get(ACTIVATE, init)).status).toBe(401);
      const open = await createSampleService({ identity: { activation: 'anybody' } });
      const host = await target.start({ mounts: [{ service: open.service, prefix: '' }] });
      const answer = await fetch(host.url + ACTIVATE, init);
      expect([answer.status, await answer.json()]).toMatchObject([200, { location_id: 1, active: true }]);
      await open.close();
      await host.close();
    });
    defineCase(target, 'accounts can be created and changed; a hidden account is not listed', async () => {
      const created = await ask('POST', EO, {
        name: 'project-one',
        account_email: 'owner@example.org',
        is_superuser: true,
      });
      const account = {
        id: expect.any(Number),
        name: 'project-one',
        account_email: 'owner@example.org',
        service_account_email: null,
        platform: 'local',
        is_active: true,
      };
      const whole = {
        is_visible: true,
        visible_to: 'all',
        owner_id: null,
        organization_id: null,
        has_key: false,
        exhausted_until: null,
      };
      expect(created).toEqual({ status: 201, body: { ...account, ...whole } });
      const { id } = created.body as { id: number };
      const listed = async (): Promise<readonly { readonly id: number }[]> => {
        const headers = { authorization: `Bearer ${await harness().token('owner')}` };
        return (await (await harness().get(EO, { headers })).json()) as readonly { readonly id: number }[];
      };
      expect(await listed()).toContainEqual({ ...account, id });
      const path = `${EO}${id}/`;
      expect(await ask('PATCH', path, { account_email: null })).toMatchObject({
        status: 200,
        body: { account_email: null },
      });
      expect((await ask('PATCH', path, { is_visible: false })).body).toMatchObject({
        name: 'project-one',
        is_visible: false,
      });
      expect((await listed()).map((each) => each.id)).not.toContain(id);
      const bad = await ask('PATCH', path, { name: '', account_email: 'not-an-address', is_visible: 'no' });
      expect(bad).toMatchObject({
        status: 400,
        body: { name: [expect.any(String)], account_email: [expect.any(String)], is_visible: [expect.any(String)] },
      });
      expect((await ask('PATCH', `${EO}99999/`, { name: 'x' })).status).toBe(404);
    });
    defineCase(
      target,
      'an account has a platform; an account that cannot compute is refused with its name and the reason',
      async () => {
        const members = { service_account_email: 'runner@project.iam.gserviceaccount.com', platform: 'earth_engine' };
        const created = await ask('POST', EO, { name: 'project-two', ...members });
        expect(created).toMatchObject({ status: 201, body: { name: 'project-two', ...members, is_active: true } });
        const { id } = created.body as { id: number };
        const request = { ...PLACE, start_year: 2020, end_year: 2020, eo_account_id: id };
        const refused = async (reason: RegExp): Promise<void> =>
          expect(await ask('POST', '/api/v1/lulc_for_tehsil/', request)).toMatchObject({
            status: 400,
            body: { errors: { eo_account_id: [expect.stringMatching(reason)] } },
          });
        await refused(/^account \d+ \(project-two\) belongs to the platform earth_engine.*GET \/api\/v1\/eoaccounts\//);
        const path = `${EO}${id}/`;
        const changed = await ask('PATCH', path, { platform: 'local', service_account_email: null, is_active: false });
        expect(changed.body).toMatchObject({ platform: 'local', service_account_email: null, is_active: false });
        await refused(/^account \d+ \(project-two\) is disabled; .*superuser/);
        const bad = await ask('POST', EO, { name: 'x', platform: 'gee', service_account_email: 'x', is_active: 'no' });
        expect(bad).toMatchObject({
          status: 400,
          body: {
            platform: [expect.stringContaining('local')],
            service_account_email: [expect.any(String)],
            is_active: [expect.any(String)],
          },
        });
      },
    );
    defineCase(
      target,
      'an account for an owner or an organisation is listed and accepted only for that user or its members',
      async () => {
        const { stores } = harness().service;
        const [owner, other] = await Promise.all([
          stores.users.byUsername(SAMPLE_USERS.owner.username),
          stores.users.byUsername(SAMPLE_USERS.other.username),
        ]);
        if (owner === undefined || other === undefined) throw new Error('fixture: the users are missing');
        const { id: organizationId } = await stores.people.addOrganization('Jal Samiti', false);
        await stores.people.change(other.id, { organizationId });
        const add = (name: string, more: object) =>
          stores.eoAccounts.create({ name, accountEmail: null, isVisible: true, ...more });
        const own = await add('private', { visibleTo: 'owner', ownerId: owner.id });
        const shared = await add('shared', { visibleTo: 'organization', organizationId });
        const usable = async (user: 'owner' | 'other' | 'operator'): Promise<unknown> => {
          const headers = { authorization: `Bearer ${await harness().token(user)}` };
          const listed = (await (await harness().get(EO, { headers })).json()) as readonly { readonly id: number }[];
          const grouped = JSON.stringify(await (await harness().get('/api/v1/geeaccounts/', { headers })).json());
          const found: string[] = [];
          for (const { id, name } of [own, shared]) {
            const isListed = listed.some((each) => each.id === id);
            expect(grouped.includes(`"${name}"`)).toBe(isListed);
            const request = { ...PLACE, start_year: 2020, end_year: 2020, eo_account_id: id };
            const answer = await harness().get('/api/v1/lulc_for_tehsil/', jsonInit(request, headers));
            expect(answer.ok).toBe(isListed);
            if (isListed) found.push(name);
            else
              expect(await answer.json()).toMatchObject({
                errors: { eo_account_id: [expect.stringMatching(`^account ${id} does not exist`)] },
              });
          }
          return found;
        };
        expect(await usable('owner')).toEqual(['private']);
        expect(await usable('other')).toEqual(['shared']);
        expect(await usable('operator')).toEqual([]);
      },
    );
    defineCase(
      target,
      'a request with an account whose quota is spent, or whose credentials cannot be used, is refused before a run is stored',
      async () => {
        const eoCredentials: EoCredentials = {
          email: async () => undefined,
          test: async () => [],
          problemOf: async ({ name }) => (name === 'working' ? undefined : 'has no credentials; upload its key'),
        };
        const sample = await createSampleService({ eoCredentials });
        const host = await target.start({ mounts: [{ service: sample.service, prefix: '' }] });
        const account = { accountEmail: null, isVisible: true, platform: 'earth_engine' as const };
        const { eoAccounts, runs } = sample.stores;
        const { username, password } = SAMPLE_USERS.owner;
        const login = await fetch(`${host.url}/api/v1/auth/login/`, jsonInit({ username, password }));
        const { access } = (await login.json()) as { readonly access: string };
        const until = '2999-01-01T00:00:00.000Z';
        for (const [name, exhaustedUntil, reason] of [
          ['working', until, `has spent its quota at the platform; it can be used again after ${until}`],
          ['keyless', null, 'has no credentials; upload its key'],
          ['working', null, 'belongs to the platform earth_engine, which cannot compute here'],
        ] as const) {
          const { id } = await eoAccounts.create({ ...account, name, exhaustedUntil });
          const { total } = await runs.list({ limit: 1, offset: 0 });
          const request = { ...PLACE, start_year: 2020, end_year: 2020, eo_account_id: id };
          const init = jsonInit(request, { authorization: `Bearer ${access}` });
          const answer = await fetch(`${host.url}/api/v1/lulc_for_tehsil/`, init);
          expect([answer.status, await answer.json()]).toMatchObject([
            400,
            { errors: { eo_account_id: [expect.stringContaining(`account ${id} (${name}) ${reason}`)] } },
          ]);
          expect((await runs.list({ limit: 1, offset: 0 })).total).toBe(total);
        }
        await sample.close();
        await host.close();
      },
    );
  });
}
