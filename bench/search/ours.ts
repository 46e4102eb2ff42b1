import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Database, migrate, openDatabase, parseConnection } from '@headwater/postgres';
import { benchItem, COLLECTION, COLLECTION_PATH } from './items.ts';

const RUN = 'bench';
/**
 * Number of portions in which the Items are loaded. The service updates each Item once, which leaves old
 * index entries. A vacuum after each portion removes these entries.
 */
const PORTIONS = 10;

/**
 * Fills the tables with COPY, and lets a service store the response texts. PostgreSQL must be able to read `folder`.
 */
export async function fillOurs(address: string, folder: string, count: number): Promise<Database> {
  const database = openDatabase(parseConnection(address), { queryTimeoutMs: 3_600_000 });
  await database.script('create extension if not exists postgis');
  await migrate(database);
  await database.run('insert into headwater.collection_names (id, path) values ($1, $2), ($3, $4), ($5, $6)', [
    'bench',
    'bench',
    'bench_search',
    'bench/search',
    COLLECTION,
    COLLECTION_PATH,
  ]);
  await database.run(
    'insert into headwater.collections (path, parent, items) values ($1, $2, 0), ($3, $1, 0), ($4, $3, $5::int)',
    ['bench', '', 'bench/search', COLLECTION_PATH, count],
  );
  const file = join(folder, 'items.csv');
  for (let portion = 0; portion < PORTIONS; portion++) {
    const first = Math.floor((count * portion) / PORTIONS);
    const next = Math.floor((count * (portion + 1)) / PORTIONS);
    await writeLines(file, next - first, (index) => itemLine(first + index));
    await database.script(`copy headwater.items (collection_path, id, version, run_id, content, geometry, start_datetime, end_datetime)
      from ${literal(file)} (format csv)`);
    await ended((await startOurs(address)).child);
    await database.script('vacuum headwater.items');
  }
  return database;
}

function itemLine(index: number): string {
  const { id, text, ring, start, end } = benchItem(index);
  const shape = `SRID=4326;POLYGON((${ring.map((position) => position.join(' ')).join(',')}))`;
  return [COLLECTION_PATH, id, '1', RUN, text, shape, start, end].map(quoted).join(',');
}

/** Starts the service; resolves when the response texts of all Items are stored. */
export async function startOurs(address: string): Promise<{ readonly base: string; readonly child: ChildProcess }> {
  const script = join(import.meta.dirname, 'server.ts');
  const child = spawn(process.execPath, ['--conditions=@headwater/source', script, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const line = await new Promise((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`our server ended with ${String(code)} before it listened`)));
  });
  const { port } = JSON.parse(String(line)) as { readonly port: number };
  return { base: `http://127.0.0.1:${port}/api/v1/stac-api`, child };
}

/** Stops a server and waits for its end, so that its connections are closed. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

/** Writes a file of lines that all users may read, because PostgreSQL may run as another user. */
export async function writeLines(file: string, count: number, line: (index: number) => string): Promise<void> {
  const stream = createWriteStream(file);
  for (let index = 0; index < count; index++) if (!stream.write(`${line(index)}\n`)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'close');
  await chmod(file, 0o644);
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
