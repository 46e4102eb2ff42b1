import { createApiKeys } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { createDirectoryAssets, openDump } from '@headwater/ingest';
import { createPixelEngine } from '@headwater/raster';
import { storedAddresses } from '@headwater/http-service';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { dumpText, djangoHash, keyRecord, userRecord } from './django.fixture.ts';
import { moveDump } from './move-dump.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-move-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let stores = createMemoryStores();
beforeEach(() => {
  stores = createMemoryStores();
});

const PLAIN = { isTrial: false, withSuperusers: false, mayCompute: false, replaceLayers: false };
const pixels = createPixelEngine({ scratchDir: join(folder, 'scratch'), threads: 1 });
afterAll(() => pixels.close());
/** Required for layers, which these dumps do not have. Only `ownerId` is used: the owner of moved `eo_account`s. */
const data = {
  layers: { pixels, assets: createDirectoryAssets(folder), addresses: storedAddresses(), version: '0.1.0' },
  files: { folder, downloads: folder, allowedOrigins: [], signal: AbortSignal.timeout(60_000), notice: () => {} },
  scratchDir: folder,
  ownerId: 1,
};
const terminal = { isTTY: false, write: () => {}, draw: () => {} };
const signal = new AbortController().signal;

async function move(records: readonly (object | string)[], options: object = {}) {
  const path = join(folder, 'dump.jsonl');
  writeFileSync(path, dumpText(records));
  const report = await moveDump(await openDump(path, signal), {
    options: { ...PLAIN, ...options },
    stores,
    terminal,
    signal,
    data,
  });
  return { report: report.body({ source: '', isTrial: false }), text: report.lines(false).join('\n') };
}

const ownUser = (username: string, passwordHash: string) => ({
  username,
  email: '',
  firstName: '',
  lastName: '',
  contactNumber: null,
  passwordHash,
  isActive: true,
  isSuperuser: true,
  mayCompute: true,
  mustChangePassword: false,
});

const TRUST = { type: 'organization', id: '0190A000-0000-4000-8000-00000000000a', name: ' Sample Trust ' };
const ADMINS = { type: 'group', id: 4, name: 'Org Admin' };
const ANALYSTS = { type: 'group', id: 9, name: 'Analysts' };
const KEY = 'AbCd0123.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef';

it('moves organizations, users with groups, projects and keys; a second move changes nothing', async () => {
  const dump = [
    TRUST,
    ADMINS,
    ANALYSTS,
    userRecord(17, 'Asha', {
      organization: TRUST.id,
      groups: [4, 9],
      age: 41,
      account_type: 'org',
      first_name: ' Asha ',
    }),
    userRecord(18, 'binod', { password: '!unusable', is_active: false, groups: [4], account_type: 'individual' }),
    { type: 'project', id: 5, name: 'Wells', organization: TRUST.id, members: [{ user: 17, group: 4 }] },
    {
      type: 'project',
      id: 6,
      name: 'WELLS',
      members: [
        { user: 99, group: 4 },
        { user: 18, group: 9 },
      ],
    },
    keyRecord(KEY, 17),
    keyRecord('Revoked0.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef', 17, { revoked: true, expires_at: null }),
  ];
  const trial = await move(dump, { isTrial: true });
  expect(await stores.users.count()).toBe(0);
  const first = await move(dump);
  expect(trial).toEqual(first);
  expect(first.report).toMatchObject({
    counts: {
      organization: { new: 1, refused: 0 },
      user: { new: 2, refused: 0 },
      project: { new: 2, refused: 0 },
      api_key: { new: 2, refused: 0 },
    },
    refused: [],
    other_ids: [],
    superusers: [],
  });
  const asha = await stores.people.person(17);
  expect(asha).toMatchObject({
    user: { username: 'Asha', firstName: 'Asha', createdAt: '2024-02-29T05:30:00.000Z', mayCompute: false },
    organization: { id: TRUST.id.toLowerCase(), name: 'Sample Trust', isListed: false },
    groups: [{ id: 1 }],
    profile: { age: 41, accountType: 'org' },
  });
  expect(await stores.people.person(18)).toMatchObject({ user: { isActive: false }, groups: [] });
  expect(await stores.teams.projects()).toMatchObject([
    { id: 5, name: 'Wells' },
    { id: 6, name: 'WELLS (6)' },
  ]);
  expect(await stores.teams.members(5)).toMatchObject([{ username: 'Asha', group: { id: 1 } }]);
  const keys = createApiKeys({ stores, clock: { now: () => new Date('2026-11-02T00:00:00Z') } });
  expect(await keys.authenticate(KEY)).toMatchObject({ user: { id: 17 } });
  for (const wrong of [KEY.replace('ABC', 'ABD'), 'Revoked0.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef'])
    await expect(keys.authenticate(wrong)).rejects.toMatchObject({ code: 'token_not_valid' });
  await keys.close();
  const again = await move(dump);
  expect(again.report).toMatchObject({ counts: { user: { new: 0, changed: 0, equal: 2 }, api_key: { equal: 2 } } });
  expect(again.text).toContain('nothing changed');
});

it.each([['individual'], [null], [undefined]])(
  'an account of the type %s does not become an administrator',
  async (type) => {
    const { report } = await move([ADMINS, userRecord(17, 'asha', { groups: [4], account_type: type })]);
    expect((await stores.people.person(17))?.groups).toEqual([]);
    const note = expect.stringContaining('its group Org Admin is left out');
    expect(report).toMatchObject({ notes: [{ type: 'group' }, { type: 'user', note }] });
  },
);

it('keeps ids that are free, and reports each id that had to be replaced', async () => {
  const { id } = await stores.users.create(ownUser('own', 'x'));
  const dump = [userRecord(id, 'asha'), userRecord(50, 'binod'), keyRecord(KEY, id)];
  expect((await move(dump, { isTrial: true })).report).toMatchObject({ other_ids: [{ id: '1', id_here: null }] });
  expect((await move(dump)).report).toMatchObject({ other_ids: [{ line: 2, type: 'user', id: '1', id_here: '51' }] });
  expect((await stores.apiKeys.find('AbCd0123'))?.user.username).toBe('asha');
  expect((await move(dump)).report).toMatchObject({
    counts: { user: { equal: 2 }, api_key: { equal: 1 } },
    other_ids: [{ id: '1', id_here: '51' }],
  });
});

it('grants rights only if an option requests this', async () => {
  const dump = [userRecord(17, 'asha', { is_superuser: true }), userRecord(18, 'binod', { is_superadmin: true })];
  const plain = await move(dump);
  expect(plain.report).toMatchObject({ superusers: [], note_count: 2 });
  expect(plain.text).toContain('--with-superusers keeps them');
  expect(await stores.users.list({ isSuperuser: true, limit: 9, offset: 0 })).toMatchObject({ total: 0 });
  const granted = await move(dump, { withSuperusers: true, mayCompute: true });
  expect(granted.report).toMatchObject({ superusers: ['asha', 'binod'], counts: { user: { changed: 2 } } });
  expect(granted.text).toContain('superusers: asha, binod');
  const rights = { isSuperuser: true, mayCompute: true, limit: 9, offset: 0 };
  expect(await stores.users.list(rights)).toMatchObject({ total: 2 });
});

it('reports line, field, problem and remedy of each refused record, and moves the others', async () => {
  const long = JSON.stringify({ ...userRecord(90, 'long'), first_name: 'x'.repeat(1_100_000) });
  const dump = [
    userRecord(17, 'asha'),
    userRecord(18, 'ASHA'),
    userRecord(17, 'twice'),
    userRecord(19, 'a b', { email: 'nowhere', first_name: 'x'.repeat(200) }),
    { ...userRecord(20, 'old'), password: 5, is_active: 'yes', hobby: 'x' },
    '{"type":"user","__proto__":{"is_superuser":true},"id":21}',
    '{"type":"__proto__"}',
    '[[[[',
    '[]',
    '\u0000',
    long,
    { ...keyRecord(KEY, 99) },
    { ...keyRecord(KEY, 17), hashed_key: 'pbkdf2_sha256$1$a$b' },
    { type: 'organization', id: 'x', name: 'y' },
    userRecord(2_000_000_000, 'last', { organization: TRUST.id, groups: [7] }),
  ];
  const { report, text } = await move(dump);
  expect(report).toMatchObject({ counts: { user: { new: 2, refused: 5 }, api_key: { refused: 2 } } });
  expect(report).toMatchObject({
    refused: expect.arrayContaining(
      [
        { line: 3, type: 'user', id: '18', field: 'username', problem: 'is taken' },
        { line: 4, type: 'user', id: '17', field: 'id', remedy: 'remove one of the two lines' },
        { line: 5, field: 'email' },
        { line: 5, field: 'first_name' },
        { line: 6, field: 'password', problem: 'must be text' },
        { line: 6, field: 'is_active' },
        { line: 6, problem: 'has unknown members: hobby', remedy: 'remove them' },
        { line: 7, problem: expect.stringContaining('__proto__') },
        { line: 8, field: 'type' },
        { line: 9, problem: expect.stringContaining('is not valid JSON') },
        { line: 10, problem: 'is not an object' },
        { line: 12, problem: 'is longer than 1048576 bytes' },
        { line: 13, field: 'user', problem: 'the user 99 was not moved', remedy: 'move the user first' },
        { line: 14, field: 'hashed_key' },
        { line: 15, field: 'id' },
      ].map((each) => expect.objectContaining(each)),
    ),
    other_ids: [{ id: '2000000000', id_here: expect.stringMatching(/^10000000\d\d$/) }],
  });
  expect(text).toMatch(/refused line 3 user 18: username: is taken; choose another one/);
  expect((await stores.users.list({ limit: 9, offset: 0 })).users.map(({ username }) => username)).toEqual([
    'asha',
    'last',
  ]);
  expect(Object.prototype).not.toHaveProperty('is_superuser');
});

it('does not take over an account or an organization of this service', async () => {
  await stores.people.addOrganization('sample trust', true);
  await stores.users.create(ownUser('Asha', 'own'));
  const dump = [
    TRUST,
    userRecord(7, 'asha', { organization: TRUST.id }),
    userRecord(8, 'b', { organization: TRUST.id }),
  ];
  const { report } = await move(dump);
  expect(report).toMatchObject({ counts: { organization: { refused: 1 }, user: { refused: 1, new: 1 } } });
  expect((await stores.users.byUsername('asha'))?.passwordHash).toBe('own');
  expect((await stores.people.person(8))?.organization).toBeNull();
});

it('if a password hash cannot be verified here, moves the user with an unusable hash and reports this', async () => {
  const hashes = ['argon2$argon2id$v=19$m=1', djangoHash('x').replace('$1000$', '$9000000$'), ''];
  const { report } = await move(hashes.map((password, at) => userRecord(at + 1, `u${at}`, { password })));
  expect(report).toMatchObject({ counts: { user: { new: 3 } }, note_count: 3 });
  expect((await stores.users.byId(2))?.passwordHash).toBe('!');
});

it('moves Earth-observation accounts, refuses one with credentials, and reports their ids in this service', async () => {
  const account = (id: number, name: string, helper: number | null) => ({
    type: 'eo_account',
    id,
    name,
    service_account_email: `${name}@project.iam.gserviceaccount.com`,
    account_email: '',
    is_visible: true,
    helper_account: helper,
  });
  // Each of the first two accounts names the other as its helper.
  const dump = [
    account(21, 'one', 22),
    account(22, 'two', 21),
    { ...account(23, 'x', null), credentials_encrypted: 'y' },
  ];
  const { report } = await move(dump);
  expect(report).toMatchObject({
    counts: { eo_account: { new: 2, refused: 1 } },
    other_ids: [{ id: '21' }, { id: '22' }],
  });
  const hidden = { visibleTo: 'owner', ownerId: data.ownerId, organizationId: null, hasKey: false };
  const facts = { platform: 'earth_engine', accountEmail: null, isVisible: true, ...hidden };
  expect(await stores.eoAccounts.list()).toMatchObject([
    { name: 'one', ...facts },
    { name: 'two', ...facts },
  ]);
  expect((await move(dump)).report).toMatchObject({ counts: { eo_account: { new: 0, changed: 0, equal: 2 } } });
  expect(await stores.eoAccounts.list()).toHaveLength(2);
});

it('accepts a hash of djangorestframework-api-key 3.1, made with Django 5.2', async () => {
  const hashed_key = `sha512$$96a1805c29ed2560a1ace2f281ad62c9a7e5eecdbde36b36374ee257ed669137282a6b0b2b9325ae437da970178b2065a9fc7a87f4f9534c7298c3c8933e1964`;
  const text = '2dQCptvG.Kht6s4RpkgIHsfu1csN0RvpdM6WI3m4U';
  await move([userRecord(17, 'asha'), keyRecord(text, 17, { hashed_key })]);
  const keys = createApiKeys({ stores, clock: { now: () => new Date('2026-11-02T00:00:00Z') } });
  expect(await keys.authenticate(text)).toMatchObject({ user: { id: 17 } });
  await keys.close();
});

it('counts every refused record; if there are some, does not report that nothing changed', async () => {
  const { report, text } = await move(Array.from({ length: 3000 }, (_, at) => ({ type: 'user', id: at + 1 })));
  expect(report).toMatchObject({ counts: { user: { refused: 3000 } }, refused_count: expect.any(Number) });
  expect(text).toMatch(/and [\d,]{5,} more problems of refused records/);
  expect(text).not.toContain('nothing changed');
});

it('lists up to 1,000 changed ids and up to 1,000 superusers; the counts include all', async () => {
  for (let at = 0; at < 1002; at += 1) await stores.users.create(ownUser(`own${at}`, 'x'));
  const dump = Array.from({ length: 1002 }, (_, at) =>
    userRecord(at + 1, `u${at}`, { password: '!', is_superuser: true }),
  );
  const { report, text } = await move(dump, { withSuperusers: true });
  expect(report).toMatchObject({ other_id_count: 1002, superuser_count: 1002 });
  expect(report).toMatchObject({ other_ids: { length: 1000 }, superusers: { length: 1000 } });
  expect(text).toMatch(/superusers: u0, .* and 982 more/);
});

it('counts groups and users as new in the first move, and as equal in a second move without the options of the first move', async () => {
  const dump = [ADMINS, ANALYSTS, userRecord(17, 'asha', { is_superuser: true })];
  const all = { withSuperusers: true, mayCompute: true };
  expect((await move(dump, all)).report).toMatchObject({ counts: { group: { new: 2 }, user: { new: 1 } } });
  expect((await move(dump)).report).toMatchObject({ counts: { group: { equal: 2 }, user: { equal: 1 } } });
});

it('refuses a file that is not a dump of this version, or was cut off', async () => {
  const path = join(folder, 'cut.jsonl');
  const text = dumpText([userRecord(1, 'asha'), userRecord(2, 'binod')]);
  for (const [content, why] of [
    ['', 'it is empty'],
    ['{"type":"FeatureCollection"}', 'its first line must be'],
    [text.replace('"version":1', '"version":2'), 'its version is 2'],
    [text.replace('"made_at":"2026', '"made_at":"x'), 'line 1: made_at'],
    [text.split('\n').slice(0, 3).join('\n'), 'has no record of the type end'],
    [text.replace('"records":2', '"records":3'), 'has 2 records, but its end says 3'],
    [`${text}{}`, 'no line may follow'],
  ] as const) {
    writeFileSync(path, content);
    await expect(openDump(path, signal)).rejects.toThrow(why);
  }
});
