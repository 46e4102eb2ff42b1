const SPARE = memory.data(16, 16);

/** Stores the first `count` < 8 int16 lanes. */
export function storeTail(dst: usize, v: v128, count: i32): void {
  v128.store(SPARE, v);
  memory.copy(dst, SPARE, <usize>count << 1);
}
