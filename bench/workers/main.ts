// npm run bench:workers [-- --runs 1000 --years 8]: measures runs per second of 1, 2 and 4 worker processes, first for
// runs that do nothing, then for land cover.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Stores } from '@headwater/identity';
import { createPostgresStores, parseConnection } from '@headwater/postgres';
import { type Cluster, findPostgres } from '../../scripts/postgres-cluster.mjs';
import { type Load, startProgram, throughput } from './queue.ts';
import { TRIVIAL } from './trivial.ts';

const WORKERS = [1, 2, 4] as const;
const MAIN = resolve(import.meta.dirname, '..', '..', 'packages', 'server', 'src', 'start.ts');
const options = { runs: { type: 'string', default: '1000' }, years: { type: 'string', default: '8' } } as const;
const { values } = parseArgs({ options });

async function row(stores: Stores, what: string, load: Load): Promise<void> {
  let first: number | undefined;
  for (const workers of WORKERS) {
    const rate = await throughput(stores, load, workers);
    first ??= rate;
    const ratio = `${(rate / first).toFixed(2)} times the rate of one process`;
    console.log(
      `${what}, ${workers} worker ${workers === 1 ? 'process' : 'processes'}: ${rate.toFixed(2)} runs/s, ${ratio}`,
    );
  }
}

/** Computes the sample; returns its land cover run, reduced to one year. */
async function firstStart(stores: Stores, env: Readonly<Record<string, string>>): Promise<Load['run']> {
  const programs = [startProgram(MAIN, ['serve'], { ...env, WORKER: 'off' })];
  try {
    for (let hasWorker = false; ;) {
      const { runs } = await stores.runs.list({ state: 'success', limit: 100, offset: 0 });
      const landCover = runs.find(({ pipeline }) => pipeline === 'lulc_for_tehsil');
      if (landCover !== undefined && (await stores.runs.queueState('nrm')).waiting === 0)
        return {
          pipeline: landCover.pipeline,
          params: { ...landCover.params, startYear: landCover.params['endYear'] },
        };
      if (!hasWorker && (await stores.runs.queueState('nrm')).waiting > 0) {
        programs.push(startProgram(MAIN, ['worker'], env));
        hasWorker = true;
      }
      await new Promise((settle) => setTimeout(settle, 200));
    }
  } finally {
    for (const program of programs) program.kill('SIGTERM');
  }
}

async function measure({ address, folder: host, role }: Cluster, folder: string): Promise<void> {
  console.log(`${availableParallelism()} cores, shared by PostgreSQL and the workers; one run at a time per worker`);
  const stores = await createPostgresStores({ connection: parseConnection(address) });
  try {
    const start = () => startProgram(join(import.meta.dirname, 'worker.ts'), [address, join(folder, 'scratch')]);
    await row(stores, 'runs that do nothing', {
      runs: Number(values.runs),
      run: { pipeline: TRIVIAL, params: {} },
      start,
    });
    const env = {
      DATA_DIR: join(folder, 'data'),
      DB_HOST: host,
      DB_NAME: 'postgres',
      DB_USER: role,
      BACKEND_PORT: '23417',
    };
    const run = await firstStart(stores, env);
    await row(stores, 'land cover of a year', {
      runs: Number(values.years),
      run,
      start: () => startProgram(MAIN, ['worker'], env),
    });
  } finally {
    await stores.close();
  }
}

const { make, missing } = findPostgres();
if (make === undefined) throw new Error(missing);
const folder = await mkdtemp(join(tmpdir(), 'headwater-workers-'));
const cluster = make();
try {
  await measure(cluster, folder);
} finally {
  cluster.remove();
  await rm(folder, { recursive: true, force: true });
}
