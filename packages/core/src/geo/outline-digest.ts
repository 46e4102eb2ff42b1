import type { Position } from 'geojson';
import { multiCoordinates, type Outline } from './outlines.ts';

/** Constants of MurmurHash 2 and 3 (Appleby, public domain). The functions below contain more of them. */
const [FACTOR_A, FACTOR_B, ADDED] = [0xcc9e_2d51, 0x1b87_3593, 0xe654_6b64 | 0];

/**
 * Digests by list of outlines, cached because every Item of a run needs one. Half a million corners take 40 ms of CPU.
 */
const cache = new WeakMap<readonly Outline[], string>();

/**
 * Returns a digest (16 hex digits) of the corners of outlines, which detects accidental differences. Cached, so the
 * list must not be changed afterwards.
 */
export function outlineDigest(outlines: readonly Outline[]): string {
  const cached = cache.get(outlines);
  if (cached !== undefined) return cached;
  const digest = digestOf(outlines);
  cache.set(outlines, digest);
  return digest;
}

function digestOf(outlines: readonly Outline[]): string {
  const sums = Uint32Array.of(0x9747_b28c, 0x85eb_ca6b);
  for (const outline of outlines) {
    const rings = multiCoordinates([outline]).flat();
    add(sums, Float64Array.of(rings.length, ...rings.map(({ length }) => length)));
    for (const ring of rings) add(sums, numbersOf(ring));
  }
  return Array.from(sums, (sum) => sum.toString(16).padStart(8, '0')).join('');
}

function numbersOf(ring: readonly Position[]): Float64Array {
  let count = 0;
  for (const { length } of ring) count += length;
  const numbers = new Float64Array(count);
  let at = 0;
  for (const corner of ring) for (let i = 0; i < corner.length; i += 1) numbers[at++] = corner[i]!;
  return numbers;
}

/** Adds numbers to both sums. The sums are copied to local variables, which are several times as fast as an array. */
function add(sums: Uint32Array, numbers: Float64Array): void {
  let [a = 0, b = 0] = sums;
  const words = new Int32Array(numbers.buffer);
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i]!;
    const mixedA = Math.imul(a ^ word, FACTOR_A);
    const mixedB = Math.imul(b ^ word, FACTOR_B);
    a = (Math.imul(mixedA ^ (mixedA >>> 15), 0x5bd1_e995) + ADDED) | 0;
    b = (Math.imul(mixedB ^ (mixedB >>> 15), 0x5bd1_e995) + ADDED) | 0;
  }
  sums.set([a, b]);
}
