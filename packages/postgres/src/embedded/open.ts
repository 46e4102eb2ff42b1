import { DomainError, isDomainError } from '@headwater/core';
import { workerUrl } from '@headwater/net/files';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { ownFlags, type FromWorker, type ToWorker, type WorkerSettings } from './entry.ts';
import { isFolderHeld, type FolderLock, lastHolderLife, lockFolder } from './folder-lock.ts';
import { ensureFiles } from './make-files.ts';

interface SocketFolder {
  readonly path: string;
  remove(): void;
}

/** Number in the socket's name. No network port is opened. */
const SOCKET_PORT = 5432;

const NOTE_FILE = 'socket-folder';

/** Maximum length of a socket's address, bytes. Linux allows 108, macOS 104, with the closing zero. */
const MAX_ADDRESS = 103;

function socketAddress(folder: string): string {
  return join(folder, `.s.PGSQL.${SOCKET_PORT}`);
}

/** Creates the folder of the socket. Mode 0700 excludes other users, because PGlite has no passwords. */
function openSocketFolder(dataDir: string): SocketFolder {
  const inside = join(dataDir, 'socket');
  const fits = Buffer.byteLength(socketAddress(inside)) <= MAX_ADDRESS;
  const path = fits ? inside : mkdtempSync(join(tmpdir(), 'headwater-'));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  // This process holds the lock of the folder, so an existing socket is of a killed process.
  rmSync(socketAddress(path), { force: true });
  const note = join(dataDir, NOTE_FILE);
  writeFileSync(note, path, { mode: 0o600 });
  const remove = (): void => {
    rmSync(note, { force: true });
    rmSync(path, { recursive: true, force: true });
  };
  return { path, remove };
}

function notedSocketFolder(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, NOTE_FILE), 'utf8');
  } catch {
    return undefined;
  }
}

/** A running embedded database. */
export interface EmbeddedDatabase {
  /** Unix socket that only this user can access. */
  readonly connection: Connection;
  /** Resolves when the database has stopped: with `undefined` after `close`, otherwise with the reason. */
  readonly stopped: Promise<Error | undefined>;
  /** Disconnects clients, writes all data and releases the folder within about 3 s. May be called twice. */
  close(): Promise<void>;
}

/** Options of the embedded database. */
export interface EmbeddedOptions {
  /** Folder that contains only the database. A missing folder is created with mode 0700. */
  readonly dataDir: string;
  /** Called before the files of a new database are created, which takes seconds. */
  readonly onMaking?: (() => void) | undefined;
  /** Called before a large table is compacted, which takes seconds. */
  readonly onCompacting?: ((freeBytes: number) => void) | undefined;
}

/** Time after which a close stops the thread, ms. The write-ahead log protects the files. */
const CLOSE_MS = 3000;

/**
 * Opens PGlite with PostGIS in a worker thread, behind a Unix socket; takes 3 to 10 s. @throws DomainError
 * `unavailable` if another process has locked the folder, the files cannot be opened, or on Windows.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new DomainError(
      'unavailable',
      'The embedded database needs Unix sockets: on Windows use a PostgreSQL with PostGIS instead',
    );
  }
  const dataDir = resolve(options.dataDir);
  const cleanUp: (() => void)[] = [];
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    cleanUp.push((await awaitFolder(dataDir)).release);
    const pgdata = join(dataDir, 'pgdata');
    await ensureFiles(pgdata, options.onMaking);
    chmodSync(pgdata, 0o700);
    const folder = openSocketFolder(dataDir);
    cleanUp.unshift(folder.remove);
    const worker = startWorker({ dataDir: pgdata, socket: socketAddress(folder.path) });
    await ready(worker, options.onCompacting);
    return running(worker, { host: folder.path, cleanUp });
  } catch (error) {
    for (const step of cleanUp) step();
    throw isDomainError(error) ? error : cannotOpen(dataDir, error);
  }
}

/** Connection to the embedded database that another process has opened. Undefined if the database is not open. */
export function runningEmbedded(options: EmbeddedOptions): Connection | undefined {
  const dataDir = resolve(options.dataDir);
  const folder = isFolderHeld(dataDir) ? notedSocketFolder(dataDir) : undefined;
  return folder === undefined ? undefined : connectionTo(folder);
}

function connectionTo(host: string): Connection {
  return { host, port: SOCKET_PORT, database: 'postgres', user: 'postgres', embedded: true };
}

function startWorker(settings: WorkerSettings): Worker {
  // With the default of 16 MB or more, the thread would hold much unused memory.
  const resourceLimits = { maxYoungGenerationSizeMb: 8 };
  return new Worker(workerUrl('./worker', import.meta.url, '@headwater/postgres'), {
    workerData: settings,
    resourceLimits,
    execArgv: ownFlags(),
    name: 'headwater-database',
  });
}

async function ready(worker: Worker, onCompacting: EmbeddedOptions['onCompacting']): Promise<void> {
  const failure = await new Promise<Error | undefined>((settle) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'compacting') onCompacting?.(message.freeBytes);
      else settle(undefined);
    });
    worker.once('error', (error) => settle(toError(error)));
    worker.once('exit', (code) => settle(new Error(`its thread ended with code ${code}`)));
  });
  if (failure === undefined) return;
  await worker.terminate();
  throw failure;
}

function cannotOpen(dataDir: string, cause: unknown): DomainError {
  const remedy =
    'Check that the folder is writable and the disk not full; if its files are damaged, restore a backup or move the folder away to start empty.';
  const message = `The embedded database in ${dataDir} cannot be opened (${toError(cause).message}). ${remedy}`;
  return new DomainError('unavailable', message, { cause });
}

function running(
  worker: Worker,
  { host, cleanUp }: { host: string; cleanUp: readonly (() => void)[] },
): EmbeddedDatabase {
  let closing: Promise<void> | undefined;
  let failure: Error | undefined;
  worker.on('error', (error) => {
    failure = toError(error);
  });
  const stopped = new Promise<Error | undefined>((settle) => {
    worker.once('exit', (code) => {
      for (const step of cleanUp) step();
      const died = failure ?? new Error(`the embedded database's thread ended with code ${code}`);
      settle(closing === undefined ? died : undefined);
    });
  });
  return {
    connection: connectionTo(host),
    stopped,
    close: async () => {
      closing ??= stop(worker);
      await closing;
      await stopped;
    },
  };
}

async function stop(worker: Worker): Promise<void> {
  const closed = new Promise<void>((settle) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'closed') settle();
    });
    worker.once('exit', () => settle());
    setTimeout(settle, CLOSE_MS).unref();
  });
  const order: ToWorker = { kind: 'close' };
  worker.postMessage(order, []);
  await closed;
  await worker.terminate();
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Maximum wait for a killed process, ms. A killed process exists until the system has freed its memory. */
const DYING_MS = 10_000;
/** Maximum wait on a system without /proc, ms. */
const UNKNOWN_MS = 2000;
const POLL_MS = 50;

/**
 * Locks a folder like `lockFolder`, but first waits for the end of a killed holder. @throws DomainError `unavailable`
 * if a living process holds the folder.
 */
export async function awaitFolder(folder: string): Promise<FolderLock> {
  const began = performance.now();
  for (;;) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (performance.now() - began > waitLimitMs(folder)) throw error;
    }
    await pause(POLL_MS);
  }
}

function waitLimitMs(folder: string): number {
  const life = lastHolderLife(folder);
  if (life === 'alive' || life === undefined) return 0;
  return life === 'unknown' ? UNKNOWN_MS : DYING_MS;
}
