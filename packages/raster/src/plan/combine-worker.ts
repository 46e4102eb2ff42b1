import { workerData } from 'node:worker_threads';
import type { BlockFunctionRef, CombineBlock, Plane } from '@headwater/core/pixel-plan';
import type { PixelGrid } from '@headwater/core';
import { partOf, planesFor, ScratchFiles } from '../files/scratch-files.ts';
import type { ScratchFile } from '../files/scratch-files.ts';
import { BLOCK_PIXELS, importBlock } from './block-function.ts';
import { serveTasks } from './workers/serve.ts';

/** A combine plan for its workers. */
export interface CombineWork {
  readonly grid: PixelGrid;
  readonly inputs: readonly ScratchFile[];
  readonly outputs: readonly ScratchFile[];
  readonly block: BlockFunctionRef;
}

/** Rows of the grid in one task. */
export interface RowSpan {
  readonly row: number;
  readonly rows: number;
}

/** Runs a combine function over rows of scratch rasters. */
class CombineRows {
  readonly #work: CombineWork;
  readonly #block: CombineBlock<Plane>;
  readonly #inputs: ScratchFiles;
  readonly #outputs: ScratchFiles;

  constructor(work: CombineWork, block: CombineBlock<Plane>) {
    this.#work = work;
    this.#block = block;
    this.#inputs = new ScratchFiles(work.grid, work.inputs, 'r');
    this.#outputs = new ScratchFiles(work.grid, work.outputs, 'r+');
  }

  /** Reads the rows of every input, calls the function for each block and writes the rows of every output. */
  run({ row, rows }: RowSpan): void {
    const window = { col: 0, row, cols: this.#work.grid.cols, rows };
    const pixels = window.cols * rows;
    const inputs = planesFor(this.#work.inputs, pixels);
    const outputs = planesFor(this.#work.outputs, pixels);
    for (const { name, plane } of inputs) this.#inputs.read(name, window, plane);
    for (let first = 0; first < pixels; first += BLOCK_PIXELS) {
      const last = Math.min(first + BLOCK_PIXELS, pixels);
      this.#block({
        pixels: last - first,
        inputs: partOf(inputs, first, last),
        outputs: partOf(outputs, first, last),
        params: this.#work.block.params,
      });
    }
    for (const { name, plane } of outputs) this.#outputs.write(name, window, plane);
  }
}

serveTasks(async () => {
  const work: CombineWork = workerData;
  const rows = new CombineRows(work, await importBlock<CombineBlock<Plane>>(work.block));
  return async (span: RowSpan): Promise<null> => {
    rows.run(span);
    return null;
  };
});
