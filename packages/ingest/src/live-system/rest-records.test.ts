import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';
import type { RawRecord } from './dump-records.ts';
import { restRecords } from './rest-records.ts';

const TRUST = '0190a000-0000-4000-8000-00000000000a';
const user = (id: number, rest: object) => ({
  id,
  username: `user${id}`,
  email: 'a@example.org',
  is_active: true,
  is_superadmin: false,
  groups: [{ id: 4, name: 'Org Admin' }],
  project_details: [{ project_id: 5, project_name: 'Wells' }],
  profile_picture: null,
  ...rest,
});

const BODIES: Readonly<Record<string, unknown>> = {
  'users/': [user(17, { organization: TRUST, organization_name: 'Sample Trust' }), user(18, { organization: TRUST })],
  'auth/register/available_organizations/': [{ id: TRUST, name: 'Sample Trust' }],
  'groups/': [{ id: 4, name: 'Org Admin', permissions: [] }],
  'projects/5/users/': [
    { id: 1, user_id: 17, username: 'user17', group_id: 4, group_name: 'Org Admin', project_id: 5 },
  ],
  'geeaccounts/': { 'owner@example.org': [{ id: 1, name: 'one' }], no_account_email: [{ id: 7, name: 'x' }] },
  'get_active_locations/': [
    {
      label: 'Assam',
      state_id: '38',
      district: [{ label: 'Cachar', district_id: '835', blocks: [{ label: 'Lakhipur', tehsil_id: '5644' }] }],
    },
  ],
  'get_generated_layer_urls/': [
    {
      layer_name: 'cachar_lakhipur',
      dataset_name: 'Drainage',
      layer_type: 'vector',
      layer_version: '1.0',
      layer_url: 'https://maps.example.org/geoserver/drainage/ows?service=WFS&typeName=drainage:cachar_lakhipur',
    },
    { layer_name: 'odd', layer_url: 'not available' },
    'not a record',
  ],
};

let live: Loopback;
let requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
let failures = 0;
beforeAll(async () => {
  live = await listenOnLoopback((request, response) => {
    const path = (request.url ?? '').replace('/api/v1/', '').replace(/\?.*/, '');
    requests.push({ path, headers: request.headers });
    const { authorization, 'x-api-key': key } = request.headers;
    const isOpen = path.startsWith('auth/');
    const isKnown = isOpen || authorization === 'Bearer t0ken' || key === 'AbCd0123.k3y';
    if (path.startsWith('/page')) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else if (failures > 0) {
      failures -= 1;
      response.writeHead(503, { 'retry-after': '0' }).end();
    } else if (!isKnown) response.writeHead(401).end('{}');
    else if (BODIES[path] === undefined) response.writeHead(404).end('<html>');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(BODIES[path]));
  });
});
beforeEach(() => {
  requests = [];
});
afterAll(async () => {
  await live.close();
});

async function read(token?: string, apiKey?: string, path = '/'): Promise<readonly RawRecord[]> {
  const signal = AbortSignal.timeout(30_000);
  const network = { settings: { firstPauseMs: 1 } };
  const records: RawRecord[] = [];
  const system = { url: `${live.origin}${path}`, token, apiKey, network, signal };
  for await (const record of restRecords(system)) records.push(record);
  return records;
}

it('reads accounts with the token, and retries when the server is overloaded', async () => {
  failures = 2;
  const account = { type: 'user', email: 'a@example.org', is_active: true, is_superadmin: false, password: '!' };
  expect(await read('t0ken')).toEqual([
    { type: 'organization', id: TRUST, name: 'Sample Trust' },
    { type: 'group', id: 4, name: 'Org Admin' },
    { ...account, id: 17, username: 'user17', organization: TRUST, groups: [4] },
    { ...account, id: 18, username: 'user18', organization: TRUST, groups: [4] },
    { type: 'project', id: 5, name: 'Wells', organization: TRUST, members: [{ user: 17, group: 4 }] },
    { type: 'eo_account', id: 1, name: 'one', account_email: 'owner@example.org', is_visible: true },
    { type: 'eo_account', id: 7, name: 'x', account_email: null, is_visible: true },
  ]);
  expect(requests.every(({ headers }) => headers['x-api-key'] === undefined)).toBe(true);
});

it('reads places and layers with the API key', async () => {
  const records = await read(undefined, 'AbCd0123.k3y');
  const place = { state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur' };
  expect(records).toMatchObject([
    { type: 'boundaries', kind: 'places', id: 'places 5644', place },
    { type: 'tehsil', id: 5644, is_active: true, ...place },
    { type: 'boundaries', kind: 'mws', place },
    { type: 'boundaries', kind: 'villages', place },
    { type: 'dataset', name: 'Drainage', workspace: 'drainage' },
    { type: 'layer', layer_name: 'cachar_lakhipur', workspace: 'drainage', ...place, version: '1.0' },
  ]);
  const [{ file } = {}] = records;
  const { url } = file as { readonly url: string };
  expect(new URL(url).searchParams.get('CQL_FILTER')).toBe("STATE='Assam' AND District='Cachar' AND TEHSIL='Lakhipur'");
  expect(url).toMatch(/^https:\/\/maps\.example\.org\/geoserver\/pan_india_asset\/ows\?/);
  expect(requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

it.each([
  ['t0ken', undefined],
  [undefined, 'AbCd0123.k3y'],
])('refuses an address that is not of a live system (access token %s, API key %s)', async (token, apiKey) => {
  await expect(read(token, apiKey, '/elsewhere')).rejects.toMatchObject({
    code: 'input_data',
    message: expect.stringMatching(/elsewhere\/api\/v1\/.*HTTP 404; check the address$/),
  });
});

it('refuses an address whose responses are not JSON, without a retry', async () => {
  await expect(read('t0ken', undefined, '/page')).rejects.toMatchObject({
    code: 'input_data',
    message: expect.stringMatching(
      /page\/api\/v1\/users\/: its response is not JSON; check the address, or try again later$/,
    ),
  });
  expect(requests).toHaveLength(1);
});

it('the error names the kind of the refused credential (access token or API key), not its text', async () => {
  const refusal = await read('wrong').catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'input_data', message: expect.stringMatching(/users\/.*401.*access token/) });
  expect(String(refusal)).not.toContain('wrong');
  await expect(read(undefined, 'wrong')).rejects.toThrow(/get_active_locations.*401; give a valid API key/);
});
