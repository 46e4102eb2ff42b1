import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, readConfig } from '@headwater/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { copyDatabase } from '../../scripts/database-template.mjs';
import { restoreCommand } from '../../packages/server/src/backup/restore-command.ts';

/**
 * The folder `data-*` of a version contains a backup of a first start of this version (0.1.0: commit 107ce88). A later
 * version made the backup by `headwater backup FOLDER --without-secrets --without-inputs`. The tokens of 0.2.0 are
 * valid for ten years, so the test can use them.
 */
const VERSIONS = ['0.1.0', '0.2.0'] as const;

interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly signingKey: string;
  readonly access: string;
  readonly refresh: string;
  readonly apiKey?: string;
}

/** A service of this version on data of an old version. */
interface Upgraded {
  readonly old: Credentials;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<{ status: number; body: unknown }>;
  post(path: string, body: object): Promise<{ status: number; body: unknown }>;
}

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-upgrade-'));
  await copyDatabase(join(dataDir, 'db'), 'new');
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

async function started(version: (typeof VERSIONS)[number]): Promise<Upgraded> {
  const folder = join(import.meta.dirname, `data-${version}`);
  const old: Credentials = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'));
  const copy = join(dataDir, 'backup');
  await cp(folder, copy, { recursive: true });
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await restoreCommand(readConfig({ DATA_DIR: dataDir }), [copy]);
  output.mockRestore();
  const settings = { dataDir, host: '127.0.0.1', port: 0, sample: false, jwtSecret: old.signingKey } as const;
  const server = await createServer(settings, { output: { write: () => true } });
  await server.start();
  onTestFinished(() => server.stop());
  const send = async (path: string, init: RequestInit) => {
    const answer = await fetch(server.address + path, init);
    return { status: answer.status, body: await answer.json() };
  };
  return {
    old,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, body) =>
      send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const TEHSIL = '/api/v1/stac/virtapradesh/nirmalgarh/jalsrota/';

async function itemsOf({ get }: Upgraded): Promise<readonly (readonly [id: string, version: unknown])[]> {
  const { body } = await get(TEHSIL);
  const { links } = body as { links: readonly { rel: string; href: string }[] };
  const items = links.filter(({ rel }) => rel === 'item').map(({ href }) => get(new URL(href).pathname));
  return (await Promise.all(items)).map(({ status, body: item }) => {
    expect(status).toBe(200);
    const { id, properties } = item as { id: string; properties: Readonly<Record<string, unknown>> };
    return [id.replace('virtapradesh_nirmalgarh_jalsrota_', ''), properties['version']] as const;
  });
}

async function signIn({ post, old }: Upgraded): Promise<string> {
  const { status, body } = await post('/api/v1/auth/login/', { username: old.username, password: old.password });
  expect(status).toBe(200);
  return (body as { access: string }).access;
}

describe('a start on the data of an older version', () => {
  it('0.1.0: keeps accounts, places, runs and Items; all sessions end, as the file VERSION announces', async () => {
    const service = await started('0.1.0');
    expect(new Map(await itemsOf(service))).toEqual(
      new Map([
        ['land_use_land_cover_raster_2021', '2'],
        ['land_use_land_cover_raster_2022', '2'],
        ['land_use_land_cover_raster_2023', '2'],
        ['land_use_land_cover_vector', '2'],
      ]),
    );
    expect((await service.get('/api/v1/runs/', bearer(service.old.access))).status).toBe(401);
    expect((await service.post('/api/v1/auth/token/refresh/', { refresh: service.old.refresh })).status).toBe(401);
    const announced = await readFile(join(import.meta.dirname, '../../VERSION'), 'utf8');
    expect(announced).toContain('every user signs in once more: sessions of 0.1.0 end');
    const token = await signIn(service);
    expect((await service.get('/api/v1/runs/', bearer(token))).body).toMatchObject({ count: 2 });
    expect((await service.get('/api/v1/get_states/')).body).toMatchObject({
      states: [{ id: 1, state_name: 'Virtapradesh', active_status: true }],
    });
  });

  it('0.2.0: keeps sessions and API keys too', async () => {
    const service = await started('0.2.0');
    expect(await itemsOf(service)).toHaveLength(6);
    expect((await service.get('/api/v1/runs/', bearer(service.old.access))).body).toMatchObject({ count: 3 });
    expect((await service.post('/api/v1/auth/token/refresh/', { refresh: service.old.refresh })).status).toBe(200);
    const key = { 'X-API-Key': service.old.apiKey ?? '' };
    expect((await service.get('/api/v1/get_active_locations/', key)).status).toBe(200);
    await signIn(service);
  });
});
