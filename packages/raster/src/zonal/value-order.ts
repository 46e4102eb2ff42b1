import { setImmediate } from 'node:timers/promises';

/** Maximum number of values for which a comparison sort is faster than a radix sort with 65,536 buckets. */
const FEW = 4096;
/** Number of values after which the event loop can run other work. */
const PART = 2 ** 18;
const BUCKETS = 65_536;

/**
 * Divides [0, count) into parts, and calls `visit` for one part after the other. Between two parts, the event loop can
 * run other work. Throws the signal's reason if the signal aborts.
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
 * Indices of the values in ascending order; equal values remain in their order. Many values are sorted by a radix sort: by the 16-bit digits
 * of their bits, from the lowest digit. No value may be NaN. The radix sort puts -0 before 0.
 */
export async function ascendingOrder(values: Float64Array, signal: AbortSignal): Promise<Uint32Array> {
  let order = new Uint32Array(values.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (values.length <= FEW) return order.sort((a, b) => values[a]! - values[b]!);
  const digits = new Uint16Array(values.buffer, values.byteOffset, 4 * values.length);
  // Changes the bits so that the order of the bits, read as integers, is the order of the values: inverts all bits of
  // negative values, and only the sign bit of other values.
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
    // If all values have the same digit here, as small whole numbers have in their low digits, this pass would change
    // nothing.
    if (starts.includes(values.length)) continue;
    for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1] = starts[bucket + 1]! + starts[bucket]!;
    await inParts(values.length, signal, (from, to) => {
      for (let k = from; k < to; k++) next[starts[digitOf(order[k]!, place)]!++] = order[k]!;
    });
    [order, next] = [next, order];
  }
  return order;
}
