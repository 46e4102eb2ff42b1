import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKernels } from '../pixels/kernels.ts';
import { addClassAreas, classAreasReference } from './class-areas.ts';
import { coverageOf } from './coverage.ts';
import { runsIn } from './run-sums.ts';

const grid = { crs: 'EPSG:4326', west: 0, north: 45, pixelWidth: 1, pixelHeight: 1, cols: 55, rows: 45 } as const;
const point = fc.tuple(fc.double({ min: -5, max: 60, noNaN: true }), fc.double({ min: -5, max: 50, noNaN: true }));
const cases = fc.record({
  points: fc.tuple(point, point, point),
  row: fc.integer({ min: 0, max: 44 }),
  rows: fc.integer({ min: 1, max: 45 }),
  run: fc.integer({ min: 1, max: 40 }),
});

describe('addClassAreas', () => {
  it('equals the reference bit for bit for triangles over noise and over runs of equal bytes', () => {
    const kernels = createKernels();
    const rowAreas = Float64Array.from({ length: grid.rows }, (_, row) => 90 + Math.sin(row));
    const check = ({ points, row, rows, run }: typeof cases extends fc.Arbitrary<infer C> ? C : never): void => {
      const coverage = coverageOf({ type: 'Polygon', coordinates: [[...points, points[0]]] }, grid);
      const window = { col: coverage.left, cols: Math.max(0, coverage.right - coverage.left), row, rows };
      const part = runsIn(coverage, window);
      const data = Uint8Array.from(
        { length: window.cols * rows },
        (_, i) => Math.imul(Math.floor(i / run), 2_654_435_761) >>> 24,
      );
      const [own, wanted] = [new Float64Array(256).fill(0.1), new Float64Array(256).fill(0.1)];
      const mark = kernels.mark();
      const address = kernels.alloc(data.length);
      kernels.u8(address, data.length).set(data);
      addClassAreas(kernels, { ...window, address }, { part, rowAreas, sums: own });
      kernels.reset(mark);
      classAreasReference({ ...window, data }, part, { rowAreas, sums: wanted });
      expect(own).toEqual(wanted);
    };
    fc.assert(fc.property(cases, check), { seed: 20_261_129, numRuns: 300 });
  });
});
