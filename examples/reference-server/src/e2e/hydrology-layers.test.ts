import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayerRecord } from '@headwater/core';
import { openRaster } from '@headwater/raster';
import { demGrid, demHeights, sampleFrame, samplePlace, writeSampleDem } from '@headwater/sample-world';
import { validateItem } from '@headwater/stac';
import {
  catchmentAreaPipeline,
  createDem,
  drainageDistancePipeline,
  drainagePipeline,
  naturalDepressionPipeline,
  streamOrderPipeline,
  streamsOf,
} from '@headwater/terrain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SmallService, startSmallService } from './small-service.fixture.ts';

const SEED = 7;
const frame = sampleFrame(4);
const place = samplePlace(SEED, frame);
const body = { state: place.state, district: place.district, block: place.tehsil };
let service: SmallService;

beforeAll(async () => {
  service = await startSmallService({
    places: [place],
    pipelines: [
      streamOrderPipeline,
      drainagePipeline,
      catchmentAreaPipeline,
      drainageDistancePipeline,
      naturalDepressionPipeline,
    ],
  });
});
afterAll(() => service.close());
it('tries', async () => {
  await writeSampleDem(SEED, frame, join(service.dir, 'dem', 'headwater-sample'));
  for (const route of ['stream_order','generate_drainage_layer','generate_catchment_area_singleflow','generate_distance_nearest_DL','generate_natural_depression']) {
    const { status, body: answer } = await service.compute(body, route);
    console.log(route, status, JSON.stringify(answer).slice(0, 3000));
  }
  const { items, layers } = await service.published();
  for (const l of layers) console.log(l.workspace, l.layerName, l.datasetName, l.assetKey);
  for (const t of ['stream_order','drainage_density']) console.log(JSON.stringify((await service.headwater.stores.data.table(layers[0]!.tehsilId, t))?.rows.slice(0,3)));
  const { cpSync } = await import('node:fs'); cpSync(service.dir, '/tmp/hydro-out', { recursive: true });
}, 100000);
