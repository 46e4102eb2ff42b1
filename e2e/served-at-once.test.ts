import type { MapServer, MapServerParts } from '@headwater/core/ports';
import { EXAMPLE_LAYERS, EXAMPLE_RUN, toFetchHandler } from '@headwater/http-service';
import { lulcPipeline } from '@headwater/land-cover';
import { createEmbeddedMapServer, createGeoServer } from '@headwater/map-server';
import { expect, test } from 'vitest';
import { FakeGeoServer } from '../packages/map-server/src/geoserver/fake-geoserver.fixture.ts';
import { fakeReads } from '../packages/map-server/src/geoserver/fake-reads.fixture.ts';
import { createSampleService } from '../packages/testkit-internal/src/http/fixture/sample-service.ts';

const CAPABILITIES = `/geoserver/${EXAMPLE_LAYERS.vector.workspace}/wms?service=WMS&version=1.3.0&request=GetCapabilities`;

async function openGeoServer(major: 2 | 3) {
  const fake = new FakeGeoServer({ major });
  fake.reads = fakeReads;
  const { url, close } = await fake.listen();
  const settings = { url, username: 'admin', password: 'geoserver' };
  let calls = 0;
  /**
   * True if GeoServer got no calls since the last check, which means that the first comparison of all layers has ended.
   * During a comparison, the test could not show that the announcement (and not the comparison) publishes the layer.
   */
  const isQuiet = (): boolean => {
    const before = calls;
    calls = fake.calls.length;
    return before > 0 && calls === before;
  };
  return { create: (parts: MapServerParts): MapServer => createGeoServer({ ...parts, settings }), close, isQuiet };
}

test.each([
  [
    'the embedded map server',
    async () => ({ create: createEmbeddedMapServer, close: async () => {}, isQuiet: () => true }),
  ],
  ['GeoServer 2', async () => await openGeoServer(2)],
  ['GeoServer 3', async () => await openGeoServer(3)],
] as const)('%s serves the layers of a run at once, before the next comparison of all layers', async (title, open) => {
  const { create, close, isQuiet } = await open();
  const headwater = await createSampleService({ mapServer: create }, new TextEncoder().encode('II*'));
  const answer = toFetchHandler(headwater.service);
  const served = async (): Promise<string> =>
    await (await answer(new Request(`http://headwater.example${CAPABILITIES}`))).text();
  await headwater.start();
  await expect.poll(served).toContain('Sample layer 2021');
  await expect.poll(isQuiet, { interval: 500 }).toBe(true);
  const owner = await headwater.stores.runs.get(EXAMPLE_RUN);
  const place = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil' };
  const request = lulcPipeline.request.parse({ ...place, startYear: 2022, endYear: 2022, eoAccountId: 1 });
  const user = { id: owner?.ownerId ?? 0, isSuperuser: false };
  const started = await headwater.runs.start({ user }, lulcPipeline, request);
  const run = await headwater.runs.waitFor(started.run.id, AbortSignal.timeout(60_000));
  expect([run.state, run.error]).toEqual(['success', null]);
  const published = performance.now();
  // The layer must come from the announcement of the run, because all layers are compared only every ten minutes.
  await expect.poll(served, { interval: 5 }).toContain('Sample layer 2022');
  console.log(`${title}: the layer is served ${Math.round(performance.now() - published)} ms after its publication`);
  await headwater.close();
  await close();
});
