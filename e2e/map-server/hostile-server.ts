// A map server with the reference server's listener. Prints its address.
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLE_ITEM } from '@headwater/http-service';
import { createDirectoryAssets } from '@headwater/ingest';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { createMapPixels, writeGeoTiff } from '@headwater/raster';
import { listen } from '../../packages/server/src/http-server.ts';
import {
  createSampleService,
  publishAsSample,
  sampleComputing,
} from '../../packages/testkit-internal/src/http/fixture/sample-service.ts';
import { freePort } from '../server-process.ts';
import { classAt, DEGREES } from './raster-world.fixture.ts';
import { WORLD } from './wfs-world.fixture.ts';

const folder = await mkdtemp(join(tmpdir(), 'headwater-hostile-'));
const assets = createDirectoryAssets(join(folder, 'assets'));
const port = await freePort();
const headwater = await createSampleService({
  baseUrl: `http://127.0.0.1:${port}`,
  compute: { ...sampleComputing(), assets },
  mapServer: (parts) => createEmbeddedMapServer({ ...parts, pixels: createMapPixels() }),
});
const { cols, rows } = DEGREES;
const data = Uint8Array.from({ length: cols * rows }, (_, at) => classAt(at % cols, Math.floor(at / cols)));
const path = join(folder, 'classes.tif');
await writeGeoTiff(path, { grid: DEGREES, data, nodata: 0, overviews: 'mode', predictor: 1, tileSize: 128 });
await assets.begin('world', 1);
const collection = JSON.stringify({ type: 'FeatureCollection', features: WORLD['wells'] });
const wells = await assets.write('world', 1, 'wells.geojson', collection);
const classes = await assets.write('world', 1, 'classes.tif', await readFile(path));
const tehsilId = (await headwater.stores.catalog.layer('mws', 'mws_sample_district_sample_tehsil'))?.tehsilId ?? 1;
const names = { workspace: 'field', datasetName: 'World', tehsilId, itemId: EXAMPLE_ITEM, styleKey: null };
const layers = [
  { ...names, layerName: 'wells', layerType: 'vector' as const, assetKey: wells.key },
  { ...names, layerName: 'classes', layerType: 'raster' as const, assetKey: classes.key },
];
await publishAsSample(headwater, { items: [], layers, tables: [], series: [], timings: {} });
await listen({ host: '127.0.0.1', port }, headwater);
process.stdout.write(`http://127.0.0.1:${port}/geoserver\n`);
