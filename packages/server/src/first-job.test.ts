import { DomainError } from '@headwater/core';
import { derivedPipelines } from '@headwater/land-cover';
import { sampleFrame, samplePlace } from '@headwater/sample-world';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleJobOf } from './sample-job.fixture.ts';
import { type SmallService, startSmallService } from './small-service.fixture.ts';
import { publishOtherLayers } from './first-job.ts';
import { createTerminal } from '@headwater/stac-cli/terminal';

const [blockLayer, mwsLayer] = derivedPipelines;

let service: SmallService;
let isBroken = true;
beforeAll(async () => {
  const execute: typeof mwsLayer.execute = async (...parameters) => {
    if (isBroken) throw new DomainError('input_data', 'Its data are missing; add them.');
    return await mwsLayer.execute(...parameters);
  };
  const pipelines = [{ ...mwsLayer, execute }, blockLayer];
  service = await startSmallService({ places: [samplePlace(7, sampleFrame(4))], pipelines });
});
afterAll(() => service.close());

it('boundaries of the sample are published once; a failure is logged, stops nothing else, and the next start retries it', async () => {
  const job = await sampleJobOf(service);
  const start = async (): Promise<readonly string[]> => {
    const messages: string[] = [];
    const note = (_facts: unknown, message: string): void => void messages.push(message);
    const logger = { debug: note, info: note, error: note };
    const terminal = createTerminal({ write: () => undefined });
    await publishOtherLayers(service.headwater, job, { terminal, logger, signal: new AbortController().signal });
    return messages.filter((line) => / (failed|is done)/.test(line));
  };
  const published = async (): Promise<readonly string[]> =>
    (await service.published()).layers.map(({ datasetName }) => datasetName).sort();
  expect(await start()).toEqual([
    'generate_mws_layer failed: Its data are missing; add them.',
    expect.stringMatching(/^generate_block_layer is done in /),
  ]);
  expect(await published()).toEqual(['Admin Boundary']);
  isBroken = false;
  expect(await start()).toEqual([expect.stringMatching(/^generate_mws_layer is done in /)]);
  expect(await published()).toEqual(['Admin Boundary', 'MWS']);
  const runs = await service.runCount();
  expect(await start()).toEqual([]);
  expect(await service.runCount()).toBe(runs);
}, 60_000);
