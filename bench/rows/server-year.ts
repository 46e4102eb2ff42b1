import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn } from '../../examples/reference-server/src/e2e/client.ts';
import { startServerProcess } from '../../examples/reference-server/src/e2e/server-process.ts';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { BENCH_FOLDER, sceneFolder } from '../inputs.ts';
import { judge, type BenchResult } from '../table.ts';
import { peakMib } from '../year/peak.ts';
import { benchTehsil } from '../year/polygons.ts';
import { THREADS, type RowContext, type RowGroup } from './context.ts';

/** Most that the whole server process may hold on PostgreSQL, MiB: 1.2 GB. */
const CEILING_MIB = 1200;
const PASSWORD = 'tall-river-42';
const NAMES = { state: 'Bench State', district: 'Bench District', tehsil: 'Bench' };
const YEAR = 2023;
const RUN_MS = 900_000;

/** The whole reference server on a real PostgreSQL, from the request to published Items: what an operator's machine must hold. */
export const serverYearRows: RowGroup = { names: ['server_year_peak_rss'], run };

async function run({ options }: RowContext): Promise<BenchResult[]> {
  const scenes = sceneFolder(options.quick);
  const { make, missing } = findPostgres();
  if (scenes === undefined || make === undefined) {
    console.log(`server_year_peak_rss skipped: ${missing ?? 'there are no scenes'}`);
    return [];
  }
  const ours: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const peak = await peakOfOneYear(scenes, make);
    if (peak === null) {
      console.log('server_year_peak_rss skipped: this system has no /proc/<pid>/status');
      return [];
    }
    ours.push(peak);
  }
  const row = { name: 'server_year_peak_rss', unit: 'MiB', better: 'less', bar: CEILING_MIB, ceiling: true } as const;
  return [judge({ ...row, ours, peer: undefined })];
}

type MakeCluster = NonNullable<ReturnType<typeof findPostgres>['make']>;

/** A first start and one year of land cover, on a database and a folder of their own: the server's high-water mark. */
async function peakOfOneYear(scenes: string, make: MakeCluster): Promise<number | null> {
  const dataDir = mkdtempSync(join(BENCH_FOLDER, 'server-'));
  const cluster = make();
  try {
    linkTree(scenes, join(dataDir, 'eo', 'bench'));
    writePlace(scenes, join(dataDir, 'places', 'bench'));
    const env = {
      DB_HOST: cluster.folder,
      DB_NAME: 'postgres',
      DB_USER: cluster.role,
      SUPERUSER_PASSWORD: PASSWORD,
      HEADWATER_SAMPLE: 'off',
      HEADWATER_THREADS: String(THREADS),
    };
    const server = await startServerProcess({ dataDir, env });
    try {
      const [, username = ''] = await server.printed(/superuser {8}(test_user_\d{4})/, 100_000);
      await computeYear(server.baseUrl, username);
      return peakMib(server.pid);
    } finally {
      await server.stop('SIGKILL');
    }
  } finally {
    cluster.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function computeYear(baseUrl: string, username: string): Promise<void> {
  const client = await signIn(baseUrl, username, PASSWORD);
  const { state, district, tehsil: block } = NAMES;
  const request = { state, district, block, start_year: YEAR, end_year: YEAR, eo_account_id: 1 };
  const started = await client.post<{ run_id: string }>('/api/v1/lulc_for_tehsil/', request);
  const until = performance.now() + RUN_MS;
  while (performance.now() < until) {
    const { body } = await client.get<{ state: string; error?: unknown }>(`/api/v1/runs/${started.body.run_id}/`);
    if (body.state === 'success') return;
    if (body.state === 'failed') throw new Error(`the year failed: ${JSON.stringify(body)}`);
    await new Promise((settle) => setTimeout(settle, 250));
  }
  throw new Error(`the year did not end within ${RUN_MS / 1000} s: ${JSON.stringify(started)}`);
}

/** The same tree made of hard links: the scenes of a dataset must be files of its own folder, and copies would cost 3 GB. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else linkSync(source, target);
  }
}

function writePlace(scenes: string, folder: string): void {
  const { geometry, mws } = benchTehsil(scenes);
  const write = (name: string, features: readonly unknown[]): void =>
    writeFileSync(join(folder, name), JSON.stringify({ type: 'FeatureCollection', features }));
  mkdirSync(folder, { recursive: true });
  write('boundary.geojson', [{ type: 'Feature', properties: NAMES, geometry }]);
  write(
    'mws.geojson',
    mws.map((one) => ({ type: 'Feature', properties: { uid: one.uid }, geometry: one.geometry })),
  );
}
