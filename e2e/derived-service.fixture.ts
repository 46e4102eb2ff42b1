import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyPipeline, LayerRecord, PlaceBundle, StoredTable } from '@headwater/core';
import { findPlace } from '@headwater/core/places';
import type { RunItem, UidSeries } from '@headwater/core/ports';
import { createValidatePipeline } from '@headwater/accuracy/validate';
import { createHeadwater } from '@headwater/http-adapter-fastify';
import { createScryptHasher, toFetchHandler } from '@headwater/http-service';
import { derivedPipelines, lulcMaker } from '@headwater/land-cover';
import { createPixelEngine } from '@headwater/raster';
import { createDirectoryAssets, openElevation, openScenes, seed } from '@headwater/ingest';
import { REMEDIES } from '../packages/server/src/remedies.ts';
import { createPaintedPipeline, PAINTED_PLACE } from './painted-land-cover.fixture.ts';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A service that computes the derived layers from painted land cover. */
export interface DerivedService {
  /** Sends a request for the painted place to a route, and waits until the run has ended. */
  make(route: string, body?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Waits until a run has succeeded; throws if the run failed. */
  ended(runId: string): Promise<void>;
  seriesOf(uid: string): Promise<readonly UidSeries[]>;
  /** Returns a table of the painted place, or of its namesake in another district. */
  table(name: string, district?: string): Promise<StoredTable>;
  layers(): Promise<readonly LayerRecord[]>;
  /** Folder for GeoTIFFs with elevations. It does not exist until a test creates it. */
  readonly demDir: string;
  fileOf(workspace: string, layerName: string): Promise<string>;
  items(): Promise<readonly RunItem['item'][]>;
  /** Stores a new place, or the painted place with other polygons. */
  savePlace(bundle: PlaceBundle): Promise<void>;
  close(): Promise<void>;
}

/** Options of `startDerivedService`. */
export interface DerivedServiceOptions {
  /** Data folder with the scenes. */
  readonly scenesDir?: string;
  /** Pipeline of the land cover; default: painted classes. */
  readonly landCover?: AnyPipeline;
  readonly more?: readonly AnyPipeline[];
}

/** Starts the service. */
export async function startDerivedService(options: DerivedServiceOptions = {}): Promise<DerivedService> {
  const { scenesDir, landCover = createPaintedPipeline(), more = [] } = options;
  const dir = await mkdtemp(join(tmpdir(), 'headwater-derived-'));
  const assetsDir = join(dir, 'assets');
  const demDir = join(dir, 'dem');
  await mkdir(assetsDir, { recursive: true });
  // One thread, because the start of a second thread would take longer than computing the few pixels.
  const pixels = createPixelEngine({ scratchDir: join(dir, 'scratch'), threads: 1 });
  const headwater = createHeadwater({
    baseUrl: 'http://headwater.example.org',
    secret: randomBytes(32),
    identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }) },
    pipelines: [landCover, ...derivedPipelines, createValidatePipeline([lulcMaker]), ...more],
    remedies: REMEDIES,
    compute: {
      earthObservation:
        scenesDir === undefined
          ? { search: async () => ({ scenes: [], rejected: [] }) }
          : openScenes({ folder: join(scenesDir, 'eo') }),
      elevation: openElevation({ folder: demDir, pixels, warn: () => {} }),
      pixels,
      assets: createDirectoryAssets(assetsDir),
    },
  });
  const { accounts, stores } = headwater;
  const { account } = await seed(stores, { bundles: [PAINTED_PLACE] });
  await accounts.createSuperuser({ username: 'asha', password: 'tall-river-42' });
  const ask = toFetchHandler(headwater.service);
  const post = async (path: string, body: object, token?: string): Promise<Answer> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const request = new Request(`http://headwater.example.org${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const answer = await ask(request);
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };
  const { body: login } = await post('/api/v1/auth/login/', { username: 'asha', password: 'tall-river-42' });
  await headwater.start();
  const { state, district, tehsil: block } = PAINTED_PLACE;
  const tehsilId = async (of = district): Promise<number> =>
    (await findPlace(stores.places, { state, district: of, tehsil: block })).tehsil.id;
  return {
    demDir,
    make: (route, body = {}) =>
      post(
        `/api/v1/${route}/`,
        { state, district, block, eo_account_id: account.id, wait: true, with_dependencies: true, ...body },
        String(login['access']),
      ),
    async ended(runId) {
      const run = await headwater.runs.waitFor(runId, AbortSignal.timeout(120_000));
      if (run.state !== 'success') throw new Error(`run ${runId} is ${run.state}: ${run.error?.message}`);
    },
    seriesOf: async (uid) => stores.data.seriesOf(await tehsilId(), uid),
    async table(name, of) {
      const table = await stores.data.table(await tehsilId(of), name);
      if (table === undefined) throw new Error(`table ${name} is not published`);
      return table;
    },
    layers: async () => stores.catalog.layersOf(await tehsilId()),
    async fileOf(workspace, layerName) {
      const layer = await stores.catalog.layer(workspace, layerName);
      if (layer === undefined) throw new Error(`layer ${workspace}:${layerName} is not published`);
      return join(assetsDir, layer.assetKey);
    },
    async items() {
      const paths = await stores.catalog.collections();
      const all = await Promise.all(paths.map((path) => stores.catalog.itemsOf(path)));
      return all.flat().map(({ item }) => item);
    },
    savePlace: async (bundle) => void (await stores.places.saveBundle(bundle)),
    async close() {
      await headwater.close(0);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
