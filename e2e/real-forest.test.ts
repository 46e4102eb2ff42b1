import { expect, it } from 'vitest';
import { hasRealPatch, judgeRealPatch } from './confidence/real-patch.ts';

const isAvailable = hasRealPatch();
if (!isAvailable) console.log('skipped: no samples in ../shared/data/eo next to the repository');

/**
 * Codes of the land-use map of Slovenia. Trees there are leafless from November to April, so their NDVI series looks
 * like the series of a crop.
 */
const [FOREST, GRASS] = [2, 3];

it.skipIf(!isAvailable)(
  'a real deciduous forest is mapped as trees; less than 10 % of it is mapped as one crop a year, and less than 10 % of grassland as crops',
  async () => {
    for (const { year, reference, labels } of await judgeRealPatch()) {
      const share = (codes: readonly number[], use = FOREST): number => {
        const mapped = labels.filter((_, i) => reference[i] === use);
        return mapped.filter((code) => codes.includes(code)).length / mapped.length;
      };
      const grass = share([8, 9, 10, 11], GRASS);
      console.log(
        `real forest ${year}: trees ${share([6]).toFixed(2)}, one crop ${share([8, 9]).toFixed(2)}, grass as crops ${grass.toFixed(2)}`,
      );
      expect(share([6])).toBeGreaterThan(0.8);
      expect(share([8, 9])).toBeLessThan(0.1);
      expect(grass).toBeLessThan(0.1);
    }
  },
);
