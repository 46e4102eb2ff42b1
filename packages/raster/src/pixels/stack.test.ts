import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { modeReference, percentileReference } from './reference.ts';
import { modeOfPlanes, percentileOfPlanes } from './stack.ts';

const pixels = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(4096, 4100));
const counts = fc.oneof(fc.integer({ min: 1, max: 24 }), fc.constantFrom(73, 255));
const runs = { seed: 20_261_129, numRuns: sized(50, 2000) };
const mixed = (i: number, seed: number): number => Math.imul(i + seed, 2_654_435_761) >>> 8;

describe('percentileOfPlanes', () => {
  it('equals the reference, with missing values and with the least and greatest int16 values that are data', () => {
    const shares = fc.oneof(fc.constantFrom(0, 0.1, 0.5, 0.9, 1), fc.double({ min: 0, max: 1, noNaN: true }));
    const cases = fc.record({
      count: counts,
      size: fc.integer({ min: 1, max: 40 }),
      share: shares,
      seed: fc.nat(),
      wide: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ count, size, share, seed, wide }) => {
        const planes = Array.from({ length: count }, (_, k) =>
          Int16Array.from({ length: size }, (__, i) => {
            const value = mixed(i * count + k, seed);
            return value % 5 === 0 ? -32_768 : wide ? [32_767, -32_767, 0, value][value % 4]! : value % 2000;
          }),
        );
        expect(percentileOfPlanes(planes, share)).toEqual(percentileReference(planes, share));
      }),
      runs,
    );
  });

  it('is the minimum for the share 0, the median for 0.5, and the maximum for 1', () => {
    const planes = [3, 9, -5, -32_768].map((value) => Int16Array.from([value, -32_768]));
    expect([0, 0.25, 0.5, 1].map((share) => percentileOfPlanes(planes, share))).toEqual(
      [-5, -1, 3, 9].map((value) => Int16Array.from([value, -32_768])),
    );
  });

  it('refuses no planes, planes of different lengths, and shares outside of 0 to 1', () => {
    expect(() => percentileOfPlanes([], 0.5)).toThrow('planes: there are 0; give 1 to 255');
    expect(() => percentileOfPlanes([new Int16Array(1), new Int16Array(2)], 0.5)).toThrow('their lengths differ');
    expect(() => percentileOfPlanes([new Int16Array(1)], 50)).toThrow('share: 50 is not a number from 0 to 1');
  });
});

describe('modeOfPlanes', () => {
  it('equals the reference, with and without nodata', () => {
    const few = fc.integer({ min: 1, max: 30 });
    const values = fc.integer({ min: 1, max: 6 });
    const cases = fc.record({
      count: few,
      size: pixels,
      nodata: fc.constantFrom(null, 0, 255),
      seed: fc.nat(),
      values,
    });
    fc.assert(
      fc.property(cases, ({ count, size, nodata, seed, values: different }) => {
        const planes = Array.from({ length: count }, (_, k) =>
          Uint8Array.from({ length: size }, (__, i) => 254 + (mixed(i * count + k, seed) % different)),
        );
        expect(modeOfPlanes(planes, nodata)).toEqual(modeReference(planes, nodata));
      }),
      runs,
    );
  });

  it.each([300, 256, -1, 0.5, Number.NaN])('refuses the nodata value %s, which is not a byte', (nodata) => {
    const planes = [44, 44, 7].map((value) => Uint8Array.of(value));
    expect(() => modeOfPlanes(planes, nodata)).toThrow(
      new RangeError(`nodata: ${nodata} is not a whole number from 0 to 255; give null if every byte counts`),
    );
  });

  it('counts up to 255 equal planes', () => {
    expect(
      modeOfPlanes(
        Array.from({ length: 255 }, () => Uint8Array.of(7)),
        0,
      ),
    ).toEqual(Uint8Array.of(7));
  });
});
