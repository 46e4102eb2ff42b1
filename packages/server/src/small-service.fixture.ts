import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyPipeline, LayerRecord, PlaceBundle, PublishedItem } from '@headwater/core';
import { createHeadwater, type Headwater } from '@headwater/http-adapter-fastify';
import { type ComputeParts, createScryptHasher, type HeadwaterOptions, toFetchHandler } from '@headwater/http-service';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { lulcPipeline } from '@headwater/land-cover';
import { createPixelEngine } from '@headwater/raster';
import { createDirectoryAssets, type ElevationOptions, openElevation, openScenes, seed } from '@headwater/ingest';
import { REMEDIES } from './remedies.ts';

/** A response of the service. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Published Items and layers. */
export interface Published {
  readonly items: readonly PublishedItem[];
  readonly layers: readonly LayerRecord[];
}

/** The complete service in this process, with memory stores, real pixels and real files. */
export interface SmallService {
  readonly headwater: Headwater;
  readonly dir: string;
  readonly scratchDir: string;
  /** Sets the folder whose subfolder `eo` contains the scenes; `dir` by default. */
  useScenes(dataDir: string): void;
  /** Computes a layer (default: land cover) and waits for the run. A route may end with `/?` and a query. */
  compute(body: Readonly<Record<string, unknown>>, route?: string): Promise<Answer>;
  published(): Promise<Published>;
  /** Sends a GET as superuser; returns the body. */
  get(path: string, accept: string): Promise<string>;
  /** Sends a POST without a token. */
  post(path: string, body: unknown): Promise<Answer>;
  /** Sends a DELETE as superuser; returns the status. */
  remove(path: string): Promise<number>;
  /** Folders of all attempts: `{run}/{attempt}`. */
  attempts(): Promise<readonly string[]>;
  /** Log lines of the newest run. */
  newestLog(): Promise<string>;
  /** Number of stored runs. */
  runCount(): Promise<number>;
  close(): Promise<void>;
}

/** Options of a small service. */
export interface SmallServiceOptions {
  readonly places: readonly PlaceBundle[];
  /** Default: land cover. Elevations are read from `{dir}/dem`. */
  readonly pipelines?: readonly AnyPipeline[];
  /** Additional STAC API of elevations, without retries. */
  readonly demApi?: NonNullable<ElevationOptions['api']>;
  /** Backend of an orchestrator. By default this process computes all runs. */
  readonly backend?: NonNullable<NonNullable<HeadwaterOptions['compute']>['backend']>;
  readonly assetsDir?: string;
  readonly scratchDir?: string;
  /** Scenes and credentials of Earth Engine. */
  readonly accountScenes?: (
    stores: Stores,
    scratchDir: string,
  ) => Required<Pick<ComputeParts, 'sceneEngines'>> & Pick<HeadwaterOptions, 'eoCredentials'>;
}

const PASSWORD = 'tall-river-42';

const computePath = (route: string): string => `/api/v1/${route.includes('?') ? route : `${route}/`}`;

/** Starts the service with its worker. */
export async function startSmallService(options: SmallServiceOptions): Promise<SmallService> {
  const dir = await mkdtemp(join(tmpdir(), 'headwater-small-'));
  const { assetsDir: assets = join(dir, 'assets'), scratchDir = join(dir, 'scratch') } = options;
  await mkdir(assets, { recursive: true });
  let scenesIn = dir;
  const { demApi } = options;
  const allowedOrigins = demApi === undefined ? [] : [new URL(demApi.url).origin];
  // Few pixels: the start of a second thread would take longer than the computation.
  const pixels = createPixelEngine({ scratchDir, threads: 1, network: { allowedOrigins } });
  const stores = createMemoryStores();
  const { sceneEngines, ...credentials } = options.accountScenes?.(stores, scratchDir) ?? {};
  const headwater = createHeadwater({
    stores,
    ...credentials,
    baseUrl: 'http://headwater.example.org',
    secret: randomBytes(32),
    identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }) },
    pipelines: options.pipelines ?? [lulcPipeline],
    remedies: REMEDIES,
    workService: {},
    compute: {
      ...(options.backend === undefined ? {} : { backend: options.backend }),
      earthObservation: { search: (query) => openScenes({ folder: join(scenesIn, 'eo') }).search(query) },
      elevation: openElevation({
        folder: join(dir, 'dem'),
        api: demApi,
        pixels,
        warn: () => {},
        network: { settings: { allowedOrigins, tries: 1, patienceMs: 0 } },
      }),
      pixels,
      assets: createDirectoryAssets(assets),
      ...(sceneEngines === undefined ? {} : { sceneEngines }),
    },
  });
  const { accounts, runs } = headwater;
  const { account } = await seed(stores, { bundles: options.places });
  const user = await accounts.createSuperuser({ username: 'asha', password: PASSWORD });
  const handle = toFetchHandler(headwater.service);
  const post = async (path: string, body: unknown, token?: string): Promise<Answer> => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const answer = await handle(
      new Request(`http://headwater.example.org${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
      { remoteAddress: '127.0.0.1' },
    );
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };
  const { body: login } = await post('/api/v1/auth/login/', { username: 'asha', password: PASSWORD });
  const page = () => runs.list({ user }, { limit: 1, offset: 0 });
  await headwater.start();
  const request = requestsOf(handle, String(login['access']));
  return {
    headwater,
    dir,
    scratchDir,
    useScenes: (dataDir) => void (scenesIn = dataDir),
    compute: (body, route = 'lulc_for_tehsil') =>
      post(computePath(route), { eo_account_id: account.id, wait: true, ...body }, String(login['access'])),
    post: (path, body) => post(path, body),
    get: async (path, accept) => (await request(path, 'GET', accept)).text(),
    remove: async (path) => (await request(path, 'DELETE')).status,
    published: () => publishedIn(headwater),
    attempts: () => attemptsIn(assets),
    async newestLog() {
      const [run] = (await page()).runs;
      const lines = await runs.log({ user }, run?.id ?? '', { afterSeq: 0, limit: 10_000 });
      return lines.map(({ message }) => message).join('\n');
    },
    runCount: async () => (await page()).total,
    async close() {
      await headwater.close(0);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function requestsOf(handle: ReturnType<typeof toFetchHandler>, access: string) {
  return async (path: string, method: string, accept = '*/*'): Promise<Response> =>
    await handle(
      new Request(`http://headwater.example.org${path}`, {
        method,
        headers: { accept, authorization: `Bearer ${access}` },
      }),
    );
}

async function publishedIn({ stores: { catalog, places } }: Headwater): Promise<Published> {
  const items = await Promise.all((await catalog.collections()).map((path) => catalog.itemsOf(path)));
  const layers: LayerRecord[] = [];
  for (const state of await places.states()) {
    for (const district of await places.districts(state.id)) {
      for (const { id } of await places.tehsils(district.id)) layers.push(...(await catalog.layersOf(id)));
    }
  }
  return { items: items.flat(), layers };
}

async function attemptsIn(assets: string): Promise<readonly string[]> {
  const runs = (await readdir(assets)).sort();
  const attempts = await Promise.all(
    runs.map(async (run) => (await readdir(join(assets, run))).map((attempt) => `${run}/${attempt}`)),
  );
  return attempts.flat();
}
