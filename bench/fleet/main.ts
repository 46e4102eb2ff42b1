// npm run bench:fleet [-- --tehsils 40 --json FILE]: measures a run over a synthetic district with 1, 2 and 4 workers,
// then simulates 1 to 1,000 workers.
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { partState } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import { writePlace } from '@headwater/ingest';
import { createPostgresStores } from '@headwater/postgres';
import pgPromise from 'pg-promise';
import { scenesAround, smallPlace, writeScenes } from '../../packages/server/src/small-world.fixture.ts';
import { type Cluster, findPostgres } from '../../scripts/postgres-cluster.mjs';
import { startProgram } from '../workers/queue.ts';
import { simulate } from './model.ts';

const MAIN = resolve(import.meta.dirname, '..', '..', 'packages', 'server', 'src', 'start.ts');
const WORKERS = [1, 2, 4] as const;
const YEAR = 2021;
/** Assumed computing time for one year of a real tehsil (docs/capacity.md), s. */
const REAL_SECONDS = 300;
const { values } = parseArgs({ options: { tehsils: { type: 'string', default: '40' }, json: { type: 'string' } } });
const TEHSILS = Number(values.tehsils);

interface Measured {
  readonly workers: number;
  readonly seconds: number;
  readonly tehsilsPerHour: number;
  readonly idleShare: number;
  readonly times: readonly number[];
  /** Database transactions per tehsil, including polls. */
  readonly transactions: number;
  readonly fileBytes: number;
  /** Growth of the database per tehsil, bytes. */
  readonly databaseBytes: number;
}

const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function measure(
  stores: Stores,
  world: { readonly env: Readonly<Record<string, string>>; readonly dataDir: string; readonly ids: readonly number[] },
  { workers, counters }: { readonly workers: number; readonly counters: () => Promise<readonly [number, number]> },
): Promise<Measured> {
  const children = Array.from({ length: workers }, () => startProgram(MAIN, ['worker'], world.env));
  // Waits for the start of the workers, because the measurement must not include the start.
  await pause(15_000);
  const [before, bytesBefore] = [await counters(), await sizeOf(join(world.dataDir, 'assets'))];
  const request = { startYear: YEAR, endYear: YEAR, eoAccountId: 1 };
  const area = { scope: 'district', state: 'Virtapradesh', district: 'Nirmalgarh', computes: 'lulc_for_tehsil' };
  const id = `fleet-${workers}-${Date.now()}`;
  const params = { ...area, request, overwrite: true, withDependencies: false };
  const run = { id, pipeline: 'scope_run', queue: 'scopes', params, fingerprint: id, ownerId: 1 };
  await stores.runs.enqueue(run, { parts: world.ids.map((tehsilId) => ({ tehsilId, work: 1 })) });
  for (;;) {
    const state = (await stores.runs.get(id))?.state;
    if (state === 'success') break;
    if (state === 'failed') throw new Error(`the run failed: ${(await stores.runs.get(id))?.error?.message}`);
    await pause(250);
  }
  const after = await counters();
  const bytes = (await sizeOf(join(world.dataDir, 'assets'))) - bytesBefore;
  for (const child of children) child.kill('SIGTERM');
  const parts = (await stores.runs.parts(id)).filter((part) => partState(part, id) === 'success');
  const spans = parts.flatMap(({ run: of }) =>
    of === null ? [] : [[Date.parse(of.startedAt ?? ''), Date.parse(of.finishedAt ?? '')] as const],
  );
  const seconds = (Math.max(...spans.map(([, to]) => to)) - Math.min(...spans.map(([from]) => from))) / 1000;
  const times = spans.map(([from, to]) => (to - from) / 1000);
  const busy = times.reduce((sum, time) => sum + time, 0);
  const per = (total: number): number => Math.round(total / parts.length);
  return {
    workers,
    seconds,
    tehsilsPerHour: (3600 * parts.length) / seconds,
    idleShare: Math.max(0, 1 - busy / (workers * seconds)),
    times,
    transactions: per(after[0] - before[0]),
    fileBytes: per(bytes),
    databaseBytes: per(after[1] - before[1]),
  };
}

async function bench({ folder: host, role }: Cluster, folder: string): Promise<void> {
  const dataDir = join(folder, 'data');
  const names = Array.from({ length: TEHSILS }, (_, at) => `Fleet ${at}`);
  for (const [at, tehsil] of names.entries()) {
    const { mws, ...place } = smallPlace(tehsil);
    const own = mws.map(({ geometry }, index) => ({ uid: `12_97${1000 + at}${index}`, geometry }));
    await writePlace(join(dataDir, 'places', `fleet-${at}`), { ...place, mws: own });
  }
  await writeScenes(dataDir, scenesAround(YEAR));
  const stores = await createPostgresStores({ connection: { host, port: 5432, database: 'postgres', user: role } });
  const pgp = pgPromise({ noWarnings: true });
  const database = pgp({ host, port: 5432, database: 'postgres', user: role });
  const counters = async (): Promise<readonly [number, number]> => {
    // Waits until PostgreSQL has written the statistics of the other sessions, which takes up to a second.
    await pause(1500);
    const sql = `select xact_commit::float8 as n, pg_database_size(datname)::float8 as bytes from pg_stat_database where datname = 'postgres'`;
    const { n, bytes } = await database.one<{ n: number; bytes: number }>(sql);
    return [n, bytes];
  };
  const env = {
    DATA_DIR: dataDir,
    DB_HOST: host,
    DB_NAME: 'postgres',
    DB_USER: role,
    HEADWATER_THREADS: '1',
    MAPSERVER_PORT: '0',
  };
  const server = startProgram(MAIN, ['serve', '--no-sample'], { ...env, WORKER: 'off', BACKEND_PORT: '23418' });
  try {
    while ((await stores.eoAccounts.byId(1)) === undefined) await pause(200);
    const [state] = await stores.places.states();
    const [district] = await stores.places.districts(state?.id ?? 0);
    const ids = (await stores.places.tehsilUnits(district?.id ?? 0)).map(({ id }) => id);
    const measured: Measured[] = [];
    for (const workers of WORKERS) {
      const one = await measure(stores, { env, dataDir, ids }, { workers, counters });
      measured.push(one);
      const { times: _, ...shown } = one;
      console.log(JSON.stringify({ ...shown, load: loadavg()[0] }));
    }
    report(measured);
  } finally {
    server.kill('SIGTERM');
    await stores.close();
    pgp.end();
  }
}

function report(measured: readonly Measured[]): void {
  const all = measured.map((each) => {
    const mean = each.times.reduce((sum, time) => sum + time, 0) / each.times.length;
    return { ...each, mean, ratios: each.times.map((time) => time / mean) };
  });
  const [alone] = all;
  if (alone === undefined) return;
  // A single worker is idle only while its next tehsil is started and claimed. `gap` is this idle time per tehsil, s.
  const gap = Math.max(0.001, (alone.idleShare * alone.seconds) / alone.times.length);
  const shared = { startSeconds: gap / 2, claimSeconds: gap / 2 };
  const fitted = all.map(({ workers, mean, ratios, seconds, times }) => {
    const model = simulate({ workers, tehsils: times.length, tehsilSeconds: mean, ratios, ...shared });
    return { workers, measured: seconds, model: model.seconds };
  });
  const large = [1, 10, 100, 1000].map((workers) => {
    const tehsils = Math.max(1000, 10 * workers);
    const outcome = simulate({ workers, tehsils, tehsilSeconds: REAL_SECONDS, ratios: alone.ratios, ...shared });
    return {
      workers,
      tehsils,
      ...outcome,
      transactionsPerSecond: (outcome.tehsilsPerHour / 3600) * alone.transactions,
    };
  });
  const result = { cores: availableParallelism(), gap, measured: all, fitted, large };
  for (const row of [...fitted, ...large]) console.log(JSON.stringify(row));
  if (values.json !== undefined) void writeFile(values.json, `${JSON.stringify(result, null, 1)}\n`);
}

const { make, missing } = findPostgres();
if (make === undefined) throw new Error(missing);
const folder = await mkdtemp(join(tmpdir(), 'headwater-fleet-'));
const cluster = make();
try {
  await bench(cluster, folder);
} finally {
  cluster.remove();
  await rm(folder, { recursive: true, force: true });
}
