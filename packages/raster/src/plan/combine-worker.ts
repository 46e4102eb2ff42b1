import { workerData } from 'node:worker_threads';
import type { CombineBlock } from '@headwater/core';
import { CombineRows } from './combine-rows.ts';
import type { CombineWork, RowSpan } from './combine-rows.ts';
import { importBlock } from './block-function.ts';
import { serveTasks } from './workers/serve.ts';

serveTasks(async () => {
  const work: CombineWork = workerData;
  const rows = new CombineRows(work, await importBlock<CombineBlock>(work.block));
  return async (span) => {
    rows.run(span as RowSpan);
    return null;
  };
});
