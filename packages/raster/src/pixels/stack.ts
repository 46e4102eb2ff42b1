import { createKernels, SLACK } from './kernels.ts';
import { sortPairs } from './median-kernel.ts';

/** Number of pixels that are computed at once, so that their planes stay in the processor's cache. */
const BLOCK = 4096;

/** Maximum number of planes, because the kernel of the mode counts them in one byte. */
const MOST_PLANES = 255;

/**
 * Percentile of int16 planes at each pixel (`share` 0 to 1; -32768 = nodata). The position among the sorted values has
 * steps of 1/1024; the result is rounded half up. Throws a RangeError for 0 or more than 255 planes, different lengths,
 * or a share outside of 0 to 1.
 */
export function percentileOfPlanes(planes: readonly Int16Array[], share: number): Int16Array {
  const pixels = checkedLength(planes);
  if (!(share >= 0 && share <= 1)) throw new RangeError(`share: ${share} is not a number from 0 to 1`);
  const kernels = createKernels();
  const n = planes.length;
  const pairs = sortPairs(n);
  const pairsAt = kernels.alloc(4 * pairs.length);
  kernels.u16(pairsAt, 2 * pairs.length).set(pairs.flat());
  const ranks = kernels.alloc(4 * (n + 1));
  // The entry for 0 values may have any valid rank, because the kernel replaces its result by nodata.
  for (let found = 0; found <= n; found++) {
    const at = Math.round(1024 * share * Math.max(found - 1, 0));
    kernels.u16(ranks + 4 * found, 2).set([at >> 10, at & 1023]);
  }
  const rows = kernels.alloc(16 * (n + 2));
  const [src, dst] = [kernels.alloc(2 * BLOCK * n + SLACK), kernels.alloc(2 * BLOCK)];
  const out = new Int16Array(pixels);
  for (let first = 0; first < pixels; first += BLOCK) {
    const count = Math.min(BLOCK, pixels - first);
    planes.forEach((plane, k) => kernels.i16(src + 2 * BLOCK * k, count).set(plane.subarray(first, first + count)));
    kernels.run.percentile(n, src, 2 * BLOCK, dst, count, pairsAt, pairs.length, ranks, rows);
    out.set(kernels.i16(dst, count), first);
  }
  return out;
}

/**
 * Most frequent byte of planes at each pixel, without `nodata` (null: every byte counts). If several bytes are
 * equally frequent, takes the one that occurs in the earliest plane. Throws a RangeError for 0 or more than 255 planes,
 * different lengths, or a nodata value that is not a byte.
 */
export function modeOfPlanes(planes: readonly Uint8Array[], nodata: number | null): Uint8Array {
  const pixels = checkedLength(planes);
  if (nodata !== null && !(Number.isInteger(nodata) && nodata >= 0 && nodata <= 255))
    throw new RangeError(`nodata: ${nodata} is not a whole number from 0 to 255; give null if every byte counts`);
  const kernels = createKernels();
  const n = planes.length;
  const rows = kernels.alloc(16 * n);
  const [src, dst] = [kernels.alloc(BLOCK * n + SLACK), kernels.alloc(BLOCK + SLACK)];
  const out = new Uint8Array(pixels);
  for (let first = 0; first < pixels; first += BLOCK) {
    const count = Math.min(BLOCK, pixels - first);
    planes.forEach((plane, k) => kernels.u8(src + BLOCK * k, count).set(plane.subarray(first, first + count)));
    kernels.run.mode(n, src, BLOCK, dst, count, nodata ?? -1, rows);
    out.set(kernels.u8(dst, count), first);
  }
  return out;
}

function checkedLength(planes: readonly (Int16Array | Uint8Array)[]): number {
  const [first] = planes;
  if (first === undefined || planes.length > MOST_PLANES)
    throw new RangeError(`planes: there are ${planes.length}; give 1 to ${MOST_PLANES}`);
  if (planes.some(({ length }) => length !== first.length))
    throw new RangeError('planes: their lengths differ; give planes of one grid');
  return first.length;
}
