import { describe, expect, it } from 'vitest';
import { keptAs } from './kept-pixels.ts';

const request = { fileName: 'in.tif' };
const classesOf = (...values: readonly number[]) =>
  values.map((value) => ({ value, name: `c${value}`, title: `Class ${value}`, color: '#112233' }));
const ALL = Array.from({ length: 256 }, (_, value) => value);

describe('the value that means no data', () => {
  it.each([
    { title: 'the file’s own', nodata: 7, classes: classesOf(0, 1), kept: { type: 'uint8', nodata: 7 } },
    { title: '0, where that is no class', nodata: null, classes: classesOf(1, 2), kept: { type: 'uint8', nodata: 0 } },
    {
      title: 'another one, where 0 is a class',
      nodata: null,
      classes: classesOf(0, 1),
      kept: { type: 'uint8', nodata: 255 },
    },
    {
      title: 'the only one that is no class',
      nodata: null,
      classes: classesOf(...ALL.filter((value) => value !== 41)),
      kept: { nodata: 41 },
    },
    {
      title: 'none of the 256, where each may be data',
      nodata: null,
      classes: undefined,
      kept: { type: 'int16', nodata: -32_768 },
    },
    {
      title: 'none that no pixel can have',
      nodata: -9999,
      classes: classesOf(0),
      kept: { type: 'uint8', nodata: 255 },
    },
  ])('is $title', ({ nodata, classes, kept }) => {
    expect(keptAs({ type: 'uint8', nodata }, { classes }, request)).toMatchObject(kept);
  });

  it('is wanting where every value is a class', () => {
    expect(() => keptAs({ type: 'uint8', nodata: null }, { classes: classesOf(...ALL) }, request)).toThrow(
      /all 256 values are classes, .*; give fewer classes\.$/,
    );
  });
});

it.each([
  ['int8', 'int16', undefined],
  ['int16', 'int16', undefined],
  ['uint16', 'float32', undefined],
  ['float32', 'float32', undefined],
  ['uint32', 'float32', expect.stringContaining('beyond 16,777,216')],
  ['int32', 'float32', expect.stringContaining('beyond 16,777,216')],
  ['float64', 'float32', expect.stringContaining('7 decimal')],
] as const)('%s is kept as %s, and rounding is told', (own, type, rounding) => {
  const kept = keptAs({ type: own, nodata: null }, {}, request);
  expect([kept.type, kept.rounding]).toEqual([type, rounding]);
});
