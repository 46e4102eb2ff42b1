import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { openDatabase, parseConnection } from '@headwater/postgres';
import pgPromise from 'pg-promise';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { startHelper, type Helper } from '../helper.ts';
import { loadGrid, pointAt } from '../lookups/grid.ts';
import { KEY } from '../routes/public-data.ts';
import { isWanted } from '../options.ts';
import { judge, type BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/** Most seconds that loading may take. */
const LOAD_SECONDS = 600;
/** Most that a lookup through HTTP may take beyond the query, median, ms. */
const OVER_MS = 1;
/** Least ratio of the query's 95th percentile to the lookup's: 1 / 1.5. */
const P95_RATIO = 0.67;
/** Most heap after the crowd to that before. */
const HEAP_RATIO = 1.1;
const CONNECTIONS = 1000;
const CROWD_MS = 60_000;
const QUICK_CROWD_MS = 5000;
/** Lookups of one round, each beside its query, and before the first one. */
const COUNT = 500;

const NAMES = ['lookup_load', 'lookup_p50_over_query', 'lookup_p95', 'crowd_errors', 'crowd_heap'] as const;

/**
 * The tehsil at a point through HTTP, key checked, on PostgreSQL with 5,000 tehsils and 500,000 micro-watersheds, beside a pg-promise query
 * for the same point; then 1,000 connections that ask for it all the time.
 */
export const lookupRows: RowGroup = { names: NAMES, run };

const QUERY = `select s.name as state, d.name as district, t.name as tehsil from headwater.tehsils t
  join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id
  where ST_Covers(t.geometry, ST_SetSRID(ST_MakePoint($1, $2), 4326)) order by s.slug, d.slug, t.slug limit 1`;

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
      const lookups = wanted('lookup_p50_over_query') || wanted('lookup_p95');
      const results = [loaded, ...(lookups ? await compare(cluster.address, port, options.rounds) : [])];
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

interface Times {
  readonly ours: number[];
  readonly query: number[];
}

async function compare(address: string, port: number, rounds: number): Promise<BenchResult[]> {
  const raw = pgPromise({ noWarnings: true })(address);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [over, ours, query]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round <= rounds; round += 1) {
    const times: Times = { ours: [], query: [] };
    for (let at = 0; at < COUNT; at += 1) {
      const point = pointAt(round * COUNT + at);
      const asked = async (): Promise<string> => await lookup(port, agent, point);
      const queried = async (): Promise<{ readonly tehsil: string }> =>
        await raw.one<{ tehsil: string }>(QUERY, [point.longitude, point.latitude]);
      // In turn who comes first, so that what the database has at hand helps both alike.
      const first = at % 2 === 0 ? await timed(queried, times.query) : undefined;
      const told = await timed(asked, times.ours);
      const { tehsil } = first ?? (await timed(queried, times.query));
      if (!told.includes(`"${tehsil}"`)) throw new Error(`the lookup says ${told}, the query ${tehsil}`);
    }
    // The first one warms both up.
    if (round === 0) continue;
    over.push(percentile(times.ours, 0.5) - percentile(times.query, 0.5));
    ours.push(percentile(times.ours, 0.95));
    query.push(percentile(times.query, 0.95));
  }
  agent.destroy();
  await raw.$pool.end();
  const p50 = judge({ ...shown, name: 'lookup_p50_over_query', unit: 'ms', bar: OVER_MS, ours: over });
  const peer = { name: 'pg-promise', rounds: query };
  return [p50, judge({ name: 'lookup_p95', unit: 'ms', better: 'less', bar: P95_RATIO, ours, peer })];
}

async function timed<T>(work: () => Promise<T>, into: number[]): Promise<T> {
  const start = performance.now();
  const result = await work();
  into.push(performance.now() - start);
  return result;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN;
}

const PATH = '/api/v1/get_admin_details_by_latlon/';

function queryOf({ longitude, latitude }: ReturnType<typeof pointAt>): string {
  return `${PATH}?longitude=${longitude.toFixed(6)}&latitude=${latitude.toFixed(6)}`;
}

async function lookup(port: number, agent: Agent, point: ReturnType<typeof pointAt>): Promise<string> {
  const asked = get({ host: '127.0.0.1', port, agent, path: queryOf(point), headers: { 'x-api-key': KEY } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`a lookup was answered ${answer.statusCode}`);
  return await text(answer);
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
  const request = `GET ${queryOf(pointAt(1))} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${KEY}\r\n\r\n`;
  const fire = async (duration: number): Promise<Crowd> => {
    driver.child.stdin.write(
      `${JSON.stringify({ port, request, status: 200, connections: CONNECTIONS, ms: duration })}\n`,
    );
    return JSON.parse(await driver.next()) as Crowd;
  };
  try {
    // Pools, caches and compiled code are there before the heap is looked at.
    await fire(QUICK_CROWD_MS);
    const before = await heap();
    const { perSecond, errors } = await fire(ms);
    const after = await heap();
    console.log(
      `${CONNECTIONS} connections, ${ms / 1000} s: ${perSecond.toFixed(0)} answers/s, heap ${before} -> ${after} bytes`,
    );
    return [
      judge({ ...shown, name: 'crowd_errors', unit: 'errors', bar: 0, ours: [errors] }),
      judge({ ...shown, name: 'crowd_heap', unit: 'x before', bar: HEAP_RATIO, ours: [after / before] }),
    ];
  } finally {
    driver.child.kill();
  }
}
