import { DomainError } from '@headwater/core/errors';
import type { CombinePlan } from '@headwater/core/pixel-plan';
import type { PixelGrid, ScratchRaster, WorkContext } from '@headwater/core';
import { scratchFiles } from '../files/scratch-files.ts';
import { withOutputs } from '../files/scratch-space.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from './workers/pool.ts';
import type { CombineWork, RowSpan } from './combine-worker.ts';
import type { ExecuteTools } from './execute.ts';

const TASK_PIXELS = 1 << 20;

/**
 * Runs a combine function over scratch rasters of one grid in worker threads; returns the new rasters by name. Throws
 * `validation` if the grid of an input has another size or CRS.
 */
export async function combineRasters(
  plan: CombinePlan,
  context: WorkContext,
  tools: ExecuteTools,
): Promise<Readonly<Record<string, ScratchRaster>>> {
  context.signal.throwIfAborted();
  checkGrids(plan);
  return withOutputs(tools.scratch, plan, async (rasters) => {
    await runRows({ plan, rasters }, context, tools);
    return rasters;
  });
}

/** Throws `validation` if the grid of an input has another size or CRS than the plan's grid. */
export function checkGrids({ inputs, grid }: Pick<CombinePlan, 'inputs' | 'grid'>): void {
  for (const [name, raster] of Object.entries(inputs)) checkGrid(name, raster.grid, grid);
}

function checkGrid(name: string, grid: PixelGrid, expected: PixelGrid): void {
  if (grid.cols === expected.cols && grid.rows === expected.rows && grid.crs === expected.crs) return;
  throw new DomainError(
    'validation',
    `inputs.${name}: its grid (${grid.cols} x ${grid.rows}, ${grid.crs}) is not the grid of the plan; combine rasters of one grid`,
  );
}

async function runRows(
  work: { plan: CombinePlan; rasters: Readonly<Record<string, ScratchRaster>> },
  context: WorkContext,
  { scratch, threads }: ExecuteTools,
): Promise<void> {
  const { grid, block, inputs, halo = 0 } = work.plan;
  const spans = spansOf(grid);
  const files = { inputs: scratchFiles(scratch, inputs), outputs: scratchFiles(scratch, work.rasters) };
  const workerData: CombineWork = { grid, block, halo, ...files };
  const url = workerUrl('./combine-worker', import.meta.url, '@headwater/raster');
  const pool = new WorkerPool<RowSpan, null>({
    url,
    workerData,
    threads: Math.min(threads, spans.length),
    signal: context.signal,
  });
  let done = 0;
  try {
    await Promise.all(
      spans.map(async (span) => {
        await pool.run(span);
        context.progress(++done / spans.length);
      }),
    );
  } finally {
    await pool.close();
  }
}

function spansOf({ cols, rows }: PixelGrid): RowSpan[] {
  const step = Math.max(1, Math.floor(TASK_PIXELS / cols));
  return Array.from({ length: Math.ceil(rows / step) }, (_, i) => ({
    row: i * step,
    rows: Math.min(step, rows - i * step),
  }));
}
