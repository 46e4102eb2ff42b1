import { workerData } from 'node:worker_threads';
import type { BlockFunctionRef, WholeBlock } from '@headwater/core/pixel-plan';
import type { PixelGrid } from '@headwater/core';
import { ScratchFiles, partOf, planesFor } from '../files/scratch-files.ts';
import type { ScratchFile } from '../files/scratch-files.ts';
import { wholeWindow } from '../pixels/pixel-window.ts';
import { importBlock } from './block-function.ts';
import { serveTasks } from './workers/serve.ts';

/** Data of a plan whose function gets whole rasters, for its worker. */
export interface WholeWork {
  readonly grid: PixelGrid;
  readonly inputs: readonly ScratchFile[];
  readonly outputs: readonly ScratchFile[];
  readonly block: BlockFunctionRef;
}

async function runWhole(
  { grid, inputs, outputs, block }: WholeWork,
  call: WholeBlock,
  report: (share: number) => void,
): Promise<string> {
  const window = wholeWindow(grid);
  const pixels = grid.cols * grid.rows;
  const [inputPlanes, outputPlanes] = [planesFor(inputs, pixels), planesFor(outputs, pixels)];
  const source = new ScratchFiles(grid, inputs, 'r');
  for (const { name, plane } of inputPlanes) source.read(name, window, plane);
  const value: unknown = await call({
    grid,
    inputs: partOf(inputPlanes, 0, pixels),
    outputs: partOf(outputPlanes, 0, pixels),
    params: block.params,
    progress: report,
  });
  const target = new ScratchFiles(grid, outputs, 'r+');
  for (const { name, plane } of outputPlanes) target.write(name, window, plane);
  return jsonOf(value);
}

/**
 * Converts a value to JSON text; undefined becomes null. Throws a TypeError that names a member which JSON would drop
 * or change.
 */
function jsonOf(value: unknown): string {
  const check = (key: string, member: unknown): unknown => {
    const isLost = typeof member === 'number' ? !Number.isFinite(member) : LOST.has(typeof member);
    if (!isLost) return member;
    throw new TypeError(
      `the block function returned ${String(member)}${key === '' ? '' : ` as ${key}`}, which JSON cannot express`,
    );
  };
  return JSON.stringify(value ?? null, check);
}

const LOST: ReadonlySet<string> = new Set(['function', 'symbol', 'bigint', 'undefined']);

serveTasks(async (_sendNote, report) => {
  const work: WholeWork = workerData;
  const call = await importBlock<WholeBlock>(work.block);
  return () => runWhole(work, call, report);
});
