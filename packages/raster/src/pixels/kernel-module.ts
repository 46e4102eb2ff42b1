import { loadWasm, type WasmMemory } from '@headwater/core/wasm';
import { KERNELS_BASE64 } from './kernels.generated.ts';

/** Functions of the compiled module; addresses and strides in bytes, counts in pixels unless the name says otherwise. */
export interface KernelExports {
  readonly memory: WasmMemory;
  copyRows(src: number, srcStride: number, dst: number, dstStride: number, bytes: number, rows: number): void;
  fill16(dst: number, count: number, value: number): void;
  undo16(src: number, srcStride: number, dst: number, dstStride: number, cols: number, rows: number): void;
  undo8(src: number, srcStride: number, dst: number, dstStride: number, cols: number, rows: number): void;
  flagCodes(src: number, dst: number, dstStride: number, cols: number, rows: number, table: number): void;
  dilate(src: number, dst: number, stride: number, cols: number, rows: number): void;
  packClear(src: number, stride: number, dst: number, dstStride: number, cols: number, rows: number): number;
  expandBits(
    bits: number,
    stride: number,
    col: number,
    row: number,
    shift: number,
    cols: number,
    rows: number,
    dst: number,
    line: number,
  ): void;
  expand16(src: number, srcStride: number, col: number, row: number, cols: number, rows: number, dst: number): void;
  takeUnclaimed(mask: number, claimed: number, profile: number, cols: number, rows: number): number;
  claimObserved(observed: number, mask: number, values: number, claimed: number, pixels: number): number;
  merge16(src: number, dst: number, pixels: number): void;
  ratio2(operands: number, mask: number, dst: number, count: number): void;
  ratioN(operands: number, plus: number, minus: number, mask: number, dst: number, count: number): void;
  pass16(operand: number, mask: number, dst: number, count: number): void;
  markBright(operand: number, limit: number, above: number, dst: number, count: number): void;
  countClear(values: number, seen: number, counts: number, pixels: number): number;
  median(planes: number, src: number, stride: number, dst: number, count: number): number;
  medianRows(
    planes: number,
    src: number,
    stride: number,
    dst: number,
    count: number,
    pairs: number,
    pairCount: number,
    rows: number,
  ): void;
}

const EXPORTED: readonly (keyof KernelExports)[] = [
  'memory',
  'copyRows',
  'fill16',
  'undo16',
  'undo8',
  'flagCodes',
  'dilate',
  'packClear',
  'expandBits',
  'expand16',
  'takeUnclaimed',
  'claimObserved',
  'merge16',
  'ratio2',
  'ratioN',
  'pass16',
  'markBright',
  'countClear',
  'median',
  'medianRows',
];

/** Compiles (about 1 ms) and instantiates the module; throws an Error if a function is missing. */
export const loadKernels = (): KernelExports => loadWasm<KernelExports>(KERNELS_BASE64, EXPORTED);
