// npm run bench:search [-- --items 100000,1000000 --rounds 3 --seconds 3 --alone]: our STAC API against stac-fastapi-pgstac, on the same Items
// in the same PostgreSQL + PostGIS in the same run, in turns. `--alone` leaves the peer out.
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, openDatabase, parseConnection } from '@headwater/postgres';
import { type Cluster, findPostgres } from '../../scripts/postgres-cluster.mjs';
import { ask, measure, type Measured, quantile } from './load.ts';
import { ended, fillOurs, startOurs } from './ours.ts';
import { fillPeer, installPeer, startPeer } from './peer.ts';
import { queries, type Query } from './queries.ts';
import { type Row, verdicts } from './verdict.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    alone: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
/** Requests of a round that are asked one after the other. */
const COUNT = { ours: 200, peer: 60, sql: 200 };

interface Sides {
  readonly database: Database;
  readonly ours: string;
  readonly peer: string | undefined;
}

const { make, missing } = findPostgres();
if (make === undefined) throw new Error(missing);
if (!values.alone) installPeer();
console.log(
  `machine: ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} before the start`,
);
const rows: Row[] = [];
for (const size of values.items.split(',').map(Number)) rows.push(...(await compare(size)));
const table = verdicts(rows);
console.log('');
for (const { name, value, bar, pass } of table)
  console.log(`${pass ? 'pass' : 'FAIL'}  ${value.padStart(10)}  (${bar})  ${name}`);
console.log(
  `load ${loadavg()[0]?.toFixed(1)} at the end; ${table.filter(({ pass }) => !pass).length} of ${table.length} bars missed`,
);

/** Both sides over one number of Items. */
async function compare(size: number): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-search-'));
  await chmod(folder, 0o755);
  const cluster = make?.();
  if (cluster === undefined) return [];
  const stops: (() => unknown)[] = [];
  try {
    await giveMemory(cluster);
    const database = await timed('our tables, and texts as they are sent', () =>
      fillOurs(cluster.address, folder, size),
    );
    stops.push(() => database.close());
    const ours = await timed('our service', () => startOurs(cluster.address));
    stops.push(() => ended(ours.child));
    let peer: string | undefined;
    if (!values.alone) {
      await database.script('create database peer');
      const place = { socket: cluster.folder, user: cluster.role, name: 'peer' };
      const inPeer = openDatabase(parseConnection(cluster.address.replace('/postgres?', '/peer?')));
      await inPeer.script('create extension postgis');
      await timed("the peer's tables", () => fillPeer(place, folder, size));
      await inPeer.script('vacuum analyze');
      await inPeer.close();
      const started = await startPeer(place);
      stops.push(() => ended(started.child));
      peer = started.base;
    }
    await database.script('vacuum analyze headwater.items');
    const found: Row[] = [];
    for (const query of queries(size)) found.push(await measured(query, size, { database, ours: ours.base, peer }));
    return found;
  } finally {
    for (const stop of stops.reverse()) await stop();
    cluster.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A quarter of the machine's memory for the database's buffers, as PostgreSQL's manual advises: its default of 128 MB holds neither side's rows. */
async function giveMemory(cluster: Cluster): Promise<void> {
  const session = openDatabase(parseConnection(cluster.address));
  await session.script(`alter system set shared_buffers = '${Math.floor(totalmem() / 4 / 2 ** 20)}MB'`);
  await session.close();
  cluster.stop();
  cluster.start();
}

/** Rounds in turns; of each figure the median of the rounds. */
async function measured(query: Query, items: number, { database, ours, peer }: Sides): Promise<Row> {
  if (peer !== undefined) await sameAnswers(query, ours, peer);
  const [here, there, sql]: [Measured[], Measured[], number[]] = [[], [], []];
  await measure(ours, query.paths, { count: 20, seconds: 0.5 });
  for (let round = 0; round < rounds; round++) {
    here.push(await measure(ours, query.paths, { count: COUNT.ours, seconds }));
    if (peer !== undefined) there.push(await measure(peer, query.paths, { count: COUNT.peer, seconds }));
    if (query.sql !== undefined) sql.push(await plainSql(database, query.sql));
  }
  const row: Row = {
    query,
    items,
    ours: medians(here),
    ...(peer === undefined ? {} : { peer: medians(there) }),
    ...(sql.length === 0 ? {} : { sqlP50: quantile(sql, 0.5) }),
  };
  console.log(
    `${items.toLocaleString('en')} Items, ${query.name}: ours ${told(row.ours)}${row.peer === undefined ? '' : ` | peer ${told(row.peer)}`}${row.sqlP50 === undefined ? '' : ` | plain SQL p50 ${row.sqlP50.toFixed(2)} ms`}`,
  );
  return row;
}

/** Both sides find the same Items in the same order, or the comparison is worth nothing. */
async function sameAnswers({ name, paths }: Query, ours: string, peer: string): Promise<void> {
  for (const path of paths.slice(0, 20)) {
    const [here, there] = await Promise.all(
      [ours, peer].map(async (base) => idsOf(await ask(undefined, `${base}${path}`))),
    );
    if (here !== there) throw new Error(`${name}: the sides find different Items for ${path}: ${here} and ${there}`);
  }
}

function idsOf(text: string): string {
  const { id, features } = JSON.parse(text) as {
    readonly id?: string;
    readonly features?: readonly { readonly id: string }[];
  };
  return features === undefined ? (id ?? '') : features.map((feature) => feature.id).join(' ');
}

async function plainSql(database: Database, { text, values: all }: NonNullable<Query['sql']>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < COUNT.sql; at++) {
    const start = performance.now();
    await database.rows(text, all[at % all.length] ?? []);
    times.push(performance.now() - start);
  }
  return quantile(times, 0.5);
}

function medians(rounds: readonly Measured[]): Measured {
  const of = (figure: keyof Measured): number =>
    quantile(
      rounds.map((round) => round[figure]),
      0.5,
    );
  return { p50: of('p50'), p95: of('p95'), perSecond: of('perSecond') };
}

function told({ p50, p95, perSecond }: Measured): string {
  return `p50 ${p50.toFixed(2)}, p95 ${p95.toFixed(2)} ms, ${perSecond.toFixed(0)} requests/s`;
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
