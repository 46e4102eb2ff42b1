import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { IndexKernel } from './index-kernel.ts';
import { MedianKernel } from './median-kernel.ts';
import { undoHorizontal } from '../tiff/tile-decoder.ts';
import { createKernels } from './kernels.ts';
import type { Kernels } from './kernels.ts';
import {
  claimReference,
  clearReference,
  expandReference,
  markReference,
  medianReference,
  ratioReference,
  roundHalfEven,
} from './reference.ts';

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

let kernels: Kernels;
let next: () => number;
beforeEach(() => {
  kernels = createKernels();
  next = random(7);
});

function put16(values: Uint16Array | Int16Array): number {
  const address = kernels.alloc(2 * values.length + 64);
  kernels.u16(address, values.length).set(values);
  return address;
}
function put8(values: Uint8Array): number {
  const address = kernels.alloc(values.length + 64);
  kernels.u8(address, values.length).set(values);
  return address;
}
const words = (n: number, max = 65536): Uint16Array => Uint16Array.from({ length: n }, () => Math.floor(next() * max));
const bytes = (n: number, max = 256): Uint8Array => Uint8Array.from({ length: n }, () => Math.floor(next() * max));

describe('the committed module', () => {
  it('is equal to the compiled sources', () => {
    const script = fileURLToPath(new URL('../../scripts/build-kernels.mjs', import.meta.url));
    const built = execFileSync(process.execPath, [script, '--stdout'], { encoding: 'utf8' });
    expect(built).toBe(readFileSync(new URL('./kernels.generated.ts', import.meta.url), 'utf8'));
  });
});

describe('undoing the horizontal predictor', () => {
  it.each([1, 7, 8, 9, 64, 131])('equals the reference for uint16 rows of %i', (cols) => {
    const samples = words(cols * 3);
    const address = put16(samples);
    kernels.run.undo16(address, 2 * cols, address, 2 * cols, cols, 3);
    undoHorizontal(samples, { cols, rows: 3 });
    expect(kernels.u16(address, cols * 3)).toEqual(samples);
  });
  it.each([1, 15, 16, 17, 100])('equals the reference for uint8 rows of %i with other strides', (cols) => {
    const samples = bytes(cols * 2);
    const [from, to] = [put8(samples), put8(new Uint8Array((cols + 5) * 2))];
    kernels.run.undo8(from, cols, to, cols + 5, cols, 2);
    undoHorizontal(samples, { cols, rows: 2 });
    const out = kernels.u8(to, (cols + 5) * 2);
    expect(out.slice(0, cols)).toEqual(samples.slice(0, cols));
    expect(out.slice(cols + 5, 2 * cols + 5)).toEqual(samples.slice(cols));
  });
});

describe('indices', () => {
  const none = { offset: 0, nodata: 0 };
  it.each([1, 8, 13, 4096])(
    'the normalised difference of %i pixels equals the reference, with offset, nodata and mask',
    (pixels) => {
      const [a, b] = [words(pixels, 4000), words(pixels, 4000)];
      for (let i = 0; i < pixels; i += 5) a[i] = 0;
      const mask = bytes(pixels, 2).map((bit) => (bit === 0 ? 0 : 255));
      const dst = put16(new Int16Array(pixels + 8).fill(77));
      const formula = { kind: 'ratio', plus: ['a'], minus: ['b'] } as const;
      const operands = new Map([
        ['a', { address: put16(a), offset: -1000, nodata: 0 }],
        ['b', { address: put16(b), offset: 0, nodata: null }],
      ]);
      new IndexKernel(kernels).run({ name: 'n', formula, from: 0, to: 1 }, operands, { mask: put8(mask), dst, pixels });
      const expected = ratioReference(
        [{ samples: a, offset: -1000, nodata: 0 }],
        [{ samples: b, offset: 0, nodata: null }],
        mask,
      );
      expect(kernels.i16(dst, pixels)).toEqual(expected);
      expect(kernels.i16(dst + 2 * pixels, 8)).toEqual(new Int16Array(8).fill(77));
    },
  );
  it.each([1, 8, 13, 16, 23, 4096])(
    'the normalised difference of %i pixels of bands without offsets equals the reference',
    (pixels) => {
      const [a, b] = [words(pixels, pixels === 4096 ? 65536 : 4000), words(pixels)];
      for (let i = 0; i < pixels; i += 5) a[i] = 0;
      for (let i = 0; i < pixels; i += 7) b[i] = 0;
      const mask = bytes(pixels, 2).map((bit) => (bit === 0 ? 0 : 255));
      const dst = put16(new Int16Array(pixels + 8).fill(77));
      const formula = { kind: 'ratio', plus: ['a'], minus: ['b'] } as const;
      const operands = new Map([
        ['a', { address: put16(a), ...none }],
        ['b', { address: put16(b), ...none }],
      ]);
      new IndexKernel(kernels).run({ name: 'n', formula, from: 0, to: 1 }, operands, { mask: put8(mask), dst, pixels });
      expect(kernels.i16(dst, pixels)).toEqual(
        ratioReference([{ samples: a, ...none }], [{ samples: b, ...none }], mask),
      );
      expect(kernels.i16(dst + 2 * pixels, 8)).toEqual(new Int16Array(8).fill(77));
    },
  );
  it('of sums of two bands equal the reference', () => {
    const bands = ['a', 'b', 'c', 'd'].map((name) => ({ name, samples: words(1001, 9000) }));
    const mask = new Uint8Array(1001).fill(255);
    const dst = put16(new Int16Array(1001));
    const operands = new Map(bands.map(({ name, samples }) => [name, { address: put16(samples), ...none }]));
    const index = {
      name: 'n',
      formula: { kind: 'ratio', plus: ['a', 'b'], minus: ['c', 'd'] },
      from: 0,
      to: 1,
    } as const;
    new IndexKernel(kernels).run(index, operands, { mask: put8(mask), dst, pixels: 1001 });
    const references = bands.map(({ samples }) => ({ samples, ...none }));
    expect(kernels.i16(dst, 1001)).toEqual(ratioReference(references.slice(0, 2), references.slice(2), mask));
  });
  it('of the reference are rounded half to even', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, 2.4999].map(roundHalfEven)).toEqual([0, 2, 2, 0, -2, 2]);
  });
  it.each([
    [1, 2000, 500],
    [8, 2000, -10_001],
    [1003, 2000, 500],
    [1003, 0, -3000],
    [1003, 70_000, 500],
  ])(
    'of %i pixels are marked as in the reference where a band is at least %i and the index is above %i',
    (pixels, from, above) => {
      const [a, b, c] = [words(pixels, 4000), words(pixels, 4000), words(pixels)];
      for (let i = 0; i < pixels; i += 7) c[i] = 40_000;
      const mask = bytes(pixels, 2).map((bit) => (bit === 0 ? 0 : 255));
      const dst = put16(new Int16Array(pixels + 8).fill(77));
      const bright = { samples: c, offset: -1000, nodata: 40_000 };
      const operands = new Map([
        ['a', { address: put16(a), ...none }],
        ['b', { address: put16(b), ...none }],
        ['c', { address: put16(c), offset: -1000, nodata: 40_000 }],
      ]);
      const formula = { kind: 'ratio', plus: ['a'], minus: ['b'], bright: { band: 'c', from, above } } as const;
      new IndexKernel(kernels).run({ name: 'n', formula, from: 0, to: 1 }, operands, { mask: put8(mask), dst, pixels });
      const plain = ratioReference([{ samples: a, ...none }], [{ samples: b, ...none }], mask);
      expect(kernels.i16(dst, pixels)).toEqual(markReference(plain, bright, { from, above }));
      expect(kernels.i16(dst + 2 * pixels, 8)).toEqual(new Int16Array(8).fill(77));
    },
  );
  it('of one band are its values, without its nodata', () => {
    const values = Int16Array.from([5, -32768, 7, -3, 9]);
    const dst = put16(new Int16Array(5));
    const operands = new Map([['v', { address: put16(values), offset: 0, nodata: 7 }]]);
    const to = { mask: put8(Uint8Array.from([255, 255, 255, 255, 0])), dst, pixels: 5 };
    new IndexKernel(kernels).run({ name: 'v', formula: { kind: 'band', band: 'v' }, from: 0, to: 1 }, operands, to);
    expect([...kernels.i16(dst, 5)]).toEqual([5, -32768, -32768, -3, -32768]);
  });
});

describe('medians', () => {
  it.each([2, 3, 4, 5, 6, 7, 8, 11, 12, 15, 16, 17, 24, 73])(
    'of %i dates equal the reference, with any number of missing dates',
    (count) => {
      const pixels = 203;
      const planes = Array.from({ length: count }, () =>
        Int16Array.from({ length: pixels }, (_, i) =>
          next() < (i % 11) / 10 ? -32768 : Math.floor(next() * 20001) - 10000,
        ),
      );
      const src = kernels.alloc(2 * pixels * count + 64);
      for (const [k, plane] of planes.entries()) kernels.i16(src + 2 * pixels * k, pixels).set(plane);
      const dst = put16(new Int16Array(pixels));
      const median = new MedianKernel(kernels);
      median.prepare(count);
      median.run(count, { src, stride: 2 * pixels, dst, pixels });
      expect(kernels.i16(dst, pixels)).toEqual(medianReference(planes));
    },
  );
});

describe('masks', () => {
  it('expand each bit to one pixel or to 2 x 2 pixels, for windows at any position', () => {
    const [cols, rows] = [75, 9];
    const clear = bytes(cols * rows, 2);
    const stride = 2 * Math.ceil(cols / 16) + 2;
    const bits = put8(new Uint8Array(stride * rows));
    clear.forEach((bit, i) => {
      const at = bits + Math.floor(i / cols) * stride + ((i % cols) >> 3);
      const view = kernels.u8(at, 1);
      view[0] = (view[0] ?? 0) | (bit << ((i % cols) & 7));
    });
    const line = kernels.alloc(400);
    for (const [shift, col, row] of [
      [0, 3, 1],
      [0, 16, 0],
      [1, 0, 0],
      [1, 5, 3],
      [1, 33, 2],
    ] as const) {
      const window = { cols: 40, rows: 5 };
      const dst = kernels.alloc(window.cols * window.rows + 64);
      kernels.run.expandBits(bits, stride, col, row, shift, window.cols, window.rows, dst, line);
      const expected = Array.from(
        { length: 200 },
        (_, i) => 255 * (clear[((row + Math.floor(i / 40)) >> shift) * cols + ((col + (i % 40)) >> shift)] ?? 0),
      );
      expect([...kernels.u8(dst, 200)]).toEqual(expected);
    }
  });
  it.each([0, 1, 2])('have the same clear pixels as the reference if clouds are extended by %i pixels', (dilate) => {
    const [cols, rows] = [45, 20];
    const rule = { keep: [4, 5, 200], grow: [8, 9], dilate };
    const codes = bytes(cols * rows).map((code) => (code < 6 ? 8 : code < 20 ? 200 : 4 + (code % 2)));
    const stride = 96;
    const table = new Uint8Array(256);
    for (const code of rule.keep) table[code] = 1;
    for (const code of rule.grow) table[code] = 2;
    const size = stride * (rows + 2) + 32;
    let [from, to] = [put8(new Uint8Array(size)), put8(new Uint8Array(size))];
    kernels.run.flagCodes(put8(codes), from + stride + 16, stride, cols, rows, put8(table));
    for (let pass = 0; pass < dilate; pass++) {
      kernels.run.dilate(from + stride + 16, to + stride + 16, stride, cols, rows);
      [from, to] = [to, from];
    }
    const packed = kernels.alloc(8 * rows + 16);
    const count = kernels.run.packClear(from + stride + 16, stride, packed, 8, cols, rows);
    const bits = kernels.u8(packed, 8 * rows);
    const clear = Uint8Array.from(
      codes,
      (_, i) => ((bits[Math.floor(i / cols) * 8 + ((i % cols) >> 3)] ?? 0) >> ((i % cols) & 7)) & 1,
    );
    const expected = clearReference(codes, cols, rule);
    expect(clear).toEqual(expected);
    expect(count).toBe(expected.filter((bit) => bit === 1).length);
  });
  it('count each pixel at most once a day', () => {
    const values = put16(Int16Array.from([5, -32768, 7]));
    const seen = put8(Uint8Array.from([0, 0, 255]));
    const counts = put16(Uint16Array.from([3, 3, 3]));
    expect(kernels.run.countClear(values, seen, counts, 3)).toBe(2);
    expect([...kernels.u16(counts, 3)]).toEqual([4, 3, 3]);
    expect([...kernels.u8(seen, 3)]).toEqual([255, 0, 255]);
  });
  it.each([8, 21, 4096])('count %i pixels like a simple loop', (pixels) => {
    const values = Int16Array.from({ length: pixels }, () =>
      next() < 0.3 ? -32768 : Math.floor(next() * 20_000) - 10_000,
    );
    const before = Uint8Array.from({ length: pixels }, () => (next() < 0.5 ? 0 : 255));
    const had = words(pixels, 100);
    const [at, seen, counts] = [put16(values), put8(before), put16(had)];
    expect(kernels.run.countClear(at, seen, counts, pixels)).toBe(values.filter((v) => v !== -32768).length);
    const isNew = (v: number, i: number): boolean => v !== -32768 && before[i] === 0;
    expect(kernels.u16(counts, pixels)).toEqual(had.map((n, i) => n + (isNew(values[i] ?? 0, i) ? 1 : 0)));
    expect(kernels.u8(seen, pixels)).toEqual(before.map((byte, i) => (isNew(values[i] ?? 0, i) ? 255 : byte)));
  });
});

it.each([
  [0, 0],
  [1, 0],
  [3, 5],
])('repeats 20 m samples 2 x 2 from (%i, %i)', (col, row) => {
  const samples = words(60 * 20);
  const window = { col, row, cols: 77, rows: 9 };
  const dst = kernels.alloc(2 * 77 * 9 + 64);
  kernels.run.expand16(put16(samples), 120, col, row, window.cols, window.rows, dst);
  expect(kernels.u16(dst, 77 * 9)).toEqual(expandReference(samples, 60, window));
});

describe('several scenes of one day', () => {
  const flags = (n: number): Uint8Array => bytes(n, 2).map((bit) => 255 * bit);
  const some = (n: number): Int16Array => Int16Array.from({ length: n }, () => (next() < 0.3 ? -32768 : 5));

  it.each([1, 15, 16, 17, 130])(
    'claim the pixels that they observed, except those with missing values: %i pixels',
    (n) => {
      const planes = { observed: flags(n), mask: flags(n), values: some(n), claimed: flags(n) };
      const [observed, mask, claimed] = [put8(planes.observed), put8(planes.mask), put8(planes.claimed)];
      const count = kernels.run.claimObserved(observed, mask, put16(planes.values), claimed, n);
      expect(kernels.u8(claimed, n)).toEqual(claimReference(planes));
      expect(count).toBe(planes.mask.filter((bit, i) => bit !== 0 && planes.values[i] !== -32768).length);
    },
  );

  it.each([1, 15, 16, 33])('use only pixels that no earlier scene claimed: rows of %i', (cols) => {
    const [mask, claimed] = [flags(cols * 3), flags(cols * 3)];
    const left = mask.map((bit, i) => bit & ~(claimed[i] ?? 0));
    const [at, profile] = [put8(mask), put8(new Uint8Array(cols))];
    expect(kernels.run.takeUnclaimed(at, put8(claimed), profile, cols, 3)).toBe(left.includes(255) ? 1 : 0);
    expect(kernels.u8(at, cols * 3)).toEqual(left);
    const expected = Uint8Array.from(
      { length: cols },
      (_, x) => (left[x] ?? 0) | (left[cols + x] ?? 0) | (left[2 * cols + x] ?? 0),
    );
    expect(kernels.u8(profile, cols)).toEqual(expected);
    expect(kernels.run.takeUnclaimed(at, put8(new Uint8Array(cols * 3).fill(255)), profile, cols, 3)).toBe(0);
  });

  it.each([1, 7, 8, 9, 40])('replace existing values, except where the new value is nodata: %i pixels', (n) => {
    const [from, to] = [some(n), Int16Array.from({ length: n }, (_, i) => i)];
    const dst = put16(to);
    kernels.run.merge16(put16(from), dst, n);
    expect(kernels.i16(dst, n)).toEqual(to.map((value, i) => (from[i] === -32768 ? value : (from[i] ?? 0))));
  });
});
