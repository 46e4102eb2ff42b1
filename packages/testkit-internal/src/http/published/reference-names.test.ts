import type { Headwater } from '@headwater/http-service';
import { lulcPipeline } from '@headwater/land-cover';
import type { Deliverable } from '@headwater/core';
import { expect, onTestFinished, test } from 'vitest';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { wetnessPipeline } from '../../pipelines/wetness-pipeline.ts';
import { realPixels } from '../fixture/real-pixels.ts';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { jsonInit } from '../suite/harness.ts';
import { publishAsSample } from '../fixture/sample-service.ts';
import { startSample } from './published.fixture.ts';

const MOGA = { state: 'Punjab', district: 'Moga', tehsil: 'Bagha Purana' };
const BAGHA_PURANA = { state: 'Punjab', district: 'Moga', block: 'Bagha Purana', eo_account_id: 1, wait: true };
const OTHERS = ['a', 'b', 'c', 'd', 'e'];

async function publishOthers(headwater: Headwater): Promise<void> {
  const { tehsil } = await headwater.stores.places.saveBundle({ ...SAMPLE_PLACE, ...MOGA });
  const layers = OTHERS.map((each) => ({
    workspace: 'a_kind',
    layerName: each,
    datasetName: each,
    layerType: 'vector' as const,
    tehsilId: tehsil.id,
    itemId: 'kinds',
    assetKey: `run/1/${each}.geojson`,
    styleKey: null,
  }));
  const item = { id: 'kinds', collectionPath: 'punjab/moga/bagha_purana', item: { id: 'kinds', properties: {} } };
  await publishAsSample(headwater, { items: [item], layers, timings: {} });
}

test('the example lines of the API reference use the place with the most kinds of layers, regardless of the pipelines that computed them', async () => {
  const sample = await startSample({ pipelines: [outlinePipeline] });
  await publishOthers(sample.headwater);
  const drawn = await sample.send('/api/v1/generate_outline_layer/', jsonInit(BAGHA_PURANA));
  expect(drawn.status).toBe(200);
  const { run_id: run } = (await drawn.json()) as { run_id: string };
  const page = await (await sample.send('/docs/plain/', {})).text();
  expect(page).toContain('the names and years of the published layers of Bagha Purana (layers: 6)');
  expect(page).toContain('/api/v1/stac/punjab/moga/bagha_purana/items/punjab_moga_bagha_purana_outline/');
  expect(page).toContain('/geoserver/outlines/ows?service=WFS');
  expect(page).toContain('typeName=outlines%3Aoutline_moga_bagha_purana');
  expect(page).toContain(`/api/v1/runs/${run}/events/`);
  expect(page).toContain(`/api/v1/assets/${run}/1/outline.geojson`);
  expect(page).toContain('/assets/latest/punjab/moga/bagha_purana/punjab_moga_bagha_purana_outline/geojson');
  expect(page).toContain('&quot;state&quot;:&quot;Punjab&quot;,&quot;district&quot;:&quot;Moga&quot;');
  expect(page).not.toContain('/tables/punjab/moga/bagha_purana/sample_annual/');
  expect(page).toContain('/tables/punjab/moga/bagha_purana/nothing/');
});

test('a place that is published later with fewer layers does not replace the featured place, and the example lines cover all years', async () => {
  const sample = await startSample({ pipelines: [lulcPipeline, outlinePipeline] });
  const { catalog, places } = sample.headwater.stores;
  const [tehsil] = await places.tehsils(1);
  await publishAsSample(sample.headwater, yearsOfSample(tehsil?.id ?? 0));
  await places.saveBundle({ ...SAMPLE_PLACE, ...MOGA });
  expect((await sample.send('/api/v1/generate_outline_layer/', jsonInit(BAGHA_PURANA))).status).toBe(200);
  const [newest] = await catalog.newest({ runs: 1 });
  expect(newest?.collectionPath).toBe('punjab/moga/bagha_purana');
  const page = plain(await (await sample.send('/docs/plain/', {})).text());
  expect(page).toContain('names and years of the published layers of Sample Tehsil (layers: 5)');
  expect(page).not.toContain('Bagha Purana');
  const computations = plain(await (await sample.send('/computations/', {})).text());
  const all = '"block":"Sample Tehsil","start_year":2021,"end_year":2023';
  for (const text of [page, computations]) {
    expect(text).toContain(all);
    for (const [years] of text.matchAll(/"start_year":\d+,"end_year":\d+/g)) expect(all).toContain(years);
  }
});

/** Deliverable of one layer, whose Item covers three hydrological years. */
function yearsOfSample(tehsilId: number): Deliverable {
  const properties = { start_datetime: '2021-07-01T00:00:00Z', end_datetime: '2024-06-30T00:00:00Z' };
  const id = 'sample_of_years';
  const names = { workspace: 'a_sample', layerName: id, datasetName: 'Of years', itemId: id };
  const layer = { ...names, layerType: 'vector', tehsilId, assetKey: 'run/1/years.geojson', styleKey: null } as const;
  const item = { id, collectionPath: 'sample_state/sample_district/sample_tehsil', item: { id, properties } };
  return { items: [item], layers: [layer], timings: {} };
}

test('example lines request each file from the run that published it, and save a partial download under another name', async () => {
  const { compute, remove } = await realPixels();
  onTestFinished(remove);
  const sample = await startSample({ pipelines: [outlinePipeline, wetnessPipeline], compute });
  const place = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil', eo_account_id: 1 };
  const request = jsonInit({ ...place, wait: true, with_dependencies: true });
  expect((await sample.send('/api/v1/generate_wetness_layer/', request)).status).toBe(200);
  const page = plain(await (await sample.send('/docs/plain/', {})).text());
  const lines = [...page.matchAll(/<code data-status="20[06]">[^<]*?example(\/api\/v1\/assets\/[^' <]*)/g)];
  const paths = lines.map(([, path = '']) => path);
  expect(new Set(paths.map((path) => path.split('/')[4])).size).toBeGreaterThan(1);
  for (const path of paths) {
    const answer = await sample.send(path);
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.body?.cancel();
  }
  const saved = [...page.matchAll(/-o (\S+)/g)].map(([, name = '']) => name);
  expect(saved.filter((name) => name.startsWith('getLatestAsset'))).toEqual([
    'getLatestAsset.tif',
    'getLatestAsset.tif.part',
  ]);
});

const plain = (page: string): string =>
  page.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

test('the example lines of the API reference use a published table', async () => {
  const { compute, remove } = await realPixels();
  onTestFinished(remove);
  const sample = await startSample({ pipelines: [outlinePipeline, wetnessPipeline], compute });
  await publishOthers(sample.headwater);
  const computed = await sample.send(
    '/api/v1/generate_wetness_layer/',
    jsonInit({ ...BAGHA_PURANA, with_dependencies: true }),
  );
  expect(computed.status).toBe(200);
  const page = await (await sample.send('/docs/plain/', {})).text();
  expect(page).toContain('/tables/punjab/moga/bagha_purana/wetness_annual/');
  expect(page).not.toContain('sample_annual');
});
