import { RAMP } from './constants';

// Bytes of a square of `latticeSquares` (11 f64): x at its corners (upper left, upper right, lower left, lower right),
// y at its corners, column, row, side.
const SQUARE: usize = 88;

// Offset of the target window in a frame (11 f64):
// - grid of the source: west, north, pixel width, pixel height
// - patch of the source: first column, first row, columns, rows
// - window of the target: first column, first row, columns
const TARGET: usize = 8 * 8;

// @ts-ignore: decorator
@inline
function copySample<T>(src: usize, place: i32, dst: usize, outside: T): void {
  store<T>(dst, place < 0 ? outside : load<T>(src + <usize>place * sizeof<T>()));
}

// @ts-ignore: decorator
@inline
function warp<T>(squares: usize, count: i32, frame: usize, src: usize, stride: i32, dst: usize, rows: i32, outside: T): void {
  const left = <i32>load<f64>(frame, TARGET);
  const top = <i32>load<f64>(frame, TARGET + 8);
  const cols = <i32>load<f64>(frame, TARGET + 16);
  const west = f64x2.splat(load<f64>(frame));
  const north = f64x2.splat(load<f64>(frame, 8));
  const width = f64x2.splat(load<f64>(frame, 16));
  const height = f64x2.splat(load<f64>(frame, 24));
  const firstCol = f64x2.splat(load<f64>(frame, 32));
  const firstRow = f64x2.splat(load<f64>(frame, 40));
  const patchCols = f64x2.splat(load<f64>(frame, 48));
  const patchRows = f64x2.splat(load<f64>(frame, 56));
  const zero = f64x2.splat(0);
  const ramp = v128.load(RAMP);
  const one = v128.shuffle<f64>(ramp, ramp, 1, 1);
  const two = f64x2.add(one, one);
  for (let k = 0; k < count; k++) {
    const at = squares + <usize>k * SQUARE;
    const left0 = <i32>load<f64>(at, 64);
    const top0 = <i32>load<f64>(at, 72);
    const size = load<f64>(at, 80);
    const c0 = max(left0, left);
    const c1 = min(left0 + <i32>size, left + cols);
    for (let r = max(top0, top), last = min(top0 + <i32>size, top + rows); r < last; r++) {
      const v = <f64>(r - top0) / size;
      const xa = load<f64>(at) + (load<f64>(at, 16) - load<f64>(at)) * v;
      const ya = load<f64>(at, 32) + (load<f64>(at, 48) - load<f64>(at, 32)) * v;
      const xs = (load<f64>(at, 8) + (load<f64>(at, 24) - load<f64>(at, 8)) * v - xa) / size;
      const ys = (load<f64>(at, 40) + (load<f64>(at, 56) - load<f64>(at, 40)) * v - ya) / size;
      let to = dst + (<usize>(r - top) * <usize>cols + <usize>(c0 - left)) * sizeof<T>();
      let step = f64x2.add(f64x2.splat(<f64>(c0 - left0)), ramp);
      let c = c0;
      for (; c < c1; c += 2) {
        const x = f64x2.add(f64x2.splat(xa), f64x2.mul(f64x2.splat(xs), step));
        const y = f64x2.add(f64x2.splat(ya), f64x2.mul(f64x2.splat(ys), step));
        const col = f64x2.sub(f64x2.floor(f64x2.div(f64x2.sub(x, west), width)), firstCol);
        const row = f64x2.sub(f64x2.floor(f64x2.div(f64x2.sub(north, y), height)), firstRow);
        // The comparisons are false for coordinates that are not finite, so such a pixel is outside.
        const inCols = v128.and(f64x2.ge(col, zero), f64x2.lt(col, patchCols));
        const inside = v128.and(inCols, v128.and(f64x2.ge(row, zero), f64x2.lt(row, patchRows)));
        // Narrows lanes of 64 bits to 32 bits. A pixel outside of the patch gets the place -1.
        const narrow = i8x16.shuffle(inside, inside, 0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11);
        const place = i32x4.add(i32x4.mul(i32x4.trunc_sat_f64x2_u_zero(row), i32x4.splat(stride)), i32x4.trunc_sat_f64x2_u_zero(col));
        const places = v128.or(v128.and(place, narrow), v128.not(narrow));
        copySample<T>(src, i32x4.extract_lane(places, 0), to, outside);
        if (c + 1 < c1) copySample<T>(src, i32x4.extract_lane(places, 1), to + sizeof<T>(), outside);
        to += 2 * sizeof<T>();
        step = f64x2.add(step, two);
      }
    }
  }
}

/**
 * Samples a patch by nearest neighbour at the pixel centres of a window of another grid. The patch is at `src`, in
 * rows of `stride` pixels. Coordinates are interpolated between the corners of `count` lattice squares. Pixels outside
 * of the patch get `outside`.
 */
export function warp8(squares: usize, count: i32, frame: usize, src: usize, stride: i32, dst: usize, rows: i32, outside: i32): void {
  warp<u8>(squares, count, frame, src, stride, dst, rows, <u8>outside);
}

/** `warp8` for 16-bit samples. */
export function warp16(squares: usize, count: i32, frame: usize, src: usize, stride: i32, dst: usize, rows: i32, outside: i32): void {
  warp<u16>(squares, count, frame, src, stride, dst, rows, <u16>outside);
}
