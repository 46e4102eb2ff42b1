import { DomainError } from '@headwater/core/errors';
import { WHOLE_BYTES, type WholePlan } from '@headwater/core/pixel-plan';
import type { WholeOutcome } from '@headwater/core/ports';
import type { WorkContext } from '@headwater/core';
import { scratchFiles } from '../files/scratch-files.ts';
import { withOutputs } from '../files/scratch-space.ts';
import { typeOf, sampleBytes } from '../pixels/pixel-array.ts';
import { workerUrl } from '@headwater/net/files';
import { checkGrids } from './combine.ts';
import type { ExecuteTools } from './execute.ts';
import type { WholeWork } from './whole-worker.ts';
import { WorkerPool } from './workers/pool.ts';

const MB = 2 ** 20;

/**
 * Runs a whole block function over scratch rasters of one grid in one worker thread, which ends afterwards. Throws `input_data` if
 * the planes would take more than `WHOLE_BYTES`, `validation` if an input is on another grid. After an error no raster remains.
 */
export async function runWhole(
  plan: WholePlan,
  context: WorkContext,
  { scratch }: ExecuteTools,
): Promise<WholeOutcome> {
  context.signal.throwIfAborted();
  checkGrids(plan);
  checkBytes(plan);
  return withOutputs(scratch, plan, async (outputs) => {
    const files = { inputs: scratchFiles(scratch, plan.inputs), outputs: scratchFiles(scratch, outputs) };
    const workerData: WholeWork = { grid: plan.grid, block: plan.block, ...files };
    const pool = new WorkerPool<null, string>({
      url: workerUrl('./whole-worker', import.meta.url),
      workerData,
      threads: 1,
      signal: context.signal,
      onShare: (share) => context.progress(share),
    });
    try {
      const value: unknown = JSON.parse(await pool.run(null));
      return { outputs, value };
    } finally {
      await pool.close();
    }
  });
}

function checkBytes({ grid, inputs, outputs }: WholePlan): void {
  const planes = [...Object.values(inputs), ...outputs];
  const each = planes.reduce((sum, plane) => sum + sampleBytes(typeOf(plane)), 0);
  const bytes = each * grid.cols * grid.rows;
  if (bytes <= WHOLE_BYTES) return;
  throw new DomainError(
    'input_data',
    `grid: ${planes.length} planes of ${grid.cols} x ${grid.rows} pixels take ${Math.ceil(bytes / MB)} MB of memory, more than ` +
      `${WHOLE_BYTES / MB} MB; use larger pixels, a smaller area or fewer planes`,
  );
}
