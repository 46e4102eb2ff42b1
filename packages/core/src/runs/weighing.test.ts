import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWeighing } from './weighing.ts';

const steps = [
  { name: 'read', weight: 1 },
  { name: 'compute', weight: 6 },
  { name: 'write', weight: 3 },
];

describe('createWeighing', () => {
  it('weighs the steps; steps before the current one count as complete', () => {
    const weighing = createWeighing(steps);
    expect(weighing.note('read', 0)).toBe(0);
    expect(weighing.note('read', 0.5)).toBeCloseTo(0.05);
    expect(weighing.note('compute', 0.5)).toBeCloseTo(0.4);
    expect(weighing.note('write', 1)).toBe(1);
  });

  it('never decreases, and stays between 0 and 1 for any input', () => {
    const note = fc.tuple(fc.constantFrom('read', 'compute', 'write'), fc.double());
    fc.assert(
      fc.property(fc.array(note), (notes) => {
        const weighing = createWeighing(steps);
        let last = 0;
        for (const [step, share] of notes) {
          const now = weighing.note(step, share);
          expect(now).toBeGreaterThanOrEqual(last);
          expect(now).toBeLessThanOrEqual(1);
          last = now;
        }
      }),
    );
  });

  it('refuses an undeclared step', () => {
    expect(() => createWeighing(steps).note('sleep', 1)).toThrow('Step "sleep"');
  });

  it('stays at 0 if all weights are 0', () => {
    expect(createWeighing([{ name: 'a', weight: 0 }]).note('a', 1)).toBe(0);
  });
});
