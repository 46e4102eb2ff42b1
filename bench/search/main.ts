// npm run bench:search [-- --items 100000,1000000 --rounds 9 --seconds 1 --alone]: compares our STAC API with
// stac-fastapi-pgstac. `--alone` skips the peer.
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, openDatabase, parseConnection } from '@headwater/postgres';
import { type Cluster, findPostgres } from '../../scripts/postgres-cluster.mjs';
import { fetchText, measure, type Measured, quantile } from './load.ts';
import { ended, fillOurs, startOurs } from './ours.ts';
import { fillPeer, installPeer, startPeer } from './peer.ts';
import { queries, type Query } from './queries.ts';
import { type Row, verdicts } from './verdict.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    alone: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
/** Numbers of requests in a round. Rounds are short, so that the speed of the machine is about equal for both sides. */
const COUNT = { ours: 70, peer: 20 };

interface Sides {
  readonly items: number;
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
const table = verdicts(await compare(values.items.split(',').map(Number)));
console.log('');
for (const { name, value, bar, pass } of table)
  console.log(`${pass ? 'pass' : 'FAIL'}  ${value.padStart(10)}  (${bar})  ${name}`);
console.log(
  `load ${loadavg()[0]?.toFixed(1)} at the end; ${table.filter(({ pass }) => !pass).length} of ${table.length} bars missed`,
);

async function compare(sizes: readonly number[]): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-search-'));
  await chmod(folder, 0o755);
  const cluster = make?.();
  if (cluster === undefined) return [];
  const stops: (() => unknown)[] = [];
  try {
    await setSharedBuffers(cluster);
    const all: Sides[] = [];
    for (const items of sizes) all.push(await started({ cluster, folder, stops }, items));
    return await measured(all);
  } finally {
    for (const stop of stops.reverse()) await stop();
    cluster.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Environment {
  readonly cluster: Cluster;
  readonly folder: string;
  /** Cleanup functions, called in reverse order. */
  readonly stops: (() => unknown)[];
}

async function started({ cluster, folder, stops }: Environment, items: number): Promise<Sides> {
  const createDatabase = async (name: string): Promise<string> => {
    const session = openDatabase(parseConnection(cluster.address));
    await session.script(`create database ${name}`);
    await session.close();
    return cluster.address.replace('/postgres?', `/${name}?`);
  };
  const size = `${items.toLocaleString('en')} Items`;
  const address = await createDatabase(`ours${items}`);
  const database = await timed(`our tables of ${size}, with stored response texts`, () =>
    fillOurs(address, folder, items),
  );
  stops.push(() => database.close());
  const ours = await startOurs(address);
  stops.push(() => ended(ours.child));
  await database.script('vacuum analyze headwater.items');
  if (values.alone) return { items, database, ours: ours.base, peer: undefined };
  const name = `peer${items}`;
  const inPeer = openDatabase(parseConnection(await createDatabase(name)));
  await inPeer.script('create extension postgis');
  const place = { socket: cluster.folder, user: cluster.role, name };
  await timed(`the peer's tables of ${size}`, () => fillPeer(place, folder, items));
  await inPeer.script('vacuum analyze');
  await inPeer.close();
  const peer = await startPeer(place);
  stops.push(() => ended(peer.child));
  return { items, database, ours: ours.base, peer: peer.base };
}

/** Sets `shared_buffers` to a quarter of the memory, as PostgreSQL's manual advises, and restarts the cluster. */
async function setSharedBuffers(cluster: Cluster): Promise<void> {
  const session = openDatabase(parseConnection(cluster.address));
  await session.script(`alter system set shared_buffers = '${Math.floor(totalmem() / 4 / 2 ** 20)}MB'`);
  await session.close();
  cluster.stop();
  cluster.start();
}

interface Contest extends Sides {
  readonly query: Query;
  readonly here: Measured[];
  readonly there: Measured[];
  readonly sql: number[];
}

async function measured(all: readonly Sides[]): Promise<readonly Row[]> {
  const contests = all.flatMap((sides) =>
    queries(sides.items).map((query): Contest => ({ ...sides, query, here: [], there: [], sql: [] })),
  );
  for (const name of new Set(contests.map(({ query }) => query.name))) {
    const sizes = contests.filter(({ query }) => query.name === name);
    for (const { query, ours, peer } of sizes) {
      if (peer !== undefined) await sameAnswers(query, ours, peer);
      await measure(ours, query.paths, { count: 20, seconds: 0.5 });
    }
    for (let round = 0; round < rounds; round++) for (const size of sizes) await oneRound(size);
    for (const size of sizes) console.log(describedRow(rowOf(size)));
  }
  return contests.map(rowOf);
}

async function oneRound({ query, ours, peer, database, here, there, sql }: Contest): Promise<void> {
  const plain = query.sql;
  const afterEach =
    plain === undefined
      ? undefined
      : async (at: number): Promise<void> => {
          const start = performance.now();
          await database.rows(plain.text, plain.values[at % plain.values.length] ?? []);
          sql.push(performance.now() - start);
        };
  here.push(await measure(ours, query.paths, { count: COUNT.ours, seconds, afterEach }));
  if (peer !== undefined) there.push(await measure(peer, query.paths, { count: COUNT.peer, seconds }));
}

function rowOf({ query, items, here, there, sql }: Contest): Row {
  return {
    query,
    items,
    ours: medians(here),
    ...(there.length === 0 ? {} : { peer: medians(there) }),
    ...(sql.length === 0 ? {} : { sqlP50: quantile(sql, 0.5) }),
  };
}

function describedRow({ query, items, ours, peer, sqlP50 }: Row): string {
  const theirs = peer === undefined ? '' : ` | peer ${described(peer)}`;
  const plain = sqlP50 === undefined ? '' : ` | plain SQL p50 ${sqlP50.toFixed(2)} ms`;
  return `${items.toLocaleString('en')} Items, ${query.name}: ours ${described(ours)}${theirs}${plain}`;
}

async function sameAnswers({ name, paths }: Query, ours: string, peer: string): Promise<void> {
  for (const path of paths.slice(0, 20)) {
    const [here, there] = await Promise.all(
      [ours, peer].map(async (base) => idsOf(await fetchText(undefined, `${base}${path}`))),
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

function medians(rounds: readonly Measured[]): Measured {
  const of = (figure: keyof Measured): number =>
    quantile(
      rounds.map((round) => round[figure]),
      0.5,
    );
  return { p50: of('p50'), p95: of('p95'), perSecond: of('perSecond') };
}

function described({ p50, p95, perSecond }: Measured): string {
  return `p50 ${p50.toFixed(2)}, p95 ${p95.toFixed(2)} ms, ${perSecond.toFixed(0)} requests/s`;
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
