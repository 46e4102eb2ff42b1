// Our service on a PostgreSQL. Arguments: database address, folder for files. For each line on stdin, prints the heap
// size in bytes.
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { headwaterPlugin } from '@headwater/http-adapter-fastify';
import { createHeadwater } from '@headwater/http-service';
import { createDirectoryAssets } from '@headwater/ingest';
import { createPostgresStores, parseConnection } from '@headwater/postgres';
import fastify from 'fastify';
import { SECRET } from '../routes/shared.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const [address = '', folder] = process.argv.slice(2);
const stores = await createPostgresStores({ connection: parseConnection(address) });
const compute = folder === undefined ? undefined : { assets: createDirectoryAssets(folder) };
const { service } = createHeadwater({
  baseUrl: 'http://localhost:8000',
  secret: SECRET,
  stores,
  ...(compute && { compute }),
});
const app = fastify({ forceCloseConnections: true });
await app.register(headwaterPlugin, { service, catchAll: true });
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ port: (app.server.address() as AddressInfo).port })}\n`);

async function printHeap(): Promise<void> {
  // Collects garbage twice, because finalisers release more memory after the first collection.
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  process.stdout.write(`${JSON.stringify({ heap: process.memoryUsage().heapUsed })}\n`);
}

createInterface({ input: process.stdin }).on('line', () => void printHeap());
