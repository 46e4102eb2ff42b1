import { workerData } from 'node:worker_threads';
import type { BlockFunctionRef, CombineBlock, Plane } from '@headwater/core/pixel-plan';
import type { PixelGrid } from '@headwater/core';
import { partOf, planesFor, ScratchFiles } from '../files/scratch-files.ts';
import type { NamedPlane, ScratchFile } from '../files/scratch-files.ts';
import { BLOCK_PIXELS, importBlock } from './block-function.ts';
import { serveTasks } from './workers/serve.ts';

/** Data of a combine plan (a function over rasters of one grid) for its workers. */
export interface CombineWork {
  readonly grid: PixelGrid;
  readonly inputs: readonly ScratchFile[];
  readonly outputs: readonly ScratchFile[];
  readonly block: BlockFunctionRef;
  /** Number of rows above and below each block that the function can also read. */
  readonly halo: number;
}

/** Rows of the grid in one task. */
export interface RowSpan {
  readonly row: number;
  readonly rows: number;
}

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

  run(span: RowSpan): void {
    const { grid, halo, block } = this.#work;
    const { cols } = grid;
    const pixels = cols * span.rows;
    const inputs = this.#read(span);
    const outputs = planesFor(this.#work.outputs, pixels);
    const step = halo === 0 ? BLOCK_PIXELS : cols * Math.max(1, Math.floor(BLOCK_PIXELS / cols));
    for (let first = 0; first < pixels; first += step) {
      const last = Math.min(first + step, pixels);
      this.#block({
        pixels: last - first,
        ...(halo === 0 ? {} : { cols }),
        inputs: partOf(inputs, first, last + 2 * halo * cols),
        outputs: partOf(outputs, first, last),
        params: block.params,
      });
    }
    const window = { col: 0, row: span.row, cols, rows: span.rows };
    for (const { name, plane } of outputs) this.#outputs.write(name, window, plane);
  }

  #read({ row, rows }: RowSpan): readonly NamedPlane[] {
    const { grid, halo, inputs } = this.#work;
    const { cols } = grid;
    const planes = planesFor(inputs, cols * (rows + 2 * halo));
    const top = Math.max(0, row - halo);
    const bottom = Math.min(grid.rows, row + rows + halo);
    const at = (outer: number): number => (outer - row + halo) * cols;
    const window = { col: 0, row: top, cols, rows: bottom - top };
    for (const { name, plane } of planes) this.#inputs.read(name, window, plane.subarray(at(top), at(bottom)));
    return planes;
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
