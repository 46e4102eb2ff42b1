// Our service on the database in the first argument. Writes the response texts of all Items, then prints its port.
import type { AddressInfo } from 'node:net';
import type { ItemForm } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import { headwaterPlugin } from '@headwater/http-adapter-fastify';
import { createHeadwater } from '@headwater/http-service';
import { createPostgresStores, parseConnection } from '@headwater/postgres';
import fastify from 'fastify';
import { COLLECTION } from './items.ts';

const SECRET = 'the search bench signs no session with this';
const AT_ONCE = 500;

const [address = ''] = process.argv.slice(2);
const stores = await createPostgresStores({ connection: parseConnection(address) });
let form: ItemForm | undefined;
/** The stores, with a `search` that records the text format which the service requests. */
const watched: Stores = {
  ...stores,
  search: {
    ...stores.search,
    search: async (request, requestedForm) => {
      form = requestedForm;
      return await stores.search.search(request, requestedForm);
    },
  },
};
const { service } = createHeadwater({ baseUrl: 'http://localhost:8000', secret: SECRET, stores: watched });
const app = fastify();
await app.register(headwaterPlugin, { service });
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
const first = await fetch(`http://127.0.0.1:${port}/api/v1/stac-api/search?limit=1&collections=${COLLECTION}`);
if (!first.ok || form === undefined) throw new Error(`the STAC API responded ${first.status}: ${await first.text()}`);
while ((await stores.search.write(form, AT_ONCE)) > 0);
process.stdout.write(`${JSON.stringify({ port })}\n`);
