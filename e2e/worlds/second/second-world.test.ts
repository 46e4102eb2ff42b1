import { describe, expect, it } from 'vitest';
import { dayOf, SECOND_YEARS, SIDE } from './calendar.ts';
import { bilinear, canopy, type Five } from './canopy.ts';
import { Dice } from './dice.ts';
import { standOf } from './growth.ts';
import { CLASS_OF, type Kind, layOut } from './land.ts';
import { passesOver } from './passes.ts';
import { fallingRain } from './rain.ts';
import { surfaceOf, truthOf } from './surface.ts';

const SEED = 2026;
const rain = fallingRain(SEED);
const surface = surfaceOf(layOut(SEED), rain, SEED);
const SOIL: Five = [0.1, 0.13, 0.16, 0.2, 0.3];

function leafRange(kind: Kind): readonly [number, number] {
  const leaves = Array.from({ length: 20 }, (_, id) => standOf({ id, kinds: [kind, kind, kind] }, rain, SEED)).flatMap(
    (stand) => Array.from({ length: 366 }, (_, day) => stand(dayOf('2019-07-01') + day).leaf),
  );
  return [Math.min(...leaves), Math.max(...leaves)];
}

describe('the second world', () => {
  it('has at least 1 % of the land in each class in every year', () => {
    for (const year of SECOND_YEARS) {
      const truth = truthOf(surface, year);
      for (const code of new Set([2, 3, 4, ...Object.values(CLASS_OF)]))
        expect(truth.filter((c) => c === code).length / truth.length, `class ${code} in ${year}`).toBeGreaterThan(0.01);
    }
  });

  it('is equal for equal seeds and different for another seed', () => {
    const numbers = (seed: number): number[] => Array.from({ length: 3 }, () => new Dice('a', seed).next());
    expect(numbers(1)).toEqual(numbers(1));
    expect(numbers(1)).not.toEqual(numbers(2));
    expect(layOut(1).plotOf).not.toEqual(layOut(2).plotOf);
  });

  it('mixes covers in a non-linear way: red saturates at a smaller leaf area than near infrared, and covers scatter light to each other', () => {
    const share = (leaf: number, band: number): number => {
      const [bare, some, full] = [0, leaf, 30].map((area) => canopy('kharif', SOIL, area)[band] ?? 0);
      return ((some ?? 0) - (bare ?? 0)) / ((full ?? 0) - (bare ?? 0));
    };
    expect(share(2, 2) - share(2, 3)).toBeGreaterThan(0.2);
    expect(bilinear(SOIL, SOIL, 0.5)[3]).toBeCloseTo(0.2 + 0.25 * 0.04, 12);
  });

  it('has a typical minimum leaf area for each kind of land: moist forests keep some leaves, dry forests few, fields and bare land none', () => {
    expect(leafRange('evergreen')[0]).toBeGreaterThan(2);
    expect(leafRange('moistForest')[0]).toBeGreaterThan(1);
    expect(leafRange('dryForest')[0]).toBeLessThan(0.3);
    expect(leafRange('dryForest')[1]).toBeGreaterThan(3);
    expect(leafRange('kharif')[0]).toBeLessThan(0.1);
    expect(leafRange('bare')[1]).toBeLessThan(0.25);
  });

  it('has satellite passes every five days except during outages, with nodata in all bands beyond the swath', () => {
    const passes = passesOver({ ...surface, at: (pixel) => [0.1, 0.1, 0.1, (pixel % SIDE) / SIDE, 0.1] }, SEED);
    expect(passes.length).toBeGreaterThan(220);
    expect(passes.filter(({ date }) => date > '2019-12-14' && date < '2020-01-20')).toEqual([]);
    const cut = passes.filter(({ scl }) => scl[SIDE - 1] === 0);
    expect(cut.length).toBeGreaterThan(40);
    for (const { bands, scl } of cut.slice(0, 5))
      for (const plane of Object.values(bands))
        expect(plane.map((dn) => (dn === 0 ? 0 : 1))).toEqual(Uint16Array.from(scl, (c) => (c === 0 ? 0 : 1)));
  });
});
