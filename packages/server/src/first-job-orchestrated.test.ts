import { seed } from '@headwater/ingest';
import { derivedPipelines } from '@headwater/land-cover';
import { orchestratorBackend } from '@headwater/orchestrator-backend';
import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { FakeOrchestrator } from '@headwater/orchestrator-client/testing';
import { sampleFrame, samplePlace } from '@headwater/sample-world';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { afterAll, assert, beforeAll, expect, it } from 'vitest';
import { boxPolygon } from '../../../scripts/boxes.mjs';
import { sampleJobOf } from './sample-job.fixture.ts';
import { type SmallService, startSmallService } from './small-service.fixture.ts';
import { publishOtherLayers } from './first-job.ts';

const DAG_ID = 'headwater';
const PLACE = samplePlace(7, sampleFrame(4));
const [blockLayer, mwsLayer] = derivedPipelines;

let service: SmallService;
const fake = new FakeOrchestrator({
  dags: [
    {
      id: DAG_ID,
      tasks: [
        {
          id: 'execute',
          run: async ({ conf }) => {
            const { status, body } = await service.post('/api/export-asset', conf);
            assert(status === 200, JSON.stringify(body));
            return body;
          },
        },
      ],
    },
  ],
});
beforeAll(async () => {
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    credentials: { username: 'admin', password: 'admin' },
    poll: { minMs: 5, maxMs: 10 },
  });
  service = await startSmallService({
    places: [PLACE],
    pipelines: [mwsLayer, blockLayer],
    backend: orchestratorBackend({ client, dagId: DAG_ID }),
  });
});
afterAll(() => service.close());

it('boundaries that an orchestrator has published are published again by the next start only if they have changed', async () => {
  const start = async (): Promise<readonly unknown[]> => {
    const job = { ...(await sampleJobOf(service)), isOrchestrated: true };
    const logger = { debug: () => {}, info: () => {}, error: () => {} };
    const terminal = createTerminal({ write: () => undefined });
    await publishOtherLayers(service.headwater, job, { terminal, logger, signal: new AbortController().signal });
    return fake.runsOf(DAG_ID).map(({ conf, state }) => [conf['pipeline'], state]);
  };
  const both = [
    ['generate_mws_layer', 'success'],
    ['generate_block_layer', 'success'],
  ];
  expect(await start()).toEqual(both);
  const { layers } = await service.published();
  expect(layers.map(({ datasetName }) => datasetName).sort()).toEqual(['Admin Boundary', 'MWS']);
  expect(await start()).toEqual(both);
  const geometry = boxPolygon({ west: 77, south: 17, east: 79, north: 19 });
  await seed(service.headwater.stores, { bundles: [{ ...PLACE, geometry }] });
  expect(await start()).toEqual([...both, ...both]);
}, 60_000);
