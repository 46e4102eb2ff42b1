// The peer stac-fastapi-pgstac, installed from PyPI in a separate Python environment.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fetchText } from './load.ts';
import { benchItem, COLLECTION } from './items.ts';
import { writeLines } from './ours.ts';

const FOLDER = resolve(import.meta.dirname, '..', '..', '.peers-search');
const PACKAGES = ['stac-fastapi-pgstac==7.2.0', 'pypgstac[psycopg]==0.10.0', 'uvicorn'];

/** Connection of the peer's database. */
export interface PeerDatabase {
  /** Folder of PostgreSQL's socket. */
  readonly socket: string;
  readonly user: string;
  readonly name: string;
}

/** Installs the peer's environment if it is missing. */
export function installPeer(): void {
  if (existsSync(join(FOLDER, 'bin', 'pypgstac'))) return;
  execFileSync('python3', ['-m', 'venv', FOLDER], { stdio: 'inherit' });
  execFileSync(join(FOLDER, 'bin', 'pip'), ['install', '--quiet', ...PACKAGES], { stdio: 'inherit' });
}

/** Creates the tables of pgstac, and loads the Items with pgstac's loader. */
export async function fillPeer(database: PeerDatabase, folder: string, count: number): Promise<void> {
  const run = (...args: readonly string[]): void => {
    execFileSync(join(FOLDER, 'bin', 'pypgstac'), args, {
      env: environment(database, database.socket),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  run('migrate');
  const collection = join(folder, 'collection.json');
  await writeFile(collection, JSON.stringify(peerCollection()));
  run('load', 'collections', collection, '--method', 'insert');
  const items = join(folder, 'items.ndjson');
  await writeLines(items, count, (index) => benchItem(index).text);
  run('load', 'items', items, '--method', 'insert');
}

/** Starts the peer with one process, because our service also has one. */
export async function startPeer(
  database: PeerDatabase,
): Promise<{ readonly base: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const args = [
    'stac_fastapi.pgstac.app:create_app',
    '--factory',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--log-level',
    'warning',
  ];
  const env = {
    ...environment(database, encodeURIComponent(database.socket)),
    DB_MAX_CONN_SIZE: '10',
    STAC_FASTAPI_TITLE: 'peer',
    STAC_FASTAPI_DESCRIPTION: 'peer',
    STAC_FASTAPI_LANDING_ID: 'peer',
    STAC_FASTAPI_VERSION: '1',
  };
  const child = spawn(join(FOLDER, 'bin', 'uvicorn'), args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const base = `http://127.0.0.1:${port}`;
  for (let left = 600; ; left--) {
    try {
      await fetchText(undefined, `${base}/_mgmt/ping`);
      return { base, child };
    } catch (error) {
      if (left === 0 || child.exitCode !== null) throw error;
      await new Promise((settle) => setTimeout(settle, 200));
    }
  }
}

function environment({ user, name }: PeerDatabase, host: string): NodeJS.ProcessEnv {
  return { ...process.env, PGHOST: host, PGPORT: '5432', PGUSER: user, PGPASSWORD: 'none', PGDATABASE: name };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

function peerCollection(): object {
  return {
    type: 'Collection',
    stac_version: '1.1.0',
    id: COLLECTION,
    description: 'Items of the search bench',
    license: 'other',
    links: [],
    extent: { spatial: { bbox: [[60, 0, 101, 41]] }, temporal: { interval: [['2014-01-01T00:00:00Z', null]] } },
  };
}
