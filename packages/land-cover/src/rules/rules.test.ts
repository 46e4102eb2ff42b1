import { describe, expect, it } from 'vitest';
import { cropCode, landCode } from './rules.ts';
import type { PixelYear } from '../series/year-stats.ts';

const YEAR: PixelYear = {
  clear: 20,
  max: 7500,
  min: 1800,
  floor: 1800,
  mean: 4000,
  maxStep: 5,
  plateau: 4,
  drop: 4000,
  leafFall: 4000,
  green: 6,
  greenGap: 0,
  ends: true,
  harvested: true,
  sheds: false,
  cycles: 1,
  peakStep: 5,
  cuts: 1,
  ndbi: 500,
  bsi: 500,
  mndwi: -4500,
  dryBsi: 2000,
  white: false,
};
const year = (change: Partial<PixelYear>): PixelYear => ({ ...YEAR, floor: change.min ?? YEAR.floor, ...change });

const FLAT = { cycles: 0, plateau: 0, drop: 0, harvested: false };
const CASES: readonly [string, number, Partial<PixelYear>][] = [
  ['roofs: low and even, not as red as soil', 1, { ...FLAT, max: 2200, min: 1500, mean: 1800, ndbi: 400, bsi: 700 }],
  ['roofs with gardens: too blue for soil', 1, { ...FLAT, max: 4200, min: 3000, mean: 3500, ndbi: -900, bsi: -200 }],
  [
    'scrub over soil, as green as gardens in a town',
    12,
    { ...FLAT, max: 4200, min: 3000, mean: 3500, ndbi: 300, bsi: 800 },
  ],
  [
    'bare soil: low and even, high bare-soil index',
    7,
    { ...FLAT, max: 2400, min: 1400, mean: 1800, ndbi: 1600, bsi: 2000 },
  ],
  ['rock: hardly any vegetation', 7, { ...FLAT, max: 1400, min: 700, mean: 1000, ndbi: 1300, bsi: 1700 }],
  [
    'dark ground with an NDBI like water is not built-up',
    7,
    { ...FLAT, max: 1500, min: 900, mean: 1200, ndbi: -2500, bsi: -500 },
  ],
  [
    'salt: as even and blue as a roof, but white',
    7,
    { ...FLAT, max: 600, min: 300, mean: 400, ndbi: -1000, bsi: 0, white: true },
  ],
  [
    'town with trees: crowns with a season, over ground that is as bright in visible light as at 1.6 um',
    1,
    { ...FLAT, max: 4500, min: 2300, mean: 3300, ndbi: -800, bsi: 200, mndwi: -2600, dryBsi: 700 },
  ],
  [
    'scrub with the season of a town with trees: its soil is dark in visible light',
    12,
    { ...FLAT, max: 4500, min: 2300, mean: 3300, ndbi: -800, bsi: 200, mndwi: -4400, dryBsi: 700 },
  ],
  [
    'scrub with the season of a town with trees: its soil is bright when dry',
    12,
    { ...FLAT, max: 4500, min: 2300, mean: 3300, ndbi: -800, bsi: 200, mndwi: -3000, dryBsi: 1700 },
  ],
  [
    'ground without a season is not a town if other indices are unknown',
    12,
    { ...FLAT, max: 3400, min: 2400, mean: 2900, ndbi: NaN, bsi: NaN, mndwi: NaN, dryBsi: NaN },
  ],
  ['evergreen forest', 6, { ...FLAT, max: 8200, min: 6000, mean: 7200, plateau: 23 }],
  [
    'deciduous forest: leafless for a while, never bare',
    6,
    { max: 8000, min: 3400, mean: 6000, plateau: 16, drop: 3000 },
  ],
  [
    'dry deciduous forest: leafless for months',
    6,
    { min: 1800, mean: 4200, drop: 2500, harvested: false, sheds: true },
  ],
  ['a field with bare ground is not a forest', 8, { min: 1200, mean: 4200, drop: 2500, harvested: false, sheds: true }],
  [
    'scrub that dries as slowly as a forest, but has a lower peak than a forest',
    12,
    { max: 5500, min: 2000, drop: 1600, harvested: false, sheds: true },
  ],
  [
    'broad-leaved forest with fast leaf fall: half a year green over litter and grass',
    6,
    { max: 8600, min: 3500, mean: 6000, drop: 4500, green: 10, plateau: 11 },
  ],
  [
    'beet: green as long as a broad-leaved forest, but over bare ground',
    8,
    { max: 8600, min: 2200, mean: 5000, drop: 5500, green: 9 },
  ],
  [
    'evergreen forest under haze for a month',
    6,
    { max: 8200, min: 2500, floor: 6500, mean: 7200, drop: 2000, plateau: 21 },
  ],
  [
    'sugarcane that is cut and grows again within weeks',
    11,
    { max: 8200, min: 2500, floor: 4500, mean: 7000, drop: 5000, plateau: 19, green: 12 },
  ],
  ['a crop that is in the field for half a year or more', 11, { max: 8000, min: 2000, mean: 5000, green: 11 }],
  [
    'green for half a year, but two months of it were not observed',
    8,
    { max: 8000, min: 2000, mean: 5000, green: 11, greenGap: 4 },
  ],
  ['scrub: low, slow season', 12, { ...FLAT, max: 4200, min: 2600, mean: 3300 }],
  [
    'scrub on bright sand: ground too red for a roof',
    12,
    { ...FLAT, max: 3300, min: 1900, mean: 2450, ndbi: 100, bsi: 1050 },
  ],
  ['open scrub on dark soil: green all year, never closed', 12, { ...FLAT, max: 5600, min: 4300, mean: 4800 }],
  ['scrub with one low slow cycle', 12, { max: 5000, min: 2400, mean: 3400, harvested: false }],
  ['low crop with a harvest', 8, { max: 4800, min: 1800, mean: 3000 }],
  ['kharif crop', 8, {}],
  ['late kharif crop, peak in mid-November', 8, { peakStep: 8 }],
  ['rabi crop', 9, { peakStep: 13 }],
  ['two crops', 10, { cycles: 2 }],
  ['two crops on land that is green between them', 10, { cycles: 2, plateau: 18, min: 2000, mean: 5500 }],
  ['three crops', 11, { cycles: 3, peakStep: 5 }],
  ['sugarcane: green for 270 days, then cut', 11, { cycles: 1, plateau: 18, min: 2000, mean: 5500 }],
  ['a harvest without a counted cycle', 8, { cycles: 0, max: 3300, min: 1500, mean: 2200, maxStep: 6, bsi: 1500 }],
];

describe('landCode', () => {
  it.each(CASES)('%s -> %i', (_, code, change) => expect(landCode(year(change))).toBe(code));
});

describe('cropCode', () => {
  it('uses the season of the highest NDVI if no cycle was counted', () => {
    expect(cropCode(year({ cycles: 0, maxStep: 3 }))).toBe(8);
    expect(cropCode(year({ cycles: 0, maxStep: 15 }))).toBe(9);
  });
});
