import { lockFolder } from '@headwater/postgres/embedded';
import { validateItem } from '@headwater/stac';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  keyAt,
  idAt,
  type LiveWorld,
  nameAt,
  placeAt,
  TRUST,
  writeLiveWorld,
} from '../packages/server/src/move/live-world.fixture.ts';
import { crowding } from '../scripts/cpu-time.mjs';
import { boxPolygon } from '../scripts/boxes.mjs';
import { listenOnLoopback, type Loopback } from '../scripts/loopback.mjs';
import { type Cluster, findPostgres } from '../scripts/postgres-cluster.mjs';
import { sized } from '../scripts/test-length.mjs';
import { signIn } from './client.ts';
import { freePort, runCommand, spawnServer, startServerProcess, type ServerProcess } from './server-process.ts';

/** Long tests use the numbers of a large installation. Short tests use few records of every kind. */
const WORLD: LiveWorld = {
  users: sized(30, 1000),
  keys: sized(20, 200),
  tehsils: sized(5, 50),
  layers: sized(20, 500),
};
/** Longest allowed duration of the first move on two idle cores, ms. */
const MOST_MS = 300_000;
const MS = sized(240_000, 1_200_000);
/** Five evenly spread indexes below `count`. */
const some = (count: number): readonly number[] => Array.from({ length: 5 }, (_, at) => Math.floor((at * count) / 5));

interface Report {
  readonly counts: Readonly<
    Record<string, { readonly new: number; readonly changed: number; readonly equal: number; readonly refused: number }>
  >;
  readonly refused: readonly unknown[];
}

function moveOver(makeEnv: () => Readonly<Record<string, string>>): void {
  let [folder, dump]: [string, string] = ['', ''];
  let server: ServerProcess;
  let env: Readonly<Record<string, string>> = {};
  const dataDir = (): string => join(folder, 'data');
  const args = (...rest: readonly string[]): readonly string[] => [
    'import',
    'live-system',
    dump,
    '--report',
    join(folder, 'report.json'),
    ...rest,
  ];
  const report = async (): Promise<Report> => JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report;
  beforeAll(async () => {
    env = makeEnv();
    folder = await mkdtemp(join(tmpdir(), 'headwater-move-over-'));
    dump = await writeLiveWorld(folder, WORLD);
    server = await startServerProcess({ dataDir: dataDir(), env, args: ['--no-sample'] });
  }, MS);
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const counts = async (): Promise<readonly (readonly [string, number, number])[]> =>
    Object.entries((await report()).counts).map(([type, each]) => [
      type,
      each.new,
      each.equal + each.changed + each.refused,
    ]);

  it(
    'a dry run stores nothing and reports what would be stored; a move that is killed in the middle is continued',
    async () => {
      const trial = await runCommand({ dataDir: dataDir(), env, args: args('--dry-run') });
      expect([trial.code, trial.output]).toEqual([0, expect.stringContaining(`user: ${WORLD.users} new`)]);
      expect(await counts()).toContainEqual(['layer', WORLD.layers, 0]);
      await expect(signIn(server.baseUrl, nameAt(0), `password of ${nameAt(0)}`)).rejects.toThrow('401');
      const before = crowding();
      const began = performance.now();
      const child = await spawnServer({ dataDir: dataDir(), env, args: args() }, await freePort());
      const ended = once(child, 'exit');
      const isHalf = async (): Promise<boolean> => (await layersAt(0)).length > 0;
      while (child.exitCode === null && !(await isHalf())) await pause(10);
      child.kill('SIGKILL');
      await ended;
      const places = Array.from({ length: WORLD.tehsils }, (_, at) => at);
      const published = (await Promise.all(places.map(layersAt))).flat().length;
      expect(published).toBeGreaterThan(0);
      expect(published).toBeLessThan(WORLD.layers);
      const { code, output } = await runCommand({ dataDir: dataDir(), env, args: args() });
      expect([code, output]).toEqual([0, expect.stringContaining(`user: 0 new, 0 changed, ${WORLD.users} equal`)]);
      console.log(`moved ${JSON.stringify(WORLD)} in ${Math.round((performance.now() - began) / 1000)} s`);
      expect(performance.now() - began).toBeLessThan(MOST_MS * Math.max(before, crowding()));
      expect(await report()).toMatchObject({ refused: [] });
    },
    MS,
  );

  it(
    'users sign in with their old passwords, also after the first sign-in has replaced the old hash',
    async () => {
      for (const at of some(WORLD.users)) {
        const password = `password of ${nameAt(at)}`;
        for (const typed of [password, password])
          expect((await signIn(server.baseUrl, nameAt(at), typed)).token).toMatch(/^ey/);
        await expect(signIn(server.baseUrl, nameAt(at), 'wrong')).rejects.toThrow('401');
      }
      const client = await signIn(server.baseUrl, nameAt(0), `password of ${nameAt(0)}`);
      expect((await client.get(`/api/v1/users/${idAt(0)}/`)).body).toMatchObject({
        username: nameAt(0),
        organization_name: 'Sample Trust',
        groups: [{ id: 1, name: 'Organization Admin' }],
        project_details: [{ project_id: 7, project_name: 'Wells' }],
      });
    },
    MS,
  );

  const layersAt = async (place: number): Promise<readonly { readonly layer_name: string }[]> => {
    const query = new URLSearchParams(placeAt(place)).toString();
    const headers = { 'x-api-key': keyAt(0) };
    const answer = await fetch(`${server.baseUrl}/api/v1/get_generated_layer_urls/?${query}`, { headers });
    return answer.status === 200 ? ((await answer.json()) as { layer_name: string }[]) : [];
  };

  it(
    'API keys are accepted, and every layer is an Item that validates',
    async () => {
      for (const at of some(WORLD.keys)) {
        const headers = { 'x-api-key': keyAt(at) };
        const answer = await fetch(`${server.baseUrl}/api/v1/get_active_locations/`, { headers });
        expect([answer.status, await answer.json()]).toMatchObject([200, [{ label: 'Aland' }]]);
      }
      const ids = new Set<string>();
      for (let at = 0; at < WORLD.tehsils; at += 1) {
        const { state, district, tehsil } = placeAt(at);
        const path = [state, district, tehsil].map((name) => name.toLowerCase().replaceAll(' ', '_'));
        const answer = await fetch(`${server.baseUrl}/api/v1/stac-api/collections/${path.join('_')}/items?limit=100`);
        expect(answer.status).toBe(200);
        for (const item of ((await answer.json()) as { features: { id: string }[] }).features) {
          expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
          ids.add(item.id);
        }
        expect(await layersAt(at)).toHaveLength(WORLD.layers / WORLD.tehsils);
      }
      expect(ids.size).toBe(WORLD.layers);
    },
    MS,
  );

  it(
    'a second move of the same dump changes nothing',
    async () => {
      const { code, output } = await runCommand({ dataDir: dataDir(), env, args: args() });
      expect([code, output]).toEqual([0, expect.stringContaining('nothing changed')]);
      const { users, keys, tehsils, layers } = WORLD;
      const records = { organization: 1, group: 2, user: users, project: 1, api_key: keys, boundaries: 2 };
      const equal = Object.entries({ ...records, tehsil: tehsils, dataset: 1, layer: layers });
      const all = equal.map(([type, count]) => [type, { new: 0, changed: 0, equal: count, refused: 0 }]);
      expect((await report()).counts).toEqual(Object.fromEntries(all));
    },
    MS,
  );
}

describe('moving over to the embedded database', () => {
  moveOver(() => ({}));
});

describe('moving over from the REST answers of a live system', () => {
  const place = { state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur' };
  const collection = (properties: object) => ({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties, geometry: boxPolygon({ west: 92, south: 24, east: 92.1, north: 24.1 }) }],
  });
  let [folder, live]: [string, Loopback | undefined] = ['', undefined];
  afterAll(async () => {
    await live?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'users, places and layers are moved; a second move changes nothing',
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'headwater-move-rest-'));
      const bodies: Record<string, unknown> = {
        '/api/v1/users/': [{ id: 17, username: 'asha', email: '', is_active: true, groups: [], project_details: [] }],
        '/api/v1/groups/': [],
        '/api/v1/auth/register/available_organizations/': [{ id: TRUST, name: 'Sample Trust' }],
        '/api/v1/geeaccounts/': {},
        '/api/v1/get_active_locations/': [
          { label: 'Assam', district: [{ label: 'Cachar', blocks: [{ label: 'Lakhipur', tehsil_id: '5644' }] }] },
        ],
        '/maps/pan_india_asset/ows': collection({ STATE: 'Assam', District: 'Cachar', TEHSIL: 'Lakhipur' }),
        '/maps/mws/ows': collection({ uid: '12_1' }),
        '/maps/panchayat_boundaries/ows': collection({ vill_ID: 7, vill_name: 'Gaon' }),
        '/maps/drainage/ows': collection({ order: 1 }),
      };
      live = await listenOnLoopback((request, response) => {
        const body = bodies[(request.url ?? '').replace(/\?.*/, '')];
        response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}));
      });
      bodies['/api/v1/get_generated_layer_urls/'] = [
        {
          layer_name: 'cachar_lakhipur',
          dataset_name: 'Drainage',
          layer_type: 'vector',
          layer_version: '1.0',
          layer_url: `${live.origin}/maps/drainage/ows?typeName=drainage:cachar_lakhipur`,
        },
      ];
      await writeFile(join(folder, 'token'), 't0ken\n');
      await writeFile(join(folder, 'key'), 'AbCd0123.k3y\n');
      const dataDir = join(folder, 'data');
      const env = { EO_ALLOWED_ORIGINS: live.origin };
      const server = await startServerProcess({ dataDir, env, args: ['--no-sample'] });
      const files = ['--token-file', join(folder, 'token'), '--api-key-file', join(folder, 'key')];
      const args = ['import', 'live-system', '--url', live.origin, ...files, '--license', 'MIT', '--provider', 'Live'];
      try {
        const { code, output } = await runCommand({ dataDir, env, args });
        expect([code, output]).toEqual([0, expect.stringContaining('layer: 1 new, 0 changed, 0 equal, 0 refused')]);
        expect(output).toContain('boundaries: 3 new');
        expect(output).toContain('a link for a new password');
        expect(output).not.toMatch(/t0ken|k3y/);
        const moving = join(dataDir, 'moving');
        expect([await readdir(moving), (await stat(moving)).mode & 0o777]).toEqual([[], 0o700]);
        const item = 'assam_cachar_lakhipur_drainage';
        const path = [place.state, place.district, place.tehsil].join('/').toLowerCase();
        const answer = await fetch(`${server.baseUrl}/api/v1/stac/${path}/items/${item}/`);
        expect(answer.status).toBe(200);
        expect((await runCommand({ dataDir, env, args })).output).toContain('nothing changed');
        const lock = lockFolder(moving);
        const second = await runCommand({ dataDir, env, args });
        lock.release();
        expect([second.code, second.output]).toEqual([1, expect.stringContaining('Another move uses')]);
      } finally {
        await server.stop('SIGKILL');
      }
    },
    MS,
  );
});

const { make, missing } = findPostgres();
if (make === undefined) console.log(`skipped: moving over to PostgreSQL. ${missing ?? ''}`);

describe.skipIf(make === undefined)('moving over to PostgreSQL', () => {
  let cluster: Cluster | undefined;
  afterAll(() => cluster?.remove());
  moveOver(() => {
    cluster = make?.();
    return { DB_HOST: cluster?.folder ?? '', DB_NAME: 'postgres', DB_USER: cluster?.role ?? '' };
  });
});
