import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, parseConnection } from '@headwater/postgres';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { compareGets, rowOf } from '../country/compare.ts';
import { loadData } from '../country/load-data.ts';
import { COUNTRY_GETS } from '../country/requests.ts';
import { startHelper } from '../helper.ts';
import { loadGrid } from '../lookups/grid.ts';
import { isWanted } from '../options.ts';
import { judge, type BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/** Timeout of a statement that loads data, s. */
const LOAD_SECONDS = 3600;
/**
 * Greatest allowed ratio of two loading times: the last tenth of the data, divided by the first tenth. A greater value
 * shows that the time does not grow linearly.
 */
const LINEAR = 1.5;
const COUNT = 2000;
const QUICK_COUNT = 200;

/**
 * Measures every public GET on the data of a country. Runs only with `--only country`, because it takes about ten
 * minutes and 20 GB of disk.
 */
export const countryRows: RowGroup = {
  names: ['country_load_last_tenth', 'country_bytes', ...COUNTRY_GETS.map(rowOf)],
  run,
};

async function run({ options }: RowContext): Promise<BenchResult[]> {
  const found = findPostgres();
  if (found.make === undefined || !options.only.some((part) => part.includes('country'))) {
    console.log(`country skipped: ${found.missing ?? 'it runs only with --only country'}`);
    return [];
  }
  const cluster = found.make();
  const folder = mkdtempSync(join(tmpdir(), 'headwater-country-'));
  try {
    const loaded = await load(cluster.address, options.quick);
    const server = startHelper('lookups/server.ts', [cluster.address, folder]);
    try {
      const { port } = JSON.parse(await server.next()) as { readonly port: number };
      const count = options.quick ? QUICK_COUNT : COUNT;
      const bench = { address: cluster.address, port, rounds: options.rounds, count };
      return [...loaded, ...(await compareGets(bench, (row) => isWanted(row, options)))];
    } finally {
      server.child.kill();
    }
  } finally {
    cluster.remove();
    rmSync(folder, { recursive: true });
  }
}

async function load(address: string, quick: boolean): Promise<BenchResult[]> {
  const database = openDatabase(parseConnection(address), { queryTimeoutMs: 1000 * LOAD_SECONDS });
  await loadGrid(database);
  const seconds = await loadData(database, quick ? 500 : undefined);
  const { bytes = 0 } =
    (await database.first<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')) ?? {};
  await database.close();
  console.log(`loaded in ${seconds.map((each) => each.toFixed(1)).join(', ')} s, ${(bytes / 2 ** 30).toFixed(1)} GiB`);
  const shown = { peer: undefined, better: 'less', ceiling: true } as const;
  const growth = (seconds.at(-1) ?? 0) / (seconds[0] ?? 1);
  return [
    judge({ ...shown, name: 'country_load_last_tenth', unit: 'x first tenth', bar: LINEAR, ours: [growth] }),
    judge({ ...shown, name: 'country_bytes', unit: 'GiB', bar: null, ours: [bytes / 2 ** 30] }),
  ];
}
