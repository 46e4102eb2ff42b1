import { setImmediate } from 'node:timers/promises';

/** Number of values up to which a comparison sort is faster than passes over 65,536 buckets. */
const FEW = 4096;
/** Number of values that are processed between two turns of the event loop. */
const PART = 2 ** 18;
const BUCKETS = 65_536;

/**
 * Calls `visit` with the parts of [0, count), one after the other. Other work can run between two parts. Throws the
 * signal's reason if it is aborted.
 */
export async function inParts(
  count: number,
  signal: AbortSignal,
  visit: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += PART) {
    signal.throwIfAborted();
    visit(from, Math.min(count, from + PART));
    if (from + PART < count) await setImmediate();
  }
}

/**
 * Indices of the values in ascending order; equal values stay in their order. Many values are sorted by the 16-bit digits of their bits, from
 * the lowest digit. No value may be NaN. -0 is before 0.
 */
export async function ascendingOrder(values: Float64Array, signal: AbortSignal): Promise<Uint32Array> {
  let order = new Uint32Array(values.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (values.length <= FEW) return order.sort((a, b) => values[a]! - values[b]!);
  const digits = new Uint16Array(values.buffer, values.byteOffset, 4 * values.length);
  // Changes the bits; larger bits then mean larger values. Inverts all bits of negative values, and only the sign bit
  // of all other values.
  const digitOf = (index: number, place: number): number => {
    const flip = digits[4 * index + 3]! >= 0x8000 ? 0xffff : place === 3 ? 0x8000 : 0;
    return digits[4 * index + place]! ^ flip;
  };
  let next = new Uint32Array(values.length);
  for (let place = 0; place < 4; place++) {
    const starts = new Uint32Array(BUCKETS + 1);
    await inParts(values.length, signal, (from, to) => {
      for (let i = from; i < to; i++) starts[digitOf(i, place) + 1]!++;
    });
    // All values have the same digit, such as the low digits of whole numbers.
    if (starts.includes(values.length)) continue;
    for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1] = starts[bucket + 1]! + starts[bucket]!;
    await inParts(values.length, signal, (from, to) => {
      for (let k = from; k < to; k++) next[starts[digitOf(order[k]!, place)]!++] = order[k]!;
    });
    [order, next] = [next, order];
  }
  return order;
}
