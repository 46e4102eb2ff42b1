import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createHeadwater } from '@headwater/http-adapter-fastify';
import { createDirectoryAssets, writePlace } from '@headwater/ingest';
import { orchestratorBackend } from '@headwater/orchestrator-backend';
import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { FakeOrchestrator } from '@headwater/orchestrator-client/testing';
import { createPostgresStores } from '@headwater/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from '../scripts/postgres-cluster.mjs';
import { listen } from '../packages/server/src/http-server.ts';
import { createPipelines } from '../packages/server/src/pipelines.ts';
import { type Client, signIn } from './client.ts';
import { openYard, type ServerYard } from './server-pair.fixture.ts';
import { freePort, type ServerProcess, startServerProcess } from './server-process.ts';
import { scenesAround, smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';

const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: a server in front of another server that computes. ${missing ?? ''}`);

const PASSWORD = 'tall-river-42';
const PLACE = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Rampur', eo_account_id: 1 };
const YEAR = 2021;
const START_MS = 240_000;
const CASE_MS = 120_000;
/** Secret with which all servers on the database sign tokens. */
const SECRET = randomBytes(32).toString('hex');

interface Body {
  readonly run_id: string;
  readonly state: string;
  readonly code: string;
  readonly message: string;
  readonly backend: string;
  readonly error: { readonly code: string } | null;
  readonly stac_items: readonly { readonly id: string; readonly assets: Readonly<Record<string, { href: string }>> }[];
}

interface Front {
  readonly client: Client;
  readonly close: () => Promise<unknown>;
  /** Output of the server so far; empty if the server runs in this process. */
  readonly output: () => string;
}

/** The server with the pixel engine, and an orchestrator. */
interface World {
  readonly yard: ServerYard;
  readonly engine: ServerProcess;
  readonly username: string;
  readonly fake: FakeOrchestrator;
  readonly url: string;
  readonly close: () => Promise<void>;
}

async function openWorld(yard: ServerYard): Promise<World> {
  await writePlace(join(yard.dataDir, 'places', 'rampur'), smallPlace(PLACE.block));
  await writeScenes(yard.dataDir, scenesAround(YEAR));
  const engine = await startServerProcess({
    dataDir: yard.dataDir,
    env: { ...yard.env, JWT_SECRET: SECRET, SUPERUSER_PASSWORD: PASSWORD, HEADWATER_THREADS: '1' },
    args: ['--no-sample'],
  });
  const [, username = ''] = await engine.printed(/superuser {8}(test_user_\d{4})\n/, 60_000);
  const fake = new FakeOrchestrator({
    dags: [
      {
        id: 'headwater',
        tasks: [
          { id: 'execute', run: ({ conf, post }) => post(`${String(conf['api_base'])}/api/export-asset`, { conf }) },
        ],
      },
    ],
  });
  const { url, close } = await fake.listen();
  return {
    yard,
    engine,
    username,
    fake,
    url,
    close: async () => {
      await engine.stop('SIGKILL');
      await close();
      await yard.close();
    },
  };
}

/** Starts an application that embeds the service without a pixel engine. */
async function embedded({ yard, engine, username, url }: World): Promise<Front> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const { DB_HOST: host = '', DB_NAME: database = '', DB_USER: user = '' } = yard.env;
  const client = createOrchestratorClient({
    baseUrl: url,
    credentials: { username: 'admin', password: 'admin' },
    poll: { minMs: 50, maxMs: 100 },
  });
  const headwater = createHeadwater({
    baseUrl,
    secret: SECRET,
    stores: await createPostgresStores({ connection: { host, port: 5432, database, user } }),
    pipelines: createPipelines(),
    compute: {
      assets: createDirectoryAssets(join(yard.dataDir, 'assets')),
      backend: orchestratorBackend({ client, dagId: 'headwater', serviceApiBase: engine.baseUrl }),
    },
  });
  const app = await listen({ host: '127.0.0.1', port }, headwater);
  await headwater.start();
  const close = async (): Promise<void> => {
    await app.close();
    await headwater.close();
  };
  return { client: await signIn(baseUrl, username, PASSWORD), close, output: () => '' };
}

/** Starts the reference server without workers. */
async function ofOperator({ yard, engine, username, url }: World): Promise<Front> {
  const server = await startServerProcess({
    dataDir: yard.dataDir,
    env: {
      ...yard.env,
      JWT_SECRET: SECRET,
      WORKER: 'off',
      ORCHESTRATOR_API_BASE: `${url}/api/v1`,
      ORCHESTRATOR_DAG_ID: 'headwater',
      ORCHESTRATOR_USERNAME: 'admin',
      ORCHESTRATOR_PASSWORD: 'admin',
      SERVICE_API_BASE: engine.baseUrl,
    },
    args: ['--no-sample'],
  });
  const client = await signIn(server.baseUrl, username, PASSWORD);
  return { client, close: () => server.stop('SIGTERM'), output: server.output };
}

describe.skipIf(make === undefined)('a server that lets another server compute', () => {
  let world: World;
  beforeAll(async () => {
    if (make !== undefined) world = await openWorld(await openYard(make));
  }, START_MS);
  afterAll(() => world.close());

  describe.each([
    ['without a pixel engine', embedded],
    ['with WORKER=off', ofOperator],
  ])('%s', (_name, open) => {
    let front: Front;
    beforeAll(async () => {
      front = await open(world);
    }, START_MS);
    afterAll(() => front.close());

    const requestLayer = (route: string, more: Readonly<Record<string, unknown>> = {}) =>
      front.client.post<Body>(`/api/v1/${route}/?wait=true&overwrite=true`, { ...PLACE, ...more });

    it(
      'sends a computation through the orchestrator to the other server, and serves its files',
      { timeout: CASE_MS },
      async () => {
        const { status, body } = await requestLayer('lulc_for_tehsil', { start_year: YEAR, end_year: YEAR });
        expect([status, body.message]).toEqual([200, expect.stringContaining('finished')]);
        expect(body.stac_items.length).toBeGreaterThan(0);
        for (const { assets } of body.stac_items)
          for (const [name, { href }] of Object.entries(assets)) {
            expect(href.startsWith(`${front.client.baseUrl}/`), href).toBe(true);
            expect([name, (await fetch(href)).status]).toEqual([name, 200]);
          }
        const run = (await front.client.get<Body>(`/api/v1/runs/${body.run_id}/`)).body;
        expect(run).toMatchObject({ state: 'success', backend: 'orchestrator' });
        expect(world.fake.runsOf('headwater').map(({ conf }) => conf['job_id'])).toContain(body.run_id);
        expect(world.engine.output()).toContain('attempt begins');
        expect(front.output()).not.toContain('attempt begins');
      },
    );

    it('reports why the other server could not compute', { timeout: CASE_MS }, async () => {
      const scenes = await requestLayer('lulc_for_tehsil', { start_year: 2018, end_year: 2018 });
      expect([scenes.status, scenes.body.code]).toEqual([422, 'no_scenes']);
      const dem = await requestLayer('generate_slope_percentage');
      expect([dem.status, dem.body.code, dem.body.message]).toEqual([
        409,
        'missing_layer',
        expect.stringMatching(/elevation/i),
      ]);
    });

    it('forwards a region to the worker of the other server', { timeout: CASE_MS }, async () => {
      const region = [77.982, 17.503, 77.984, 17.505];
      const { status, body } = await front.client.post<Body>('/api/export-asset', { region, year: YEAR });
      expect([status, body.stac_items.length]).toEqual([200, expect.any(Number)]);
      const file = body.stac_items[0]?.assets['data']?.href ?? '';
      expect((await fetch(file)).status).toBe(200);
    });

    it('is healthy', async () => {
      const { status, body } = await front.client.get<{ parts: Readonly<Record<string, { state: string }>> }>(
        '/api/health',
      );
      expect(status).toBe(200);
      expect(Object.entries(body.parts).filter(([, { state }]) => state === 'failing')).toEqual([]);
    });
  });
});
