import { describe, expect, it } from 'vitest';
import { pixelAreasM2 } from './pixel-areas.ts';

describe('pixelAreasM2', () => {
  it('sums to the area of the WGS 84 ellipsoid', () => {
    const areas = pixelAreasM2({ north: 90, pixelHeight: 0.5, pixelWidth: 0.5, rows: 360 });
    const globe = areas.reduce((sum, area) => sum + area * 720, 0);
    // Area of the ellipsoid, 510 065 621.724 km2 (GeographicLib).
    expect(globe / 1e6).toBeCloseTo(510_065_621.724, 2);
  });

  it('lies in the range of published outputs for Bhavnagar at 10 m', () => {
    const [area = 0] = pixelAreasM2({
      north: 21.7,
      pixelHeight: 8.983152841195215e-5,
      pixelWidth: 8.983152841195215e-5,
      rows: 1,
    });
    expect(area).toBeGreaterThan(92);
    expect(area).toBeLessThan(93);
  });

  it('is symmetric about the equator, and changes smoothly from row to row at 10 m, so no digits are lost', () => {
    const step = 8.983152841195215e-5;
    const areas = pixelAreasM2({ north: step * 1000, pixelHeight: step, pixelWidth: step, rows: 2000 });
    for (let row = 0; row < 1000; row += 1) expect(areas[row]! / areas[1999 - row]!).toBeCloseTo(1, 12);
    const steps = Array.from({ length: 998 }, (_, row) => areas[row + 1]! - areas[row]!);
    // The naive formula would have rounding errors of 1e-8 here.
    for (let row = 1; row < steps.length; row += 1) expect(Math.abs(steps[row]! - steps[row - 1]!)).toBeLessThan(1e-9);
  });
});
