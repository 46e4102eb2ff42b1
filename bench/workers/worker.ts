// A worker process of `npm run bench:workers`, with a pipeline that does nothing.
import type { Pipeline } from '@headwater/core';
import { createMemoryAssets } from '@headwater/core/memory';
import { createQueueWorker } from '@headwater/http-service';
import { createPostgresStores, parseConnection } from '@headwater/postgres';
import { createPixelEngine } from '@headwater/raster';
import { z } from 'zod';
import { TRIVIAL } from './trivial.ts';

const [address = '', scratchDir = ''] = process.argv.slice(2);

const schema = z.object({});
const pipeline: Pipeline<z.infer<typeof schema>, z.infer<typeof schema>> = {
  name: TRIVIAL,
  route: TRIVIAL,
  aliases: [],
  summary: 'Does nothing.',
  examples: [{ name: 'nothing', request: {} }],
  messages: { initiated: 'begun', finished: 'done' },
  request: schema,
  resolve: async () => ({}),
  params: schema,
  steps: [{ name: 'work', weight: 1 }],
  fingerprint: () => '',
  execute: async () => ({ items: [], layers: [], timings: {} }),
};
const stores = await createPostgresStores({ connection: parseConnection(address) });
const { worker, close } = createQueueWorker({
  stores,
  pipelines: [pipeline],
  compute: {
    pixels: createPixelEngine({ scratchDir, threads: 1 }),
    assets: createMemoryAssets(),
    earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
  },
});
process.on('SIGTERM', () => void close(1000).then(() => process.exit(0)));
worker.start();
