/** Mixes integers into one unsigned 32-bit number (murmur3 finaliser), the same on every machine. */
export function hash32(...parts: readonly number[]): number {
  let h = 0x9e3779b9;
  for (const part of parts) {
    h = Math.imul(h ^ (part | 0), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

/** Number in [0, 1) that depends only on the given integers. */
export function chance(...parts: readonly number[]): number {
  return hash32(...parts) / 4_294_967_296;
}

/** Number in [low, high) that depends only on the integers of the key. */
export function between(low: number, high: number, key: readonly number[]): number {
  return low + (high - low) * chance(...key);
}

/** Seeded stream of numbers in [0, 1) (mulberry32). */
export function randomStream(seed: number): () => number {
  let state = hash32(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `length` draws of a normal distribution with mean 0 and deviation 1 (sum of 12 uniform draws). */
export function gaussianTable(length: number, seed: number): Float32Array {
  const next = randomStream(seed);
  return Float32Array.from({ length }, () => {
    let sum = -6;
    for (let i = 0; i < 12; i += 1) sum += next();
    return sum;
  });
}
