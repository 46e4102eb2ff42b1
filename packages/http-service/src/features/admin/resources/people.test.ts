import { createMemoryStores } from '@headwater/identity/memory';
import { createManualTime } from '@headwater/core/testing';
import { html } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { createHeadwater } from '../../../headwater.ts';
import type { AdminCaller, AdminPage, AdminQuery, AdminResource, AdminTexts } from '../../../seam/admin-resource.ts';
import { createScryptHasher } from '../../accounts/scrypt-hasher.ts';
import { apiKeyResource } from './api-keys.ts';
import { groupResource } from './groups.ts';
import { joinRequestResource } from './join-requests.ts';
import { organizationResource } from './organizations.ts';
import { projectResource } from './projects.ts';
import { sessionResource } from './sessions.ts';

const PASSWORD = 'tall-river-42';
const MARKUP = '<img src=x onerror=alert(1)>';
const ALL: AdminQuery = { search: '', filters: {}, sort: undefined, limit: 50, offset: 0 };
const UNKNOWN_ID = '0190a000-0000-7000-8000-000000000009';
const gone = { code: 'not_found' };
const noUser = { code: 'validation', fields: { username: [{ rule: 'unknown' }] } };

async function world() {
  const clock = createManualTime();
  const stores = createMemoryStores({ clock });
  const hasher = createScryptHasher({ N: 1024, r: 8, p: 1 });
  const options = { baseUrl: 'http://localhost', secret: 's3cret '.repeat(5), stores, clock };
  const { accounts, apiKeys } = createHeadwater({ ...options, identity: { hasher, registration: 'open' } });
  const user = await accounts.createSuperuser({ username: 'chief', password: PASSWORD });
  const caller: AdminCaller = {
    principal: { kind: 'user', user },
    language: 'en',
    prefix: '/hw',
    remoteAddress: undefined,
  };
  const act = async (
    resource: AdminResource,
    name: string,
    [id, texts = {}]: readonly [id: string, texts?: AdminTexts],
  ) => {
    const action = resource.actions?.find((each) => each.name === name);
    if (action === undefined) throw new Error(`${resource.name} has no action ${name}`);
    return await action.run(id, caller, texts);
  };
  const list = async (resource: AdminResource, query: Partial<AdminQuery> = {}): Promise<AdminPage> =>
    await resource.list({ ...ALL, ...query }, caller);
  const newUser = (username: string) => accounts.createUser({ username, password: PASSWORD });
  const deps = { stores, accounts, apiKeys, clock };
  return { ...deps, caller, act, list, newUser };
}

async function pageOf(resource: AdminResource, id: string, caller: AdminCaller): Promise<string> {
  const { parts = [], ...rest } = (await resource.find?.(id, caller)) ?? {};
  return `${JSON.stringify(rest)} ${String(await html`${parts}`)}`;
}

describe('API keys', () => {
  it('of all users are listed, newest first, and are revoked by a superuser', async () => {
    const { apiKeys, act, list, newUser, caller, clock, stores } = await world();
    const resource = apiKeyResource({ stores, apiKeys, clock });
    const user = await newUser('asha');
    const first = await apiKeys.generate({ kind: 'user', user }, { name: '<b>laptop</b>' });
    const { key } = await apiKeys.generate({ kind: 'user', user }, { name: 'server', expiryDays: 1 });
    await apiKeys.authenticate(first.text);
    await apiKeys.close();
    const { rows, total } = await list(resource);
    expect([rows.map(({ id }) => id), total]).toEqual([[key.prefix, first.key.prefix], 2]);
    expect(rows[1]?.values).toMatchObject({
      owner: { text: 'asha', href: `/admin/users/${user.id}/` },
      name: '<b>laptop</b>',
      state: { text: 'Active', tone: 'ok' },
      today: 1,
      sinceYesterday: 1,
      month: 1,
    });
    expect(JSON.stringify(rows)).not.toContain(first.text.slice(9));
    const found = await list(resource, { search: 'asha laptop', filters: { state: 'active' } });
    expect(found.rows.map(({ id }) => id)).toEqual([first.key.prefix]);
    const sorted = await list(resource, { sort: { column: 'expires', isDescending: false } });
    expect(sorted.rows.map(({ id }) => id)).toEqual([key.prefix, first.key.prefix]);

    expect(await pageOf(resource, first.key.prefix, caller)).toMatch(/asha: .*Uses in the last 30 days: 1/);
    await act(resource, 'revoke', [first.key.prefix]);
    await expect(apiKeys.authenticate(first.text)).rejects.toMatchObject({ code: 'token_not_valid' });
    const detail = await resource.find?.(first.key.prefix, caller);
    expect(detail?.texts).toEqual({ state: 'ended' });
    expect(resource.actions?.map(({ isOffered }) => detail !== undefined && isOffered?.(detail))).toEqual([false]);
    await clock.advance(86_400_000);
    expect((await list(resource, { filters: { state: 'expired' } })).rows.map(({ id }) => id)).toEqual([key.prefix]);
    expect((await list(resource, { filters: { state: 'ended' } })).total).toBe(1);
    await expect(act(resource, 'revoke', ['unknown0'])).rejects.toMatchObject(gone);
    expect(await resource.find?.('unknown0', caller)).toBeUndefined();
  });
});

describe('organisations', () => {
  it('are added, renamed, listed, unlisted and removed', async () => {
    const { act, list, caller, ...deps } = await world();
    const resource = organizationResource(deps);
    const { id } = (await resource.add?.run({ name: ' Jal Samiti ', is_listed: 'on' }, caller)) ?? { id: '' };
    expect(await deps.stores.people.organization(id)).toEqual({ id, name: 'Jal Samiti', isListed: true });
    for (const [name, rule] of [
      ['JAL samiti', 'taken'],
      ['', 'blank'],
      ['x'.repeat(151), 'too_long'],
      ['a\0', 'not_text'],
    ])
      await expect(resource.add?.run({ name: name ?? '' }, caller)).rejects.toMatchObject({
        fields: { name: [{ rule }] },
      });
    await resource.change?.(id, { name: 'Jal Seva', is_listed: '' }, caller);
    expect(await deps.stores.people.organization(id)).toEqual({ id, name: 'Jal Seva', isListed: false });
    expect((await list(resource, { filters: { is_listed: 'yes' } })).total).toBe(0);
    await act(resource, 'list', [id]);
    expect((await list(resource, { filters: { is_listed: 'yes' } })).total).toBe(1);
    await act(resource, 'unlist', [id]);
    expect((await list(resource, { search: 'seva', filters: { is_listed: 'no' } })).rows[0]?.values).toEqual({
      name: 'Jal Seva',
      is_listed: false,
      members: 0,
      requests: 0,
      projects: 0,
    });
    await act(resource, 'remove', [id]);
    expect(await resource.find?.(id, caller)).toBeUndefined();
    for (const action of ['list', 'unlist', 'remove'])
      for (const unknown of [id, UNKNOWN_ID, 'x'])
        await expect(act(resource, action, [unknown])).rejects.toMatchObject(gone);
    await expect(resource.change?.(id, { name: 'x' }, caller)).rejects.toMatchObject(gone);
  });

  it('show members, projects and requests, and count them before a removal', async () => {
    const { act, caller, newUser, ...deps } = await world();
    const resource = organizationResource(deps);
    const { people, teams } = deps.stores;
    const { id } = await people.addOrganization('<b>Trust</b>', true);
    await newUser('asha');
    await deps.accounts.register(
      {
        username: 'binod',
        password: PASSWORD,
        email: 'b@example.org',
        firstName: MARKUP,
        organization: '<b>Trust</b>',
      },
      undefined,
    );
    await teams.createProject({ name: 'Wells', organizationId: id });
    await act(resource, 'add-member', [id, { username: 'ASHA' }]);
    const page = await pageOf(resource, id, caller);
    expect(page).toMatch(
      /Members who lose [^:]*: 1.*Requests to join that are discarded: 1.*without an organisation \(Wells\): 1/,
    );
    expect(page).toContain('<a href="/hw/admin/users/2/">asha</a>');
    expect(page).toContain('<a href="/hw/admin/join-requests/3/">binod</a>');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain(MARKUP);
    expect(page).toContain('<a href="/hw/admin/projects/1/">Wells</a>');
    await expect(act(resource, 'remove-member', [id, { username: 'binod' }])).rejects.toMatchObject(noUser);
    for (const action of ['add-member', 'remove-member'])
      await expect(act(resource, action, [id, { username: 'unknown' }])).rejects.toMatchObject(noUser);
    await expect(act(resource, 'add-member', [UNKNOWN_ID, { username: 'asha' }])).rejects.toMatchObject({
      fields: { organization: [{ rule: 'unknown' }] },
    });
    await act(resource, 'remove-member', [id, { username: 'asha' }]);
    expect((await people.person(2))?.organization).toBeNull();
  });
});

it('requests to join are accepted and declined, each once', async () => {
  const { act, list, caller, ...deps } = await world();
  const resource = joinRequestResource(deps);
  for (const username of ['asha', 'binod'])
    await deps.accounts.register(
      { username, password: PASSWORD, email: `${username}@example.org`, firstName: 'Asha', organization: 'Jal Samiti' },
      undefined,
    );
  const [organization] = await deps.stores.people.organizations({ onlyListed: false });
  const { rows } = await list(resource, { search: 'jal' });
  expect(rows.map(({ id, values }) => [id, values['organization']])).toEqual(
    ['2', '3'].map((id) => [id, { text: 'Jal Samiti', href: `/admin/organizations/${organization?.id}/` }]),
  );
  expect(await pageOf(resource, '2', caller)).toContain('asha: Jal Samiti');
  await act(resource, 'accept', ['2']);
  await act(resource, 'decline', ['3']);
  const people = await deps.stores.people.people();
  expect(people.map((person) => [person.organization?.name, person.requestedOrganization])).toEqual([
    [undefined, null],
    ['Jal Samiti', null],
    [undefined, null],
  ]);
  expect((await list(resource)).total).toBe(0);
  for (const id of ['1', '2', '3', '99', 'x', '9999999999']) {
    expect(await resource.find?.(id, caller)).toBeUndefined();
    await expect(act(resource, 'accept', [id])).rejects.toMatchObject(gone);
  }
});

it('groups have members, which are added and removed', async () => {
  const { act, list, caller, newUser, stores } = await world();
  const resource = groupResource({ stores });
  await newUser('asha');
  await act(resource, 'add-member', ['1', { username: 'asha' }]);
  expect((await list(resource)).rows.map(({ id, values }) => [id, values['members']])).toEqual([
    ['1', 1],
    ['2', 0],
    ['3', 0],
  ]);
  expect((await list(resource, { limit: 1, offset: 1 })).rows.map(({ id }) => id)).toEqual(['2']);
  expect(await pageOf(resource, '1', caller)).toContain('>asha</a>');
  for (const id of ['0', '4', 'x', '1.5']) expect(await resource.find?.(id, caller)).toBeUndefined();
  await expect(act(resource, 'add-member', ['4', { username: 'asha' }])).rejects.toMatchObject(gone);
  await act(resource, 'remove-member', ['1', { username: 'asha' }]);
  await expect(act(resource, 'remove-member', ['1', { username: 'asha' }])).rejects.toMatchObject(noUser);
  for (const username of ['', 'unknown', "' or 1=1 --"])
    await expect(act(resource, 'add-member', ['1', { username }])).rejects.toMatchObject(noUser);
  expect((await stores.people.person(2))?.groups).toEqual([]);
});

it('projects are added, and their members get roles and are removed', async () => {
  const { act, list, caller, newUser, stores } = await world();
  const resource = projectResource({ stores });
  await newUser('asha');
  const organization = await stores.people.addOrganization('Jal Samiti', true);
  const { id } = (await resource.add?.run({ name: 'Wells', organization: 'jal samiti' }, caller)) ?? { id: '' };
  await resource.add?.run({ name: 'Alone', organization: '' }, caller);
  const refused = [
    [{ name: 'WELLS' }, { name: [{ rule: 'taken' }] }],
    [{ name: ' ' }, { name: [{ rule: 'blank' }] }],
    [{ name: 'New', organization: 'Unknown' }, { organization: [{ rule: 'invalid' }] }],
  ] as const;
  for (const [texts, fields] of refused)
    await expect(resource.add?.run(texts, caller)).rejects.toMatchObject({ fields });
  const link = { text: 'Jal Samiti', href: `/admin/organizations/${organization.id}/` };
  const { rows } = await list(resource, { search: 'wells' });
  expect(rows).toEqual([{ id, values: { name: 'Wells', organization: link, members: 0 } }]);
  const sorted = await list(resource, { sort: { column: 'name', isDescending: false } });
  expect(sorted.rows.map(({ values }) => values['name'])).toEqual(['Alone', 'Wells']);

  for (const role of ['3', '2']) await act(resource, 'set-member', [id, { username: 'asha', role }]);
  expect(await pageOf(resource, id, caller)).toMatch(/>asha<\/a><\/td>[^]*<td>Project Manager<\/td>/);
  await expect(act(resource, 'set-member', ['99', { username: 'asha', role: '3' }])).rejects.toMatchObject(gone);
  await expect(act(resource, 'set-member', [id, { username: 'asha', role: '9' }])).rejects.toMatchObject(gone);
  await act(resource, 'remove-member', [id, { username: 'asha' }]);
  await expect(act(resource, 'remove-member', [id, { username: 'asha' }])).rejects.toMatchObject(noUser);
  expect(await stores.teams.members(Number(id))).toEqual([]);
  for (const unknown of ['99', 'x', '']) expect(await resource.find?.(unknown, caller)).toBeUndefined();
});

it('open sessions are listed and ended', async () => {
  const { act, list, caller, newUser, stores, clock } = await world();
  const resource = sessionResource({ stores, clock });
  const user = await newUser('asha');
  const hash = 'f'.repeat(64);
  const session = { hash, userId: user.id, sessionVersion: 0 };
  const times = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-01T08:00:00.000Z' };
  await stores.pageSessions.add({ ...session, ...times });
  const [row] = (await list(resource, { search: 'ASHA' })).rows;
  expect(row).toMatchObject({ id: hash, values: { user: { text: 'asha' }, session: 'ffffffffff' } });
  expect(await pageOf(resource, hash, caller)).toContain('asha: ffffffffff');
  await act(resource, 'end', [hash]);
  expect(await stores.pageSessions.find(hash)).toBeUndefined();
  expect([(await list(resource)).total, await resource.find?.(hash, caller)]).toEqual([0, undefined]);
  await act(resource, 'end', [hash]);
  await stores.pageSessions.add({ ...session, ...times });
  await stores.users.setPassword(user.id, 'scrypt$1$new');
  expect(await resource.find?.(hash, caller)).toBeUndefined();
});
