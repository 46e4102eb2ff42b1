import { parentPort, workerData } from 'node:worker_threads';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { compact } from './compact.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './entry.ts';
import { openPglite } from './postgis.ts';

const MAX_CLIENTS = 8;

const port = parentPort;
if (port === null) throw new Error('This file runs only as a worker thread; call openEmbedded, which starts it');

const settings: WorkerSettings = workerData;
const send = (message: FromWorker): void => port.postMessage(message);

const database = await openPglite(settings.dataDir);
await compact(database, settings.dataDir, (freeBytes) => send({ kind: 'compacting', freeBytes })).catch(
  // The error is only a warning, because the database works without compaction.
  (error: unknown) =>
    process.emitWarning(
      `The embedded database could not be compacted (${String(error)}); it works, and the next start tries again`,
    ),
);
const server = new PGLiteSocketServer({ db: database, path: settings.socket, maxConnections: MAX_CLIENTS });
await server.start();

async function close(): Promise<void> {
  await server.stop();
  await database.close();
  send({ kind: 'closed' });
  port?.close();
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'close') void close();
});
send({ kind: 'ready' });
