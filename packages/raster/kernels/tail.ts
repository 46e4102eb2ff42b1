const SPARE = memory.data(16, 16);

/** Stores the first `count` int16 lanes of a vector; `count` is less than 8. */
export function storeTail(dst: usize, v: v128, count: i32): void {
  v128.store(SPARE, v);
  memory.copy(dst, SPARE, <usize>count << 1);
}
