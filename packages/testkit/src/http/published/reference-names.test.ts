import { expect, test } from 'vitest';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { wetnessPipeline } from '../../pipelines/wetness-pipeline.ts';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { jsonInit } from '../suite/harness.ts';
import { askSample } from './published.fixture.ts';

const MOGA = { state: 'Punjab', district: 'Moga', tehsil: 'Bagha Purana' };

test('lines of the reference have the names of what was published last, by whatever pipeline', async () => {
  const asked = await askSample({ pipelines: [outlinePipeline] });
  await asked.headwater.stores.places.saveBundle({ ...SAMPLE_PLACE, ...MOGA });
  const body = { state: 'Punjab', district: 'Moga', block: 'Bagha Purana', eo_account_id: 1, wait: true };
  const drawn = await asked.send('/api/v1/generate_outline_layer/', jsonInit(body));
  expect(drawn.status).toBe(200);
  const { run_id: run } = (await drawn.json()) as { run_id: string };
  const page = await (await asked.send('/docs/', {})).text();
  expect(page).toContain('They have the names of what is published of Bagha Purana.');
  expect(page).toContain('/api/v1/stac/punjab/moga/bagha_purana/items/punjab_moga_bagha_purana_outline/');
  expect(page).toContain('/geoserver/outlines/ows?service=WFS');
  expect(page).toContain('typeName=outlines%3Aoutline_moga_bagha_purana');
  expect(page).toContain(`/api/v1/runs/${run}/events/`);
  expect(page).toContain(`/api/v1/assets/${run}/1/outline.geojson`);
  expect(page).toContain('/assets/latest/punjab/moga/bagha_purana/punjab_moga_bagha_purana_outline/geojson');
  expect(page).toContain('&quot;state&quot;:&quot;Punjab&quot;,&quot;district&quot;:&quot;Moga&quot;');
  // Nothing there has a table: no line promises one.
  expect(page).not.toContain('/tables/punjab/moga/bagha_purana/sample_annual/');
  expect(page).toContain('/tables/punjab/moga/bagha_purana/nothing/');
});

test('lines of the reference have the name of a table that is published', async () => {
  const asked = await askSample({ pipelines: [outlinePipeline, wetnessPipeline] });
  await asked.headwater.stores.places.saveBundle({ ...SAMPLE_PLACE, ...MOGA });
  const body = { state: 'Punjab', district: 'Moga', block: 'Bagha Purana', eo_account_id: 1 };
  const made = await asked.send(
    '/api/v1/generate_wetness_layer/',
    jsonInit({ ...body, wait: true, with_dependencies: true }),
  );
  expect(made.status).toBe(200);
  const page = await (await asked.send('/docs/', {})).text();
  expect(page).toContain('/tables/punjab/moga/bagha_purana/wetness_annual/');
  expect(page).not.toContain('sample_annual');
});
