import { setImmediate } from 'node:timers/promises';

/** A comparison sort is faster than a radix sort for fewer values. */
const FEW = 4096;
/** Number of values after which the event loop can run other work. */
const PART = 2 ** 18;
const BUCKETS = 65_536;

/** Calls `visit` for parts of [0, count). Other work can run between two parts. Throws the reason of an abort. */
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
 * Indices of the values in ascending order; equal values keep their order. No value may be NaN. With many values, -0 is
 * before 0.
 */
export async function ascendingOrder(values: Float64Array, signal: AbortSignal): Promise<Uint32Array> {
  let order = new Uint32Array(values.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (values.length <= FEW) return order.sort((a, b) => values[a]! - values[b]!);
  const digits = new Uint16Array(values.buffer, values.byteOffset, 4 * values.length);
  // Inverts all bits of negative values, and the sign bit of others, so that the bits sort like the values.
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
    // All values have the same digit here, so this pass changes nothing.
    if (starts.includes(values.length)) continue;
    for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1] = starts[bucket + 1]! + starts[bucket]!;
    await inParts(values.length, signal, (from, to) => {
      for (let k = from; k < to; k++) next[starts[digitOf(order[k]!, place)]!++] = order[k]!;
    });
    [order, next] = [next, order];
  }
  return order;
}
