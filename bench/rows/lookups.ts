import { openDatabase, parseConnection } from '@headwater/postgres';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { startHelper, type Helper } from '../helper.ts';
import { loadGrid, pointAt } from '../lookups/grid.ts';
import { addressOf, compareLookups, LOOKUP_ROWS } from '../lookups/compare.ts';
import { KEY } from '../routes/public-data.ts';
import { isWanted } from '../options.ts';
import { judge, type BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/** Timeout of loading the data, s. */
const LOAD_SECONDS = 600;
/** Largest allowed heap size after the requests on 1,000 connections, divided by the heap size before them. */
const HEAP_RATIO = 1.1;
const CONNECTIONS = 1000;
const CROWD_MS = 60_000;
const QUICK_CROWD_MS = 5000;

const NAMES = ['lookup_load', ...LOOKUP_ROWS, 'crowd_errors', 'crowd_heap'] as const;

/** Finds tehsil and micro-watershed at a point by store, HTTP and SQL. */
export const lookupRows: RowGroup = { names: NAMES, run };

async function run({ options }: RowContext): Promise<BenchResult[]> {
  const found = findPostgres();
  if (found.make === undefined) {
    console.log(`lookups skipped: ${found.missing}`);
    return [];
  }
  const cluster = found.make();
  const wanted = (name: (typeof NAMES)[number]): boolean => isWanted(name, options);
  try {
    const loaded = await load(cluster.address);
    const server = startHelper('lookups/server.ts', [cluster.address]);
    try {
      const { port } = JSON.parse(await server.next()) as { readonly port: number };
      const lookups = LOOKUP_ROWS.some(wanted)
        ? await compareLookups({ address: cluster.address, port }, options.rounds)
        : [];
      const results = [loaded, ...lookups];
      const ms = options.quick ? QUICK_CROWD_MS : CROWD_MS;
      if (wanted('crowd_errors') || wanted('crowd_heap')) results.push(...(await crowd(server, port, ms)));
      return results.filter(({ name }) => isWanted(name, options));
    } finally {
      server.child.kill();
    }
  } finally {
    cluster.remove();
  }
}

const shown = { peer: undefined, better: 'less', ceiling: true } as const;

async function load(address: string): Promise<BenchResult> {
  const database = openDatabase(parseConnection(address), { queryTimeoutMs: 1000 * LOAD_SECONDS });
  const start = performance.now();
  await loadGrid(database);
  const seconds = (performance.now() - start) / 1000;
  await database.close();
  return judge({ ...shown, name: 'lookup_load', unit: 's', bar: LOAD_SECONDS, ours: [seconds] });
}

interface Crowd {
  readonly perSecond: number;
  readonly errors: number;
}

async function crowd(server: Helper, port: number, ms: number): Promise<BenchResult[]> {
  const heap = async (): Promise<number> => {
    server.child.stdin.write('heap\n');
    return (JSON.parse(await server.next()) as { readonly heap: number }).heap;
  };
  const driver = startHelper('routes/load.ts', []);
  const request = `GET ${addressOf(pointAt(1))} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${KEY}\r\n\r\n`;
  const fire = async (duration: number): Promise<Crowd> => {
    driver.child.stdin.write(
      `${JSON.stringify({ port, request, status: 200, connections: CONNECTIONS, ms: duration })}\n`,
    );
    return JSON.parse(await driver.next()) as Crowd;
  };
  try {
    // Sends requests as a warm-up before the heap is measured.
    await fire(QUICK_CROWD_MS);
    const before = await heap();
    const { perSecond, errors } = await fire(ms);
    const after = await heap();
    console.log(
      `${CONNECTIONS} connections, ${ms / 1000} s: ${perSecond.toFixed(0)} responses/s, heap ${before} -> ${after} bytes`,
    );
    return [
      judge({ ...shown, name: 'crowd_errors', unit: 'errors', bar: 0, ours: [errors] }),
      judge({ ...shown, name: 'crowd_heap', unit: 'x before', bar: HEAP_RATIO, ours: [after / before] }),
    ];
  } finally {
    driver.child.kill();
  }
}
