import type { Run } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createPostgresStores } from '@headwater/postgres';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import type { Cluster } from '../scripts/postgres-cluster.mjs';
import { type Client, signIn } from './client.ts';
import { openYard, type ServerYard } from './server-pair.fixture.ts';
import { type RunningProcess, type ServerProcess, startCommand } from './server-process.ts';

const PASSWORD = 'tall-river-4711';
/** Timeout of a step on a busy machine, ms. */
export const TIMEOUT_MS = 240_000;

/** A service without a worker, worker processes, and their stores. */
export interface WorkerYard extends ServerYard {
  readonly stores: Stores;
  startWorker(env?: Readonly<Record<string, string>>): Promise<RunningProcess>;
  signIn(server: ServerProcess): Promise<Client>;
  /** Runs that have not ended. */
  open(): Promise<readonly Run[]>;
}

/** Creates database, data folder and stores; starts no process. */
export async function openWorkerYard(make: () => Cluster): Promise<WorkerYard> {
  const yard = await openYard(make);
  const { DB_HOST: host = '', DB_NAME: database = '', DB_USER: user = '' } = yard.env;
  const stores = await createPostgresStores({ connection: { host, port: 5432, database, user } });
  const workers: RunningProcess[] = [];
  return {
    ...yard,
    stores,
    start: (env = {}) => yard.start({ WORKER: 'off', SUPERUSER_PASSWORD: PASSWORD, ...env }),
    async startWorker(env = {}) {
      const worker = await startCommand({
        dataDir: yard.dataDir,
        env: { ...yard.env, ...env },
        args: ['worker', '--queue', 'nrm'],
      });
      workers.push(worker);
      return worker;
    },
    async signIn(server) {
      const [, name = ''] = await server.printed(/superuser {8}(\S+)\n/, TIMEOUT_MS);
      return signIn(server.baseUrl, name, PASSWORD);
    },
    async open() {
      const pages = await Promise.all(
        (['queued', 'running'] as const).map((state) => stores.runs.list({ state, limit: 1000, offset: 0 })),
      );
      return pages.flatMap(({ runs }) => runs);
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
      await stores.close();
      await yard.close();
    },
  };
}

/** Routes and first years of runs that take one or two seconds. */
const REQUESTS = [
  ['lulc_for_tehsil', SAMPLE_YEARS[2]],
  ['lulc_for_tehsil', SAMPLE_YEARS[1]],
  ['generate_mws_layer', SAMPLE_YEARS[0]],
  ['generate_block_layer', SAMPLE_YEARS[0]],
] as const;

/** Requests a run with `overwrite`; `choice` (0-1) selects the route. Returns the run's id if the status is 202. */
export async function requestRun(client: Client, choice: number): Promise<string | undefined> {
  const [route, year] = REQUESTS[Math.floor(choice * REQUESTS.length)] ?? REQUESTS[0];
  const { state, district, tehsil: block } = SAMPLE_PLACE;
  const years = { start_year: year, end_year: SAMPLE_YEARS.at(-1) };
  const body = { state, district, block, ...years, eo_account_id: 1, overwrite: true };
  const answer = await client.post<{ run_id: string }>(`/api/v1/${route}/`, body).catch(() => undefined);
  return answer?.status === 202 ? answer.body.run_id : undefined;
}

/** Returns the id of the run that a worker computes, from the worker's output; undefined if the worker is idle. */
export function runAt(worker: RunningProcess): string | undefined {
  const lines = [...worker.output().matchAll(/"runId":"([^"]+)"[^\n]*"msg":"attempt (begins|ended)"/g)];
  const [, id, event] = lines.at(-1) ?? [];
  return event === 'begins' ? id : undefined;
}
