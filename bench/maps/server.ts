// Our service in a child process. Arguments: address of the database, folder of the data, number of copies of the
// vector layer. Prints port and process id.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guardServer, headwaterPlugin } from '@headwater/http-adapter-fastify';
import { EXAMPLE_ITEM } from '@headwater/http-service';
import { createDirectoryAssets } from '@headwater/ingest';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { createPostgresStores, migrate, openDatabase, parseConnection } from '@headwater/postgres';
import { createMapPixels } from '@headwater/raster';
import fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import {
  createSampleService,
  publishAsSample,
  sampleComputing,
} from '../../packages/testkit-internal/src/http/fixture/sample-service.ts';

const [address = '', folder = '', copies = '1'] = process.argv.slice(2);
const connection = parseConnection(address);
const database = openDatabase(connection);
await migrate(database);
await database.close();
const assets = createDirectoryAssets(join(folder, 'assets'));
const headwater = await createSampleService({
  baseUrl: 'http://localhost:8000',
  stores: await createPostgresStores({ connection }),
  compute: { ...sampleComputing(), assets },
  validateResponses: false,
  mapServer: (parts) => createEmbeddedMapServer({ ...parts, pixels: createMapPixels() }),
});
const sample = await headwater.stores.catalog.layer('mws', 'mws_sample_district_sample_tehsil');
if (sample === undefined) throw new Error('the sample is not published');
await assets.begin('bench', 1);
const file = async (name: string): Promise<string> =>
  (await assets.write('bench', 1, name, await readFile(join(folder, name)))).key;
const [features, classes] = [await file('mws.geojson'), await file('classes.tif')];
const names = { workspace: 'bench', datasetName: 'Bench', tehsilId: sample.tehsilId, itemId: EXAMPLE_ITEM };
const layers = [
  // All copies share one file, but each copy has its own cached tiles.
  ...Array.from({ length: Number(copies) }, (_, at) => ({
    ...names,
    layerName: `mws_${at}`,
    layerType: 'vector' as const,
    assetKey: features,
    styleKey: null,
  })),
  { ...names, layerName: 'classes', layerType: 'raster' as const, assetKey: classes, styleKey: null },
];
await publishAsSample(headwater, { items: [], layers, tables: [], series: [], timings: {} });
const app = fastify({ http: { connectionsCheckingInterval: 5000 } });
guardServer(app.server);
await app.register(headwaterPlugin, { service: headwater.service });
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ port, pid: process.pid })}\n`);
