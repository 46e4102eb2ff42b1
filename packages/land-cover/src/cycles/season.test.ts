import { describe, expect, it } from 'vitest';
import { blankYear, summarise } from '../series/year-stats.ts';
import { COLD } from './dormancy.ts';
import { readCoverage, type SeriesCoverage } from './hidden-rise.ts';
import { hidesHarvest, measureSeason } from './season.ts';

const [STEPS, FROM] = [31, 4];

function seasonOf(
  ndvi: (step: number) => number,
  isSeen: (step: number) => boolean = () => true,
  { cycles = 1, hasWinter = false } = {},
) {
  const smooth = Float64Array.from({ length: STEPS }, (_, s) => ndvi(s - FROM));
  const seen = smooth.reduce((bits, _v, s) => (isSeen(s - FROM) ? bits | (1 << s) : bits), 0);
  const coverage: SeriesCoverage = {
    steps: STEPS,
    from: FROM,
    cold: hasWinter ? COLD : null,
    seen: 0,
    first: 0,
    last: 0,
    clear: 0,
    afterGap: 0,
  };
  readCoverage(~seen, coverage);
  const year = blankYear();
  summarise(smooth, coverage, year);
  year.cycles = cycles;
  measureSeason(year, smooth, coverage);
  return year;
}

const between =
  (from: number, to: number, low = 2000) =>
  (step: number): number =>
    step >= from && step <= to ? 8000 : low;

describe('measureSeason', () => {
  it('counts the steps of the season, including those in the margins', () => {
    expect(seasonOf(between(3, 8)).green).toBe(6);
    expect(seasonOf(between(-3, 8)).green).toBe(12);
  });

  it('assumes an unobserved end in the middle of the unobserved steps', () => {
    expect(seasonOf(between(3, 8), (s) => s < 6 || s > 12).green).toBe(3 + 3);
    expect(seasonOf(between(3, 8), (s) => s < 1 || s > 4).green).toBe(4 + 2);
  });

  it('does not assume more unobserved steps than were observed', () => {
    expect(seasonOf(between(3, 8), (s) => (s >= 3 && s < 5) || s < -3 || s > 20).green).toBe(2 + 2);
  });

  it('uses the steps at the other end of the year for an unobserved margin, unless the land may be a field', () => {
    const forest = (s: number): number => (s < 6 || s > 18 ? 8000 : 3500);
    const alone = (s: number): boolean => s >= 0 && s < 23;
    expect(seasonOf(forest, alone).green).toBe(6 + 4);
    const field = (s: number): number => (s < 6 || s > 18 ? 8000 : 2000);
    expect(seasonOf(field, alone).green).toBe(6);
    expect(seasonOf(field, alone, { cycles: 0 }).green).toBe(6 + 4);
  });

  it('excludes the winter, in which a crop waits for spring', () => {
    const rape = between(5, 22);
    expect(seasonOf(rape)).toMatchObject({ green: 18, plateau: 18 });
    expect(seasonOf(rape, undefined, { hasWinter: true })).toMatchObject({ green: 9, plateau: 9 });
    expect(seasonOf(between(-3, 7), undefined, { hasWinter: true }).green).toBe(11);
  });

  it('reports whether the end was observed', () => {
    expect(seasonOf(between(10, 30), (s) => s < 23).ends).toBe(false);
    expect(seasonOf(between(10, 20), (s) => s < 23).ends).toBe(true);
    expect(seasonOf(between(10, 30)).ends).toBe(true);
  });
});

describe('hidesHarvest', () => {
  it('is true only for a season that is longer than that of one crop, has unobserved steps, and ends with a harvest', () => {
    const cloudy = (s: number): boolean => s < 8 || s > 11;
    const long = { ...seasonOf(between(4, 16), cloudy), harvested: true };
    expect([long.green, long.greenGap, hidesHarvest(long)]).toEqual([13, 4, true]);
    expect(hidesHarvest({ ...long, harvested: false })).toBe(false);
    expect(hidesHarvest({ ...seasonOf(between(4, 16)), harvested: true })).toBe(false);
    expect(hidesHarvest({ ...seasonOf(between(6, 13), cloudy), harvested: true })).toBe(false);
    expect(hidesHarvest({ ...seasonOf(between(4, 16, 3500), cloudy), harvested: true })).toBe(false);
  });
});
