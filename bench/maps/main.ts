// npm run bench:maps [-- --only NAME,... --rounds 7 --seconds 15 --json FILE --strict --quick]: compares the map server
// with martin, tipg, TiTiler, PostGIS and @fastify/static.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, openDatabase, parseConnection } from '@headwater/postgres';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { startHelper } from '../helper.ts';
import { isWanted } from '../options.ts';
import { type BenchResult, formatTable, jsonRows } from '../table.ts';
import { type Bench, ROWS } from './rows.ts';
import type { PeerDatabase, Started } from './peers.ts';
import { fillTables, watersheds, writeClasses, writeFeatures } from './world.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'string' },
    strict: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 1 : 7));
const seconds = Number(values.seconds ?? (values.quick ? 2 : 15));
const only = values.only.split(',').filter((part) => part !== '');

const { make, missing } = findPostgres();
if (make === undefined) throw new Error(missing);
const [cpu] = cpus();
console.log(`machine: ${cpu?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} before`);
const folder = await mkdtemp(join(tmpdir(), 'headwater-maps-'));
await chmod(folder, 0o755);
const cluster = make();
const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true }), () => cluster.remove()];
const results: BenchResult[] = [];
const absent: string[] = [];
try {
  const bench = await prepared();
  for (const row of ROWS.filter(({ names }) => names.some((name) => isWanted(name, { only })))) {
    try {
      const found = await row.run(bench);
      console.log(found.map(lineOf).join('\n'));
      results.push(...found);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      absent.push(...row.names);
      console.log(`${row.names.join(', ')} skipped: ${reason}`);
    }
  }
} finally {
  for (const stop of stops.toReversed()) await stop();
}
console.log(`\n${formatTable(results)}`);
const missed = results.filter(({ pass }) => pass === false);
console.log(`load ${loadavg()[0]?.toFixed(1)} after; ${missed.length} of ${results.length} bars missed`);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(jsonRows(results), undefined, 2)}\n`);
if (values.strict && (missed.length > 0 || absent.length > 0)) {
  console.error(
    `missed: ${[...missed.map(({ name }) => name), ...absent.map((name) => `${name} (skipped)`)].join(', ')}`,
  );
  process.exitCode = 1;
}

function lineOf({ name, ratio, ours, unit, bar, ceiling, pass }: BenchResult): string {
  const value = ratio === null || ceiling ? `${ours.toFixed(2)} ${unit}` : `${ratio.toFixed(2)} x`;
  const limit = bar === null ? 'no bar' : `${ceiling ? '<=' : '>='} ${bar}`;
  return `${pass === false ? 'FAIL' : 'pass'}  ${value.padStart(14)}  (${limit})  ${name}`;
}

async function prepared(): Promise<Bench> {
  const features = watersheds();
  await writeFeatures(join(folder, 'mws.geojson'), features);
  await writeClasses(join(folder, 'classes.tif'));
  const peer = await databaseOf('peer');
  await fillTables(peer.database, features);
  const ours = await databaseOf('ours');
  await ours.database.script('create extension postgis');
  const started = await startOurs(ours.address);
  stops.push(started.stop);
  return {
    rounds,
    seconds,
    folder,
    ours: started,
    database: peer.database,
    peerDatabase: peer.place,
    stops,
  };
}

async function databaseOf(
  name: string,
): Promise<{ readonly database: Database; readonly address: string; readonly place: PeerDatabase }> {
  const session = openDatabase(parseConnection(cluster.address));
  await session.script(`create database ${name}`);
  await session.close();
  const address = cluster.address.replace('/postgres?', `/${name}?`);
  const database = openDatabase(parseConnection(address), { queryTimeoutMs: 600_000 });
  stops.push(() => database.close());
  return { database, address, place: { socket: cluster.folder, user: cluster.role, name } };
}

async function startOurs(address: string): Promise<Started> {
  const { child, next } = startHelper('maps/server.ts', [address, folder, String(rounds + 2)]);
  const { port, pid } = JSON.parse(await next()) as { readonly port: number; readonly pid: number };
  return { base: `http://127.0.0.1:${port}/geoserver`, pid, stop: () => void child.kill() };
}
