import { multiCoordinates, type Outline } from './outlines.ts';

/** These and those below are constants of MurmurHash 2 and 3 (Appleby, public domain). */
const FACTORS = [0xcc9e_2d51, 0x1b87_3593] as const;

/**
 * 16 hex digits that are equal for the same outlines, corner by corner: by them a layer's Item tells for which boundary it was made.
 * Against chance, not against somebody who looks for a second boundary of one digest.
 */
export function outlineDigest(outlines: readonly Outline[]): string {
  const sums = Uint32Array.of(0x9747_b28c, 0x85eb_ca6b);
  for (const outline of outlines) {
    const rings = multiCoordinates([outline]).flat();
    add(sums, Float64Array.of(rings.length, ...rings.map(({ length }) => length)));
    for (const ring of rings) add(sums, Float64Array.from(ring.flat()));
  }
  return Array.from(sums, (sum) => sum.toString(16).padStart(8, '0')).join('');
}

/** Mixes numbers into both sums, each word with another factor. */
function add(sums: Uint32Array, numbers: Float64Array): void {
  for (const word of new Uint32Array(numbers.buffer)) {
    for (const [at, factor] of FACTORS.entries()) {
      const mixed = Math.imul(sums[at]! ^ word, factor);
      sums[at] = Math.imul(mixed ^ (mixed >>> 15), 0x5bd1_e995) + 0xe654_6b64;
    }
  }
}
