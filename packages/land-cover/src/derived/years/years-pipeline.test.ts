import type { InputTools } from '@headwater/layer-kit';
import { expect, it } from 'vitest';
import { fakeContext, fakePixels, fakePorts, noRequests, params } from '../../pipeline.fixture.ts';
import { yearsPipeline } from './years-pipeline.ts';

const LINE = '2021: 2 of 9 scenes not read, more than 90 % cloud';

it('logs the scenes once, although they are searched twice: for the inputs and for the run', async () => {
  const lookedUp: string[] = [];
  const logScenes = ({ context }: Pick<InputTools, 'context'>): void => context.log(LINE);
  const pipeline = yearsPipeline({
    name: 'generate_nothing',
    summary: 'Computes nothing.',
    keywords: [],
    method: '1',
    needs: () => [],
    otherInputs: async (_job, _params, tools) => {
      logScenes(tools);
      lookedUp.push('inputs');
      return 'scenes';
    },
    run: async (work) => {
      logScenes(work);
      return { items: [], layers: [] };
    },
  });
  const lines: string[] = [];
  const ports = fakePorts({ pixels: fakePixels(noRequests()) }, new Map());
  const { inputs } = await pipeline.execute(params(2021, 2021), ports, fakeContext(lines));
  expect([lookedUp, inputs?.length]).toEqual([['inputs'], 64]);
  expect(lines.filter((line) => line === LINE)).toEqual([LINE]);
});
