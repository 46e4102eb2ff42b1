import { DomainError, isDomainError } from '@headwater/core';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Connection } from '../connection.ts';
import { entry, ownFlags } from './entry.ts';
import { isFolderHeld } from './folder-lock.ts';
import { ensureFiles } from './make-files.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts';
import { takeFolder } from './take-folder.ts';

/** A folder that only this user can enter, for the socket. */
interface SocketFolder {
  readonly path: string;
  remove(): void;
}

/** Port in the socket's name; nothing listens on a network port. */
const SOCKET_PORT = 5432;

/** File in the data folder that tells commands beside a running service where its socket is. */
const NOTE = 'socket-folder';

/** Longest address of a Unix socket, bytes (108 on Linux, 104 on macOS, with the closing zero). */
const MAX_ADDRESS = 103;

/** Address that node-postgres derives from host and port. */
function socketAddress(folder: string): string {
  return join(folder, `.s.PGSQL.${SOCKET_PORT}`);
}

/**
 * Folder for the socket: inside the data folder, or a private temporary one when that path is too long for a socket.
 * PGlite asks nobody for a password, so the folder's mode 0700 is what keeps other users of the machine out.
 */
function openSocketFolder(dataDir: string): SocketFolder {
  const inside = join(dataDir, 'socket');
  const fits = Buffer.byteLength(socketAddress(inside)) <= MAX_ADDRESS;
  const path = fits ? inside : mkdtempSync(join(tmpdir(), 'headwater-'));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  // What a killed process left; the folder's lock is held by now, so nobody listens there.
  rmSync(socketAddress(path), { force: true });
  const note = join(dataDir, NOTE);
  writeFileSync(note, path, { mode: 0o600 });
  const remove = (): void => {
    rmSync(note, { force: true });
    rmSync(path, { recursive: true, force: true });
  };
  return { path, remove };
}

/** Folder of the socket that `openSocketFolder` noted in a data folder, if any. */
function notedSocketFolder(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, NOTE), 'utf8');
  } catch {
    return undefined;
  }
}

/** A running embedded database. */
export interface EmbeddedDatabase {
  /** For `createPostgresStores`; a Unix socket that only this user can reach. */
  readonly connection: Connection;
  /** Settles when the database has stopped: `undefined` after `close`, the reason when it died. */
  readonly stopped: Promise<Error | undefined>;
  /** Ends clients, writes everything out and gives the folder free; at most about 3 s. Safe to call twice. */
  close(): Promise<void>;
}

/** Where the embedded database keeps its files. */
export interface EmbeddedOptions {
  /** Folder of its own; made (mode 0700) when absent. */
  readonly dataDir: string;
  /** Called when files of a new database are about to be made, which takes seconds: from then on the folder is this process's alone. */
  readonly onMaking?: (() => void) | undefined;
}

/** After this long an orderly close gives up and the thread is stopped: the files survive that, as they survive a kill. */
const CLOSE_MS = 3000;

/**
 * Opens PGlite with PostGIS in a worker thread, behind a Unix socket. The first start takes 5-10 s, later ones 3 s.
 * @throws DomainError `unavailable` when another process has the folder, when the files cannot be opened, or on Windows.
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
    cleanUp.push((await takeFolder(dataDir)).release);
    const pgdata = join(dataDir, 'pgdata');
    await ensureFiles(pgdata, options.onMaking);
    chmodSync(pgdata, 0o700);
    const folder = openSocketFolder(dataDir);
    cleanUp.unshift(folder.remove);
    const worker = startWorker({ dataDir: pgdata, socket: socketAddress(folder.path) });
    await ready(worker);
    return running(worker, { host: folder.path, cleanUp });
  } catch (error) {
    for (const step of cleanUp) step();
    throw isDomainError(error) ? error : cannotOpen(dataDir, error);
  }
}

/**
 * Connection to the embedded database that another process has open, for a command beside a running service.
 * Undefined when nobody has it open.
 */
export function runningEmbedded(options: EmbeddedOptions): Connection | undefined {
  const dataDir = resolve(options.dataDir);
  const folder = isFolderHeld(dataDir) ? notedSocketFolder(dataDir) : undefined;
  return folder === undefined ? undefined : connectionTo(folder);
}

function connectionTo(host: string): Connection {
  return { host, port: SOCKET_PORT, database: 'postgres', user: 'postgres', embedded: true };
}

function startWorker(settings: WorkerSettings): Worker {
  // What a statement leaves behind is little: with the usual 16 MB and more the thread would keep much of it for nothing.
  const resourceLimits = { maxYoungGenerationSizeMb: 8 };
  return new Worker(entry('worker'), {
    workerData: settings,
    resourceLimits,
    execArgv: ownFlags(),
    name: 'headwater-database',
  });
}

async function ready(worker: Worker): Promise<void> {
  const failure = await new Promise<Error | undefined>((settle) => {
    worker.once('message', () => settle(undefined));
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
