import { createValidatePipeline } from '@headwater/accuracy/validate';
import { type AnyPipeline, DomainError } from '@headwater/core';
import { derivedPipelines } from '@headwater/land-cover';
import { sampleFrame, samplePlace } from '@headwater/sample-world';
import { terrainDescriptorPipeline, terrainRasterPipeline } from '@headwater/terrain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeAllLayers } from './all-layers.ts';
import type { LayerOutcome } from './compute-layer.ts';
import { sampleJobOf } from './sample-job.fixture.ts';
import { type SmallService, startSmallService } from './small-service.fixture.ts';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { layersSummary } from './layers-summary.ts';

const place = samplePlace(7, sampleFrame(4));
const [blockLayer, mwsLayer] = derivedPipelines;
/** This layer fails. In the list of pipelines, it comes before the layer that it needs. */
const broken: AnyPipeline = {
  ...mwsLayer,
  name: 'broken',
  route: 'broken',
  dependsOn: [mwsLayer.name],
  execute: async () => {
    throw new DomainError('input_data', 'Its data are missing; add them.');
  },
};
/** This layer needs a table of `broken`. */
const behind: AnyPipeline = {
  ...mwsLayer,
  name: 'behind',
  route: 'behind',
  dependsOn: ['broken'],
  needs: () => [{ kind: 'table', name: 'broken_sheet', tehsilId: 1, pipeline: 'broken', request: {} }],
};

let service: SmallService;
beforeAll(async () => {
  const pipelines = [
    broken,
    behind,
    terrainDescriptorPipeline,
    terrainRasterPipeline,
    blockLayer,
    mwsLayer,
    createValidatePipeline(),
  ];
  service = await startSmallService({ places: [place], pipelines });
});
afterAll(() => service.close());

async function outcomes(): Promise<readonly LayerOutcome[]> {
  const job = await sampleJobOf(service);
  const terminal = createTerminal({ write: () => undefined });
  const logger = { debug: () => {}, info: () => {}, error: () => {} };
  return computeAllLayers(service.headwater, job, { terminal, logger, signal: new AbortController().signal });
}

it(
  'continues after layers that fail or are refused, reports the reasons, and computes no layer twice',
  { timeout: 60_000 },
  async () => {
    const reasons = (all: readonly LayerOutcome[]): unknown =>
      all.map((outcome) => [outcome.name, outcome.kind, 'reason' in outcome ? outcome.reason : '']);
    const refused = [
      ['broken', 'failed', 'Its data are missing; add them.'],
      ['behind', 'failed', expect.stringContaining('table broken_sheet')],
      ['generate_terrain_raster', 'failed', expect.stringMatching(/elevation data \(DEM\).*DATA_DIR\/dem/)],
      ['generate_terrain_descriptor', 'failed', expect.stringContaining('layer terrain:')],
    ];
    const leftOut = ['validate', 'left out', expect.stringMatching(/^its request needs .*labels/)];
    const first = await outcomes();
    expect(reasons(first)).toEqual([
      ['generate_mws_layer', 'computed', ''],
      ...refused,
      ['generate_block_layer', 'computed', ''],
      leftOut,
    ]);
    expect(reasons(await outcomes())).toEqual([
      ['generate_mws_layer', 'unchanged', ''],
      ...refused,
      ['generate_block_layer', 'unchanged', ''],
      leftOut,
    ]);
    const layers = first.map((outcome) => ({ outcome, items: 'run' in outcome ? ['http://h/item/'] : [] }));
    const facts = {
      place: 'Jalsrota',
      years: [2021, 2023],
      collection: 'http://h/all/',
      seconds: 2.04,
      layers,
    } as const;
    const summary = layersSummary(facts);
    expect(summary).toContain(
      'Layers of Jalsrota, 2021 to 2023: 2 computed, 0 unchanged, 1 left out, 4 failed in 2.0 s',
    );
    expect(summary).toContain('\n  broken                       failed: Its data are missing; add them.\n');
    expect(summary).toMatch(/generate_block_layer {9}computed in \d\.\d s\n {4}http:\/\/h\/item\/\n/);
  },
);
