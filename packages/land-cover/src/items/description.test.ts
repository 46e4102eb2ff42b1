import { expect, it } from 'vitest';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { classifyBlock } from '../classify/blocks.ts';
import { describe, vectorIntro } from './description.ts';

const HONESTY = {
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

/** Quality of a field that is under cloud for a number of steps at the year's start, seen after them. */
function qualityAfter(hidden: number): number | undefined {
  const outputs = { labels: new Uint8Array(1), crops: new Uint8Array(1), quality: new Uint8Array(1) };
  const ndvi = Int16Array.from({ length: 31 }, (_, s) => (s < 4 + hidden ? INDEX_NODATA : 3000));
  const flat = (): Int16Array => new Int16Array(23).fill(-2000);
  const series = { ndvi, mndwi: flat(), ndbi: flat(), bsi: flat() };
  classifyBlock({ pixels: 1, series, clear: Uint16Array.of(30), outputs, params: { core: [4, 27] } });
  return outputs.quality[0];
}

it('tells the reach of a gap as it is: a step is filled from that many days away, and from no farther', () => {
  const told = Number(/observations within (\d+) days/.exec(describe(HONESTY, ''))?.[1]);
  // The first step of the year is filled from an observation `hidden` steps of 16 days later.
  const reached = Array.from({ length: 12 }, (_, hidden) => hidden).filter((hidden) => qualityAfter(hidden) === 1);
  expect(told).toBe(16 * Math.max(...reached));
});

it('explains why classes and area_in_ha differ', () => {
  expect(vectorIntro(HONESTY)).toMatch(/ellipsoidal.*spherical.*differ from it by up to about 0\.3 %/);
});
