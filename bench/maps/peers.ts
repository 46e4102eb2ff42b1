// The peers of the map bench, installed from their registries into a cached folder.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cachedFolder } from '../../scripts/cached-folder.mjs';
import { freePort } from '../../e2e/server-process.ts';
import { startHelper } from '../helper.ts';
import { fetchBytes } from '../search/load.ts';

/** A server that was started. */
export interface Started {
  readonly base: string;
  readonly pid: number;
  readonly stop: () => void;
}

/** A database of the bench: folder of the socket, role and name. */
export interface PeerDatabase {
  readonly socket: string;
  readonly user: string;
  readonly name: string;
}

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'headwater-peers');
const VERSIONS = { martin: '1.14.0', tipg: '1.6.1', titiler: '2.4.0' } as const;
type Installed = keyof typeof VERSIONS;

function installed(name: Installed): Promise<string> {
  return cachedFolder(join(CACHE, name), VERSIONS[name], (draft) => {
    console.log(`installing ${name} ${VERSIONS[name]} into ${CACHE}`);
    const run = (program: string, ...args: readonly string[]): void =>
      void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (name === 'martin') {
      const features = ['--no-default-features', '--features', 'postgres'];
      run(
        'cargo',
        'install',
        '--quiet',
        'martin',
        '--version',
        VERSIONS.martin,
        '--locked',
        ...features,
        '--root',
        draft,
      );
      return;
    }
    run('python3', '-m', 'venv', draft);
    const packages = { tipg: `tipg==${VERSIONS.tipg}`, titiler: `titiler.core==${VERSIONS.titiler}` }[name];
    run(join(draft, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', packages, 'uvicorn');
  });
}

/**
 * Starts martin on the tables of the database, with martin's default number of connections.
 * @param cacheMb size of martin's cache of tiles; 0 disables the cache.
 */
export async function startMartin({ socket, user, name }: PeerDatabase, cacheMb: number): Promise<Started> {
  const program = join(await installed('martin'), 'bin', 'martin');
  const port = await freePort();
  const address = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(socket)}`;
  const args = ['--listen-addresses', `127.0.0.1:${port}`, '--cache-size', String(cacheMb), address];
  return await started(spawn(program, args, { stdio: OUTPUT, env: { ...process.env, RUST_LOG: 'error' } }), {
    port,
    ready: '/health',
  });
}

/** Starts tipg on the tables of the database, in one process like our service. */
export async function startTipg({ socket, user, name }: PeerDatabase): Promise<Started> {
  const env = {
    ...process.env,
    DATABASE_URL: `postgresql://${user}@${encodeURIComponent(socket)}:5432/${name}`,
    TIPG_DB_SCHEMAS: '["public"]',
  };
  return await startUvicorn('tipg', { app: 'tipg.main:app', env, ready: '/healthz' });
}

/** Starts TiTiler in one process like our service, with the settings of TiTiler's manual. */
export async function startTitiler(): Promise<Started> {
  const env = {
    ...process.env,
    PYTHONPATH: import.meta.dirname,
    PYTHONDONTWRITEBYTECODE: '1',
    GDAL_CACHEMAX: '200',
    GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
    VSI_CACHE: 'TRUE',
  };
  return await startUvicorn('titiler', { app: 'titiler_app:app', env, ready: '/openapi.json' });
}

/** Starts @fastify/static on a folder. */
export async function startStatic(folder: string): Promise<Started> {
  const { child, next } = startHelper('maps/static.ts', [folder]);
  const { port } = JSON.parse(await next()) as { readonly port: number };
  return { base: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill() };
}

const OUTPUT: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];

async function startUvicorn(
  peer: Installed,
  { app, env, ready }: { readonly app: string; readonly env: NodeJS.ProcessEnv; readonly ready: string },
): Promise<Started> {
  const python = join(await installed(peer), 'bin', 'python');
  const port = await freePort();
  const args = ['-m', 'uvicorn', app, '--host', '127.0.0.1', '--port', String(port), '--log-level', 'warning'];
  return await started(spawn(python, args, { stdio: OUTPUT, env }), { port, ready });
}

async function started(
  child: ChildProcess,
  { port, ready }: { readonly port: number; readonly ready: string },
): Promise<Started> {
  const base = `http://127.0.0.1:${port}`;
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  for (let left = 300; ; left--) {
    try {
      await fetchBytes(undefined, `${base}${ready}`);
      return { base, pid: child.pid ?? 0, stop: () => void child.kill() };
    } catch (error) {
      if (failure !== undefined) throw failure;
      if (left > 0 && child.exitCode === null) {
        await new Promise((settle) => setTimeout(settle, 200));
        continue;
      }
      child.kill();
      throw error;
    }
  }
}
