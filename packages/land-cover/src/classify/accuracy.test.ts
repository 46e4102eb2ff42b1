import { expect, it } from 'vitest';
import { classifyBlock } from './blocks.ts';
import { seeded, simulateBlock } from './simulated-year.fixture.ts';

const CLASSES = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12];

// The simulation mixes spectra of soil, leaf, roof, rock and water; it uses no index or threshold of the
// classification.
it('classifies simulated reflectance under monsoon clouds with an accuracy of at least 0.95, and at least 0.85 in each class', () => {
  const codes = Array.from({ length: 3300 }, (_, i) => CLASSES[i % CLASSES.length] ?? 0);
  const { core, ...block } = simulateBlock(codes, seeded(20260701));
  const outputs = {
    labels: new Uint8Array(codes.length),
    crops: new Uint8Array(codes.length),
    quality: new Uint8Array(codes.length),
  };
  classifyBlock({ ...block, outputs, params: { core } });
  const right = (code?: number): number => {
    const members = codes.flatMap((c, i) => (code === undefined || c === code ? [i] : []));
    return members.filter((i) => outputs.labels[i] === codes[i]).length / members.length;
  };
  expect(right()).toBeGreaterThanOrEqual(0.95);
  expect(CLASSES.filter((code) => right(code) < 0.85)).toEqual([]);
});
