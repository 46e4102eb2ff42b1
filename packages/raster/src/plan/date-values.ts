import type { CompositeBlock, IndexSpec } from '@headwater/core';
import { INDEX_NODATA } from '@headwater/core/compute/pixel-plan';
import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-array.ts';
import { sampleNodata } from './band-reader.ts';
import type { CellScene, LoadedBand } from './section-bands.ts';
import { IndexKernel } from '../pixels/index-kernel.ts';
import type { Operand } from '../pixels/index-kernel.ts';
import { MedianKernel } from '../pixels/median-kernel.ts';
import { indicesAt } from './prepared.ts';
import type { PreparedPlan, PreparedScene } from './prepared.ts';
import type { ScratchFiles } from '../files/scratch-files.ts';
import { CHUNK_PIXELS, PlaneStack, SLACK, chunkRowsAt, chunksOf, seriesPlanes } from './pane.ts';
import type { Chunks } from './pane.ts';

/** Memory of the cell that is worked on. */
export interface Cell {
  readonly window: PixelWindow;
  readonly chunks: Chunks;
  readonly series: PlaneStack;
  /** Values of the dates of one step, before their median. */
  readonly dates: PlaneStack;
  /** uint16 clear dates per pixel, and bytes that say which pixels were clear already on the day at hand. */
  readonly counts: number;
  readonly seen: number;
  /** Copy of one scene's mask rows for this cell, and its size. */
  readonly bits: { readonly address: number; readonly bytes: number };
}

/** Gives the bands of one scene that the indices of a step need. */
export type LoadBands = (scene: PreparedScene, step: number) => Promise<ReadonlyMap<string, LoadedBand>>;

/** Turns scenes into composites and composites into outputs, cell by cell, in one worker's memory. */
export class CellComposite {
  readonly #plan: PreparedPlan;
  readonly #kernels: Kernels;
  readonly #index: IndexKernel;
  readonly #median: MedianKernel;
  readonly #planes: ReturnType<typeof seriesPlanes>;
  readonly #mostDates: number;
  /** Chunk buffers: mask bytes, a scratch line, and one expanded band per name. */
  readonly #mask: number;
  readonly #line: number;
  readonly #expanded = new Map<string, number>();

  constructor(plan: PreparedPlan, kernels: Kernels) {
    this.#plan = plan;
    this.#kernels = kernels;
    this.#index = new IndexKernel(kernels);
    this.#median = new MedianKernel(kernels);
    this.#planes = seriesPlanes(plan.indices);
    const perStep = Array.from(
      { length: plan.stepCount },
      (_, step) => plan.scenes.filter((scene) => scene.steps.includes(step)).length,
    );
    this.#mostDates = Math.max(1, ...perStep);
    for (let n = 2; n <= this.#mostDates; n++) this.#median.prepare(n);
    this.#mask = kernels.alloc(CHUNK_PIXELS + SLACK);
    this.#line = kernels.alloc(CHUNK_PIXELS + 2 * SLACK);
    const names = new Set(plan.scenes.flatMap((scene) => Object.keys(scene.bands)));
    for (const name of names) this.#expanded.set(name, kernels.alloc(2 * CHUNK_PIXELS + SLACK));
  }

  /** Takes the memory for one cell. */
  begin(window: PixelWindow, scenes: number): Cell {
    const chunks = chunksOf(window.cols, window.rows);
    const pixels = window.cols * window.rows;
    const series = new PlaneStack(this.#kernels, chunks, this.#planes.total);
    const dates = new PlaneStack(
      this.#kernels,
      chunks,
      this.#plan.indices.length * Math.min(this.#mostDates, Math.max(scenes, 1)),
    );
    const counts = this.#kernels.alloc(2 * pixels + SLACK);
    const seen = this.#kernels.alloc(pixels + SLACK);
    const bytes = (window.rows + 2) * (2 * Math.ceil((this.#plan.grid.cols + 2) / 16) + 2) + SLACK;
    const cell = { window, chunks, series, dates, counts, seen, bits: { address: this.#kernels.alloc(bytes), bytes } };
    this.#kernels.u16(counts, pixels).fill(0);
    return cell;
  }

  /** Fills the cell's series with medians and its counts; returns the scenes that gave a value. */
  async fill(cell: Cell, scenes: readonly CellScene[], load: LoadBands): Promise<ReadonlySet<string>> {
    const valued = new Set<string>();
    let day = '';
    for (let step = 0; step < this.#plan.stepCount; step++) {
      const wanted = indicesAt(this.#plan.indices, step);
      if (wanted.length === 0) continue;
      const dated = scenes.filter(({ scene }) => scene.steps.includes(step));
      for (const [date, { scene, mask }] of dated.entries()) {
        const bands = await load(scene, step);
        if (scene.day !== day) this.#kernels.u8(cell.seen, cell.window.cols * cell.window.rows).fill(0);
        day = scene.day;
        const slot = { step, date, dates: dated.length, wanted };
        if (this.#addDate(cell, slot, { bands, mask })) valued.add(scene.id);
      }
      this.#closeStep(cell, { step, dates: dated.length, wanted });
    }
    return valued;
  }

  /** Address of an index's plane for one date: the series itself where the step has one date only. */
  #target(cell: Cell, slot: Slot, at: { chunk: number; index: IndexSpec; rank: number }): number {
    if (slot.dates === 1) return this.#seriesAt(cell, slot.step, at);
    return cell.dates.at(at.chunk, at.rank * slot.dates + slot.date);
  }

  #seriesAt(cell: Cell, step: number, at: { chunk: number; index: IndexSpec }): number {
    return cell.series.at(at.chunk, (this.#planes.first.get(at.index.name) ?? 0) + step - at.index.from);
  }

  #addDate(cell: Cell, slot: Slot, date: { bands: ReadonlyMap<string, LoadedBand>; mask: CellScene['mask'] }): boolean {
    const { chunks } = cell;
    const mask = this.#copyMask(cell, date.mask);
    const inCore = this.#plan.core[0] <= slot.step && slot.step < this.#plan.core[1];
    let values = 0;
    for (let chunk = 0; chunk < chunks.count; chunk++) {
      const { row, rows } = chunkRowsAt(chunks, chunk);
      const pixels = rows * chunks.cols;
      this.#expandMask(mask, row, { cols: chunks.cols, rows });
      const operands = this.#operands(date.bands, row, { cols: chunks.cols, rows });
      slot.wanted.forEach((index, rank) => {
        const dst = this.#target(cell, slot, { chunk, index, rank });
        this.#index.run(index, operands, { mask: this.#mask, dst, pixels });
      });
      const [index] = slot.wanted;
      if (index === undefined) continue;
      const first = row * chunks.cols;
      const plane = this.#target(cell, slot, { chunk, index, rank: 0 });
      if (inCore) values += this.#kernels.run.countClear(plane, cell.seen + first, cell.counts + 2 * first, pixels);
      else if (values === 0) values += this.#anyValue(plane, pixels);
    }
    return values > 0;
  }

  #anyValue(address: number, pixels: number): number {
    return this.#kernels.i16(address, pixels).some((value) => value !== INDEX_NODATA) ? 1 : 0;
  }

  /** The mask's rows for the cell in the kernels' memory, and the cell's place in them. */
  #copyMask(cell: Cell, mask: CellScene['mask']): CellMask | null {
    if (mask === null) return null;
    const { window, bits } = cell;
    const [top, col] = [(mask.row + window.row) >> mask.shift, mask.col + window.col];
    const bottom = (mask.row + window.row + window.rows - 1) >> mask.shift;
    const bytes = Math.min((bottom - top + 1) * mask.stride + 8, mask.bits.byteLength - top * mask.stride, bits.bytes);
    this.#kernels.u8(bits.address, bytes).set(new Uint8Array(mask.bits, top * mask.stride, bytes));
    return {
      address: bits.address,
      stride: mask.stride,
      shift: mask.shift,
      col,
      row: mask.row + window.row - (top << mask.shift),
    };
  }

  #expandMask(mask: CellMask | null, row: number, size: { cols: number; rows: number }): void {
    if (mask === null) this.#kernels.u8(this.#mask, size.cols * size.rows).fill(255);
    else {
      const { address, stride, shift, col } = mask;
      this.#kernels.run.expandBits(
        address,
        stride,
        col,
        mask.row + row,
        shift,
        size.cols,
        size.rows,
        this.#mask,
        this.#line,
      );
    }
  }

  /** Samples of each band for the rows of one chunk; coarse bands are repeated 2 x 2. */
  #operands(
    bands: ReadonlyMap<string, LoadedBand>,
    row: number,
    size: { cols: number; rows: number },
  ): ReadonlyMap<string, Operand> {
    const operands = new Map<string, Operand>();
    for (const [name, loaded] of bands) {
      const { plane, band } = loaded;
      const base = { offset: band.offset, nodata: sampleNodata(loaded) };
      if (plane.shift === 0) {
        operands.set(name, { ...base, address: plane.address + 2 * row * plane.stride });
        continue;
      }
      const address = this.#expanded.get(name) ?? 0;
      this.#kernels.run.expand16(
        plane.address,
        2 * plane.stride,
        plane.col,
        plane.row + row,
        size.cols,
        size.rows,
        address,
      );
      operands.set(name, { ...base, address });
    }
    return operands;
  }

  /** Medians of a step with several dates; nothing known where it has none. */
  #closeStep(cell: Cell, { step, dates, wanted }: Omit<Slot, 'date'>): void {
    if (dates === 1) return;
    const { chunks } = cell;
    for (let chunk = 0; chunk < chunks.count; chunk++) {
      const pixels = chunkRowsAt(chunks, chunk).rows * chunks.cols;
      wanted.forEach((index, rank) => {
        const dst = this.#seriesAt(cell, step, { chunk, index });
        if (dates === 0) this.#kernels.run.fill16(dst, pixels, INDEX_NODATA);
        else this.#median.run(dates, { src: cell.dates.at(chunk, rank * dates), stride: 2 * pixels, dst, pixels });
      });
    }
  }

  /** Calls the block function on every chunk and writes the cell's outputs. */
  classify(cell: Cell, { block, scratch }: { block: CompositeBlock; scratch: ScratchFiles }): void {
    const { chunks, window } = cell;
    const outputs = this.#plan.outputs.map(({ name }) => ({ name, plane: new Uint8Array(window.cols * window.rows) }));
    for (let chunk = 0; chunk < chunks.count; chunk++) {
      const { row, rows } = chunkRowsAt(chunks, chunk);
      const [first, pixels] = [row * chunks.cols, rows * chunks.cols];
      block({
        pixels,
        series: Object.fromEntries(
          this.#plan.indices.map((index) => [index.name, this.#seriesView(cell, chunk, { index, pixels })]),
        ),
        clear: this.#kernels.u16(cell.counts + 2 * first, pixels),
        outputs: Object.fromEntries(outputs.map(({ name, plane }) => [name, plane.subarray(first, first + pixels)])),
        params: this.#plan.block.params,
      });
    }
    for (const { name, plane } of outputs) scratch.write(name, window, plane);
  }

  #seriesView(cell: Cell, chunk: number, { index, pixels }: { index: IndexSpec; pixels: number }): Int16Array {
    const steps = Math.max(0, index.to - index.from);
    return this.#kernels.i16(cell.series.at(chunk, this.#planes.first.get(index.name) ?? 0), steps * pixels);
  }
}

/** One date of one step. */
interface Slot {
  readonly step: number;
  readonly date: number;
  /** Dates of the step. */
  readonly dates: number;
  readonly wanted: readonly IndexSpec[];
}

interface CellMask {
  readonly address: number;
  readonly stride: number;
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}
