import { randomBytes } from 'node:crypto';
import type { BackendParts } from '@headwater/core/runs';
import { createMemoryStores } from '@headwater/identity/memory';
import { createHeadwater } from '@headwater/http-service';
import { confOf } from '@headwater/orchestrator-backend';
import { RUN_PARAMETERS } from '@headwater/orchestrator-client/workflow-files';
import { assert, describe, expect, it } from 'vitest';
import { createPipelines } from '../pipelines.ts';
import { declaredParameters } from './declared-parameters.ts';

async function backendParts(): Promise<BackendParts> {
  const received: BackendParts[] = [];
  const service = createHeadwater({
    baseUrl: 'http://headwater.test',
    secret: randomBytes(32),
    stores: createMemoryStores(),
    pipelines: createPipelines(),
    compute: {
      backend: (parts) => {
        received.push(parts);
        return { name: 'orchestrator', start: () => {}, stop: async () => {} };
      },
    },
  });
  await service.close();
  const [parts] = received;
  assert(parts !== undefined);
  return parts;
}

describe('the parameters that a pipeline declares', () => {
  it('are all in the conf of a run, because a generated workflow fails if a parameter is missing', async () => {
    const parts = await backendParts();
    const lacking = parts.pipelines.list.flatMap((pipeline) => {
      const run = { id: 'r', requestId: null, pipeline: pipeline.name, params: { tehsilId: 1, bulk: 'the labels' } };
      const conf = confOf({ run, runToken: 't', place: undefined }, { ...parts, serviceApiBase: undefined });
      return [...RUN_PARAMETERS, ...declaredParameters(pipeline)].flatMap(({ name }) =>
        name in conf ? [] : [`${pipeline.name}: ${name}`],
      );
    });
    expect(lacking).toEqual([]);
  });

  it('are in the conf of a run (null if the run has no value), but the bulk data of the run are not', async () => {
    const parts = await backendParts();
    const run = {
      id: 'r',
      requestId: null,
      pipeline: 'validate',
      params: { tehsilId: 1, workspace: 'LULC', bulk: 'the labels' },
    };
    const conf = confOf({ run, runToken: 't', place: undefined }, { ...parts, serviceApiBase: undefined });
    expect(conf).toMatchObject({ workspace: 'LULC', labels: null, label_property: null, legend: null, polygons: null });
    expect(JSON.stringify(conf)).not.toContain('the labels');
  });

  it('include a region and a year only if the pipeline computes regions', () => {
    for (const pipeline of createPipelines()) {
      const names = declaredParameters(pipeline).map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      expect([pipeline.name, names.includes('region')]).toEqual([pipeline.name, pipeline.name === 'lulc_for_tehsil']);
    }
  });
});
