import { expect, it } from 'vitest';
import { createYearReader, type YearPlanes } from './classify.ts';
import { seeded } from './simulated-year.fixture.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { cropCode, landCode } from '../rules/rules.ts';
import type { PixelYear } from '../series/year-stats.ts';

const [STEPS, CORE, FROM, PIXELS] = [31, 23, 4, 300];

/** Random seasons under clouds some pixels wide, so that only some neighbours have the same gaps. */
function planes(seed: number): YearPlanes {
  const next = seeded(seed);
  const ndvi = new Int16Array(STEPS * PIXELS);
  for (let s = 0; s < STEPS; s++) {
    for (let i = 0, cloudy = false; i < PIXELS; i++) {
      if (i % 7 === 0) cloudy = next() < (i % 35 === 0 ? 0.95 : 0.5);
      const height = 1500 + 6000 * next() * Math.sin((Math.PI * (s + (i % 5))) / 12) ** 2;
      ndvi[s * PIXELS + i] = cloudy ? INDEX_NODATA : Math.round(height);
    }
  }
  const core = (): Int16Array => Int16Array.from({ length: CORE * PIXELS }, () => Math.round(4000 * next() - 2000));
  return { pixels: PIXELS, ndvi, mndwi: core(), ndbi: core(), bsi: core(), from: FROM, winters: false };
}

/** Members that no rule uses may have values of another pixel, so they are left out. */
const codes = (year: PixelYear | undefined): string =>
  year === undefined ? 'insufficient' : `${landCode(year)} ${cropCode(year)} ${year.max} ${year.min} ${year.cycles}`;

it('reads a pixel independently of the pixels read before it', () => {
  for (const seed of [1, 2, 3]) {
    const input = planes(seed);
    const read = createYearReader(input);
    const together = Array.from({ length: PIXELS }, (_, i) => codes(read(i)));
    const alone = Array.from({ length: PIXELS }, (_, i) => codes(createYearReader(input)(i)));
    expect(together).toEqual(alone);
    expect(new Set(alone).size).toBeGreaterThan(50);
    expect(alone).toContain('insufficient');
  }
});

it.each([26, 32])('rejects a series of %d steps', (steps) => {
  const core = new Int16Array(CORE);
  const input = {
    pixels: 1,
    ndvi: new Int16Array(steps),
    mndwi: core,
    ndbi: core,
    bsi: core,
    from: FROM,
    winters: false,
  };
  expect(() => createYearReader(input)).toThrow(`${steps} steps of NDVI; give 27 to 31`);
});
