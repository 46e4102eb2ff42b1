import { expect, it } from 'vitest';
import type { LayerRecord, NewLayer } from '../ports/catalog.ts';
import type { Run } from '../ports/runs.ts';
import { checkLayerOwners } from './layer-owners.ts';
import { pipelineOf } from './needs.fixture.ts';

const layerOf = (layerName: string, tehsilId = 1): LayerRecord => ({
  workspace: 'swb',
  layerName,
  datasetName: 'Surface water',
  layerType: 'vector',
  tehsilId,
  itemId: layerName,
  assetKey: `run_of_other/1/${layerName}.geojson`,
  styleKey: null,
  version: 1,
});

const RUN: Run = {
  id: 'run_of_other',
  pipeline: 'other',
  params: {},
  fingerprint: '',
  ownerId: 1,
  backend: 'local',
  queue: 'nrm',
  dagId: null,
  dagRunId: null,
  runTokenHash: null,
  requestId: null,
  publishedBy: null,
  parentId: null,
  after: [],
  awaits: [],
  state: 'success',
  progress: 1,
  step: null,
  attempt: 1,
  token: 1,
  workerId: null,
  leaseUntil: null,
  cancelRequested: false,
  error: null,
  itemIds: [],
  timings: {},
  inputs: null,
  createdAt: '2026-01-01T00:00:00Z',
  startedAt: null,
  finishedAt: null,
};

const pipelines = [pipelineOf('own'), pipelineOf('other'), pipelineOf('friend', { dependsOn: ['other'] })];

async function check(name: string, layer: NewLayer, there: LayerRecord): Promise<void> {
  const pipeline = pipelines.find((each) => each.name === name);
  if (pipeline === undefined) throw new Error(`no pipeline ${name}`);
  const isThere = (workspace: string, layerName: string): boolean =>
    workspace === there.workspace && layerName === there.layerName;
  await checkLayerOwners(
    {
      runs: { get: async () => RUN },
      published: { layer: async (workspace, layerName) => (isThere(workspace, layerName) ? there : undefined) },
      pipelines: { get: (wanted) => pipelines.find((each) => each.name === wanted) },
    },
    { pipeline, layers: [layer] },
  );
}

const renamed = { ...layerOf('water_state_block'), formerly: ['water_block'] };

it('checkLayerOwners refuses a layer if its present name or a former name belongs to a layer of another pipeline', async () => {
  const refused = {
    code: 'conflict',
    message: expect.stringContaining('swb:water_block is published by pipeline other'),
  };
  await expect(check('own', layerOf('water_block'), layerOf('water_block'))).rejects.toMatchObject(refused);
  await expect(check('own', renamed, layerOf('water_block'))).rejects.toMatchObject(refused);
});

it('checkLayerOwners allows the name of a layer of another pipeline if one pipeline depends on the other, or if that layer belongs to another tehsil', async () => {
  await expect(check('friend', renamed, layerOf('water_block'))).resolves.toBeUndefined();
  await expect(check('own', renamed, layerOf('water_block', 2))).resolves.toBeUndefined();
  await expect(check('own', renamed, layerOf('elsewhere'))).resolves.toBeUndefined();
});
