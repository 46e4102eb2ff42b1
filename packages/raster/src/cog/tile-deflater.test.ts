import { constants, deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { createKernels, SLACK } from '../pixels/kernels.ts';
import { deflateRuns } from './tile-deflater.ts';

/** Runs of values: [value, length]. Lengths around those of the longest match (258 bytes) are frequent. */
const RUNS = fc.array(
  fc.tuple(
    fc.oneof(fc.constantFrom(0, 1, 7), fc.nat(255)),
    fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 255, max: 264 }), fc.integer({ min: 1, max: 3000 })),
  ),
  { minLength: 1, maxLength: 300 },
);

const bytesOf = (runs: readonly (readonly [number, number])[]): Uint8Array =>
  Uint8Array.from(runs.flatMap(([value, length]) => Array.from({ length }, () => value)));

function expectSame(bytes: Uint8Array): Uint8Array {
  const stream = deflateRuns(bytes);
  // Not `toEqual`, which takes long for large arrays.
  expect(Buffer.compare(inflateSync(stream), bytes)).toBe(0);
  return stream;
}

it('zlib decompresses runs of any values and lengths to the same bytes', () => {
  fc.assert(
    fc.property(RUNS, (runs) => void expectSame(bytesOf(runs))),
    { numRuns: sized(300, 20_000), seed: 31 },
  );
});

it('zlib decompresses bytes without runs, and a single byte, to the same bytes', () => {
  for (let value = 0; value < 256; value++) expectSame(Uint8Array.of(value));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20_000 }), (bytes) => void expectSame(bytes)),
    { numRuns: sized(100, 2000), seed: 32 },
  );
});

it('codes have at most 15 bits, also if frequencies grow like Fibonacci numbers', () => {
  const frequencies = [1, 1];
  while (frequencies.length < 24) frequencies.push(frequencies.at(-1)! + frequencies.at(-2)!);
  // The order changes, so that there are no runs.
  const bytes = new Uint8Array(frequencies.reduce((sum, each) => sum + each));
  let at = 0;
  for (const [value, count] of frequencies.entries())
    for (let i = 0; i < count; i++, at = (at + 48_611) % bytes.length) {
      while (bytes[at] !== 0) at = (at + 1) % bytes.length;
      bytes[at] = value + 1;
    }
  expectSame(bytes);
});

/** Tile of 512 x 512 pixels; `valueAt` returns the value of a run that begins at a pixel, and `mean` its mean length. */
function tileOf(valueAt: (at: number, random: number) => number, mean: (at: number) => number): Uint8Array {
  let state = 1;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  let value = 0;
  return Uint8Array.from({ length: 512 * 512 }, (_, at) => {
    if (at === 0 || next() < 1 / mean(at)) value = valueAt(at, next());
    return value;
  });
}

const HALF = 512 * 256;

it.each([
  [
    'classes',
    tileOf(
      (_, random) => 1 + Math.floor(12 * random),
      () => 11,
    ),
  ],
  [
    'two landscapes',
    tileOf(
      (at, random) => (at < HALF ? 1 : 7) + Math.floor(6 * random),
      () => 3,
    ),
  ],
  [
    'forest and fields',
    tileOf(
      (at, random) => (at < HALF ? 1 : 3) + Math.floor(6 * random),
      (at) => (at < HALF ? 25 : 4),
    ),
  ],
  [
    'half nodata',
    tileOf(
      (at, random) => (at < HALF ? 1 + Math.floor(8 * random) : 0),
      () => 4,
    ),
  ],
  [
    'heights',
    tileOf(
      (at, random) => Math.floor(at / 1024 + 8 * random) & 255,
      () => 1,
    ),
  ],
])('is not larger than run-length coding of zlib by more than 2 %%: %s', (_, bytes) => {
  const zlib = deflateSync(bytes, { level: 6, strategy: constants.Z_RLE });
  expect(expectSame(bytes).length).toBeLessThan(1.02 * zlib.length);
});

it('refuses no bytes, and more than fit in its memory', () => {
  for (const length of [0, 2 ** 20 + 1])
    expect(() => deflateRuns(new Uint8Array(length))).toThrow(`${length} bytes cannot be compressed`);
  expectSame(new Uint8Array(2 ** 20).fill(7));
});

it('writes only into the memory for its result', () => {
  const kernels = createKernels();
  const most = 5000;
  const [from, tokens] = [kernels.alloc(most + SLACK), kernels.alloc(2 * most + SLACK)];
  const to = kernels.alloc(2 * most);
  const end = kernels.alloc(SLACK);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: most }), (bytes) => {
      const { length } = bytes;
      kernels.u8(from, length).set(bytes);
      kernels.u8(tokens + 2 * length + 16, SLACK - 16).fill(0xa5);
      kernels.u8(to, end - to).fill(0xa5);
      const bound = length + (length >> 3) + 512;
      expect(kernels.run.deflateRuns(from, length, tokens, to)).toBeLessThanOrEqual(bound);
      expect(kernels.u8(to + bound, end - to - bound).every((byte) => byte === 0xa5)).toBe(true);
      expect(kernels.u8(tokens + 2 * length + 16, SLACK - 16).every((byte) => byte === 0xa5)).toBe(true);
    }),
    { numRuns: sized(200, 5000), seed: 33 },
  );
});
