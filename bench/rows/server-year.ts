import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn } from '../../e2e/client.ts';
import { startServerProcess } from '../../e2e/server-process.ts';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { BENCH_FOLDER, sceneFolder, wideSceneFolder } from '../inputs.ts';
import { judge, type BenchResult } from '../table.ts';
import { peakMib } from '../year/peak.ts';
import { benchTehsil } from '../year/polygons.ts';
import { THREADS, type RowGroup } from './context.ts';

/** Largest allowed memory of the whole server for 4096 x 4096 pixels and 23 dates, MiB (1.2 GB). */
const CEILING_MIB = 1144;
/** Largest allowed memory for a square of 80 km with 1,200 Items in two UTM zones, MiB (1.5 GB). */
const WIDE_CEILING_MIB = 1430;
const PASSWORD = 'tall-river-42';
const NAMES = { state: 'Bench State', district: 'Bench District', tehsil: 'Bench' };
const YEAR = 2023;
const RUN_MS = 3_600_000;

/** Measures the peak memory of the whole reference server while it computes one year. */
export const serverYearRows: RowGroup = {
  names: ['server_year_peak_rss'],
  run: ({ options }) =>
    peakRow({
      name: 'server_year_peak_rss',
      bar: CEILING_MIB,
      rounds: options.rounds,
      scenes: sceneFolder(options.quick),
    }),
};

/** Measures the peak memory for a wide tehsil, in one round of some minutes. */
export const serverWideYearRows: RowGroup = {
  names: ['server_wide_year_peak_rss'],
  async run({ options }) {
    const name = 'server_wide_year_peak_rss';
    if (!options.quick) return peakRow({ name, bar: WIDE_CEILING_MIB, rounds: 1, scenes: wideSceneFolder() });
    console.log(`${name} skipped: it cannot run with --quick`);
    return [];
  },
};

interface PeakRow {
  readonly name: string;
  readonly bar: number;
  readonly rounds: number;
  readonly scenes: string | undefined;
}

async function peakRow({ name, bar, rounds, scenes }: PeakRow): Promise<BenchResult[]> {
  const { make, missing } = findPostgres();
  if (scenes === undefined || make === undefined) {
    console.log(`${name} skipped: ${missing ?? 'there are no scenes'}`);
    return [];
  }
  const ours: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const peak = await peakOfOneYear(scenes, make);
    if (peak === null) {
      console.log(`${name} skipped: this system has no /proc/<pid>/status`);
      return [];
    }
    ours.push(peak);
  }
  return [judge({ name, unit: 'MiB', better: 'less', bar, ceiling: true, ours, peer: undefined })];
}

type MakeCluster = NonNullable<ReturnType<typeof findPostgres>['make']>;

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
      const start = performance.now();
      await computeYear(server.baseUrl, username);
      console.log(`one year on the server took ${((performance.now() - start) / 1000).toFixed(0)} s`);
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
    if (body.state === 'failed') throw new Error(`the run failed: ${JSON.stringify(body)}`);
    await new Promise((settle) => setTimeout(settle, 250));
  }
  throw new Error(`the run did not end within ${RUN_MS / 1000} s: ${JSON.stringify(started)}`);
}

/**
 * Creates hard links to all files of a folder. The scenes of a dataset must be in its folder, and copies would take 3
 * GB.
 */
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
