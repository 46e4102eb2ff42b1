import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LonLat, PlaceLookups } from '@headwater/core/ports';
import { openDatabase, parseConnection, storesOver } from '@headwater/postgres';
import pgPromise from 'pg-promise';
import { KEY } from '../routes/public-data.ts';
import { judge, type BenchResult } from '../table.ts';
import { pointAt } from './grid.ts';

/** Largest allowed difference of two median times, ms: a lookup over HTTP minus the SQL query. */
const OVER_MS = 1;
/** Lowest allowed ratio: 95th percentile of the SQL query divided by the 95th percentile of the lookup. */
const P95_RATIO = 0.67;
const COUNT = 500;

/** Names of the result rows of the comparison. */
export const LOOKUP_ROWS = ['lookup_p50_over_query', 'lookup_p95', 'lookup_mws_p95', 'lookup_http_p95'] as const;

const POINT = 'ST_SetSRID(ST_MakePoint($1, $2), 4326)';
const QUERY = `select s.name as state, d.name as district, t.name as tehsil from headwater.tehsils t
  join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id
  where ST_Covers(t.geometry, ${POINT}) order by s.slug, d.slug, t.slug limit 1`;
const MWS_QUERY = `select uid from headwater.mws where ST_Covers(geometry, ${POINT}) order by uid limit 1`;

const SIDES = ['http', 'store', 'query', 'mwsStore', 'mwsQuery'] as const;
type Side = (typeof SIDES)[number];
type Methods = Readonly<Record<Side, () => Promise<string>>>;

/** The database, and the port of the server that uses it. */
export interface LookupPlaces {
  readonly address: string;
  readonly port: number;
}

/** Measures sequential lookups by every method. */
export async function compareLookups({ address, port }: LookupPlaces, rounds: number): Promise<BenchResult[]> {
  const raw = pgPromise({ noWarnings: true })(address);
  const stores = storesOver(openDatabase(parseConnection(address)));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { lookups } = stores;
  const measured: Readonly<Record<Side, number[]>>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const times = { http: [], store: [], query: [], mwsStore: [], mwsQuery: [] } satisfies Record<Side, number[]>;
    for (let at = 0; at < COUNT; at += 1) {
      const point = pointAt(round * COUNT + at);
      // The first method for a point is slower, because it fills the caches. So the first method changes from point to
      // point.
      await lookUpByAll(await methodsFor(point, { raw, lookups, port, agent }), times, at % SIDES.length);
    }
    if (round > 0) measured.push(times);
  }
  agent.destroy();
  await stores.close();
  await raw.$pool.end();
  return judged((side, share) => measured.map((times) => percentile(times[side], share)));
}

function judged(of: (side: Side, share: number) => number[]): BenchResult[] {
  const [http, query] = [of('http', 0.5), of('query', 0.5)];
  const over = http.map((ms, round) => ms - (query[round] ?? Number.NaN));
  const p95 = (name: string, bar: number | null, [side, against]: readonly [Side, Side]): BenchResult => {
    const peer = { name: 'pg-promise', rounds: of(against, 0.95) };
    return judge({ name, unit: 'ms', better: 'less', bar, ours: of(side, 0.95), peer });
  };
  const beyond = { unit: 'ms', better: 'less', ceiling: true, peer: undefined } as const;
  return [
    judge({ ...beyond, name: 'lookup_p50_over_query', bar: OVER_MS, ours: over }),
    p95('lookup_p95', P95_RATIO, ['store', 'query']),
    p95('lookup_mws_p95', P95_RATIO, ['mwsStore', 'mwsQuery']),
    p95('lookup_http_p95', null, ['http', 'query']),
  ];
}

interface Parties {
  readonly raw: { one<T>(text: string, values: readonly number[]): Promise<T> };
  readonly lookups: PlaceLookups;
  readonly port: number;
  readonly agent: Agent;
}

async function methodsFor(point: LonLat, { raw, lookups, port, agent }: Parties): Promise<Methods> {
  const values = [point.longitude, point.latitude];
  const { tehsilId = 0 } = (await lookups.tehsilAt(point)) ?? {};
  return {
    http: async () => (JSON.parse(await lookup(port, agent, point)) as { readonly Tehsil: string }).Tehsil,
    store: async () => (await lookups.tehsilAt(point))?.tehsil ?? '',
    query: async () => (await raw.one<{ tehsil: string }>(QUERY, values)).tehsil,
    mwsStore: async () => (await lookups.mwsAt(tehsilId, point)) ?? '',
    mwsQuery: async () => (await raw.one<{ uid: string }>(MWS_QUERY, values)).uid,
  };
}

async function lookUpByAll(methods: Methods, times: Readonly<Record<Side, number[]>>, first: number): Promise<void> {
  const results = new Map<Side, string>();
  for (const side of [...SIDES.slice(first), ...SIDES.slice(0, first)]) {
    const start = performance.now();
    results.set(side, await methods[side]());
    times[side].push(performance.now() - start);
  }
  for (const [one, other] of [
    ['http', 'query'],
    ['store', 'query'],
    ['mwsStore', 'mwsQuery'],
  ] as const) {
    if (results.get(one) !== results.get(other))
      throw new Error(`${one} found ${results.get(one)}, but ${other} found ${results.get(other)}`);
  }
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN;
}

const PATH = '/api/v1/get_admin_details_by_latlon/';

/** Returns path and query of the request for the tehsil at a point. */
export function addressOf({ longitude, latitude }: LonLat): string {
  return `${PATH}?longitude=${longitude.toFixed(6)}&latitude=${latitude.toFixed(6)}`;
}

async function lookup(port: number, agent: Agent, point: LonLat): Promise<string> {
  const request = get({ host: '127.0.0.1', port, agent, path: addressOf(point), headers: { 'x-api-key': KEY } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`a lookup got status ${answer.statusCode}`);
  return await text(answer);
}
