import { expect, it } from 'vitest';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { classifyBlock } from '../classify/blocks.ts';
import { describe, vectorIntro } from './description.ts';

const FACTS = {
  placeName: 'Nadi',
  from: 2021,
  to: 2021,
  synthetic: false,
  corrected: false,
  runYears: 1,
  counts: { computed: 1, insufficient: 0, filled: 0, corrected: 0 },
  scenes: 140,
  missing: 0,
};

function qualityOf(steps: number): number | undefined {
  const outputs = { labels: new Uint8Array(1), crops: new Uint8Array(1), quality: new Uint8Array(1) };
  const ndvi = Int16Array.from({ length: 31 }, (_, s) => (s >= 4 && s < 4 + steps ? 3000 : INDEX_NODATA));
  const flat = (): Int16Array => new Int16Array(23).fill(-2000);
  const series = { ndvi, mndwi: flat(), ndbi: flat(), bsi: flat() };
  classifyBlock({ pixels: 1, series, clear: Uint16Array.of(30), outputs, params: { core: [4, 27] } });
  return outputs.quality[0];
}

it('states the number of steps that a pixel needs for a class', () => {
  const stated = Number(/fewer than (\d+) 16-day steps/.exec(describe(FACTS, ''))?.[1]);
  expect([qualityOf(stated - 1), qualityOf(stated)]).toEqual([2, 1]);
});

it('explains why the areas of the classes and area_in_ha differ', () => {
  expect(vectorIntro(FACTS)).toMatch(/ellipsoidal.*spherical.*differ from it by up to about 0\.3 %/);
});
