import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NEIGHBOUR_ROWS, pixelAgreementBlock, withPixels } from './pixel-agreement.ts';

const percents = Array.from({ length: 95 }, (_, i) => i + 1);

interface Patch {
  readonly cols: number;
  readonly labels: Uint8Array;
  readonly confidence: Uint8Array;
}

function agreed({ cols, labels, confidence }: Patch, from = 0, to = labels.length / cols): Uint8Array {
  const withHalo = (plane: Uint8Array): Uint8Array =>
    Uint8Array.from(
      { length: (to - from + 2 * NEIGHBOUR_ROWS) * cols },
      (_, i) => plane[i + (from - NEIGHBOUR_ROWS) * cols] ?? 0,
    );
  const out = new Uint8Array((to - from) * cols);
  const inputs = { labels: withHalo(labels), confidence: withHalo(confidence) };
  pixelAgreementBlock({ pixels: out.length, cols, inputs, outputs: { confidence: out }, params: {} });
  return out;
}

const patchOf = (labels: readonly (readonly number[])[], percent: number): Patch => ({
  cols: labels[0]?.length ?? 0,
  labels: Uint8Array.from(labels.flat()),
  confidence: Uint8Array.from(labels.flat(), (label) => (label === 0 ? 0 : percent)),
});

it('raises the confidence of a pixel inside of a field a little; lowers it at a border or corner of a field, and for a single pixel of a class', () => {
  const rows = [
    [8, 8, 8, 8, 8],
    [8, 8, 8, 8, 8],
    [8, 8, 8, 6, 6],
    [8, 1, 8, 6, 6],
    [8, 8, 8, 6, 6],
  ];
  const out = agreed(patchOf(rows, 80));
  expect([0, 6, 13, 16, 18, 24].map((i) => out[i])).toEqual([82, 82, 69, 60, 75, 82]);
});

it('counts neither pixels without a class nor pixels outside of the grid', () => {
  expect(agreed(patchOf([[12]], 60))).toEqual(Uint8Array.of(60));
  expect(
    agreed(
      patchOf(
        [
          [0, 0, 0],
          [0, 7, 0],
          [0, 0, 6],
        ],
        60,
      ),
    ),
  ).toEqual(Uint8Array.of(0, 0, 0, 0, 36, 0, 0, 0, 36));
  expect(percents.map((percent) => withPixels(percent, 0, 0))).toEqual(percents);
});

it('does not use pixels at the opposite edge of the grid as neighbours', () =>
  expect(
    agreed(
      patchOf(
        [
          [6, 0, 8],
          [6, 0, 8],
        ],
        50,
      ),
    ),
  ).toEqual(Uint8Array.of(52, 0, 52, 52, 0, 52)));

it('one more agreeing neighbour or greater confidence never lowers the result, which stays between 1 and 95', () => {
  for (const percent of percents)
    for (let same = 0; same <= 8; same++)
      for (let other = 0; same + other <= 8; other++) {
        const now = withPixels(percent, same, other);
        expect(now >= 1 && now <= 95).toBe(true);
        if (other > 0) expect(withPixels(percent, same + 1, other - 1)).toBeGreaterThanOrEqual(now);
        if (percent < 95) expect(withPixels(percent + 1, same, other)).toBeGreaterThanOrEqual(now);
      }
  expect([withPixels(80, 8, 0), withPixels(80, 4, 4), withPixels(80, 0, 8), withPixels(80, 0, 1)]).toEqual([
    82, 72, 60, 60,
  ]);
});

const patches = fc.integer({ min: 1, max: 7 }).chain((cols) =>
  fc.integer({ min: 1, max: 9 }).chain((rows) =>
    fc.record({
      cols: fc.constant(cols),
      labels: fc.uint8Array({ minLength: cols * rows, maxLength: cols * rows, max: 3 }),
      confidence: fc.uint8Array({ minLength: cols * rows, maxLength: cols * rows, max: 95 }),
    }),
  ),
);

it('computes the same confidence for blocks of any height', () => {
  fc.assert(
    fc.property(patches, fc.integer({ min: 1, max: 9 }), (patch, height) => {
      const rows = patch.labels.length / patch.cols;
      const cuts = Array.from({ length: Math.ceil(rows / height) }, (_, i) => i * height);
      const parts = cuts.flatMap((from) => [...agreed(patch, from, Math.min(rows, from + height))]);
      expect(Uint8Array.from(parts)).toEqual(agreed(patch));
    }),
  );
});

it('throws an error that names the needed cols and planes if they are missing', () =>
  expect(() => pixelAgreementBlock({ pixels: 1, inputs: {}, outputs: {}, params: {} })).toThrow(
    /pixelAgreementBlock: needs cols, inputs labels and confidence/,
  ));
