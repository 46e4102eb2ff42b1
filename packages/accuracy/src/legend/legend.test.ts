import { describe, expect, it } from 'vitest';
import { LegendSide, NODATA, UNMAPPED } from './legend.ts';
import { parseLegend } from './parse-legend.ts';

const WATER = { name: 'water', map: [2, 3], reference: [80, 'Water'] };
const CROPS = { name: 'crops', title: 'Cropland', color: '#AABB00', map: [8], reference: ['crop'] };

describe('a legend', () => {
  const legend = parseLegend({ classes: [WATER, CROPS], nodata: { map: [0] } });

  it('maps values and labels of both sides to its classes', () => {
    const [map, reference] = [new LegendSide(legend, 'map'), new LegendSide(legend, 'reference')];
    expect([2, 3, 8, 0, 7].map((value) => map.placeOf(value))).toEqual([0, 0, 1, NODATA, UNMAPPED]);
    expect([80, '80', ' water ', 'CROP', 'crops', 0].map((label) => reference.placeOf(label))).toEqual([
      0,
      0,
      0,
      1,
      UNMAPPED,
      UNMAPPED,
    ]);
  });

  it('keeps titles and colours, and uses the name as title of a class without a title', () => {
    expect(legend.classes).toMatchObject([
      { title: 'water', color: undefined },
      { title: 'Cropland', color: '#aabb00' },
    ]);
  });

  it('does not read a text that only resembles a number as a number', () => {
    const side = new LegendSide(parseLegend({ classes: [{ name: 'a', map: ['1', '0x10'], reference: [1] }] }), 'map');
    expect([side.placeOf(1), side.placeOf(16), side.placeOf('1e0')]).toEqual([0, UNMAPPED, UNMAPPED]);
  });
});

it.each<readonly [string, unknown, RegExp]>([
  ['no object', [WATER], /the legend must be an object/],
  ['null', null, /the legend must be an object/],
  ['no classes', {}, /classes must be a list of 1 to 250/],
  ['too many classes', { classes: Array.from({ length: 251 }, () => WATER) }, /1 to 250/],
  ['an unknown member', { classes: [WATER], style: 1 }, /"style" is not known/],
  ['a class without a name', { classes: [{ map: [1], reference: [1] }] }, /classes\[0\]\.name must be a text/],
  [
    'a colour of another kind',
    { classes: [{ ...WATER, color: 'red;}' }] },
    /classes\[0\]\.color must be written as #rrggbb/,
  ],
  ['a number instead of a list', { classes: [{ ...WATER, map: 2 }] }, /classes\[0\]\.map must be a list/],
  [
    'a label that is neither number nor text',
    { classes: [{ ...WATER, reference: [{}] }] },
    /classes\[0\]\.reference\[0\] must be a number or a text/,
  ],
  ['NaN as a value', { classes: [{ ...WATER, map: [Number.NaN] }] }, /map\[0\] must be a number/],
  [
    'a value twice',
    { classes: [WATER, { ...CROPS, map: [3] }] },
    /classes\[1\]\.map has 3, which is in classes\[0\]\.map too/,
  ],
  [
    'a word twice',
    { classes: [WATER, { ...CROPS, reference: ['WATER'] }] },
    /has "WATER", which is in classes\[0\]\.reference/,
  ],
  [
    'nodata that is a class',
    { classes: [WATER], nodata: { map: [2] } },
    /nodata\.map has 2, which is in classes\[0\]\.map/,
  ],
  [
    'a name twice',
    { classes: [WATER, { ...CROPS, name: 'Water' }] },
    /classes\[1\]\.name "Water" is also the name of classes\[0\]/,
  ],
  ['an empty side', { classes: [{ ...WATER, reference: [] }] }, /reference is empty in every class/],
  ['a prototype', JSON.parse('{"__proto__": {"classes": []}}'), /"__proto__" is not known|classes must be/],
])('parseLegend refuses %s and names the member', (_, value, message) => {
  expect(() => parseLegend(value)).toThrow(message);
});
